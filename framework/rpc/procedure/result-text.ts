// RPC: the result of a procedure as JSON.

import { isWebResponse } from '../../dispatch/to-response.js';
import { endUnsent, isStream } from '../../http/end-unsent.js';
import { hasEmptyObject, isLiteral, lostIn, notSerialized } from '../../http/json-form.js';
import { FwResponse } from '../../http/response.js';
import { kindOf } from '../../options/shown.js';

/**
 * The result as JSON text; `null` if it is undefined.
 *
 * @throws Error if JSON cannot represent it, or would silently write `{}`, as for a Map; and what the result's own
 * `toJSON` throws
 */
export function resultText(name: string, result: unknown): string {
  if (result === undefined) return 'null';
  try {
    if (isPlainResult(result)) {
      const text: string | undefined = JSON.stringify(result);
      if (text !== undefined && !hasEmptyObject(text)) return text;
    }
    return checkedText(name, result);
  } catch (error) {
    endUnsent(result);
    throw notSerialized(error, result);
  }
}

/** Whether it is an object of a literal, a list, or no object at all. */
export function isPlainResult(result: unknown): boolean {
  return typeof result !== 'object' || result === null || isLiteral(result) || Array.isArray(result);
}

function checkedText(name: string, result: unknown): string {
  if (typeof result === 'object' && result !== null) refuseOthers(name, result);
  const text: string | undefined = JSON.stringify(result);
  const lost = lostIn(result, text);
  if (lost !== undefined) {
    throw new Error(`procedure '${name}' returned ${lost.it}, whose JSON would be {}; ${lost.remedy}`);
  }
  if (text === undefined)
    throw new Error(`procedure '${name}' returned ${kindOf(result)}, which has no JSON form`);
  return text;
}

function refuseOthers(name: string, result: object): void {
  if (isPlainResult(result)) return;
  // As JSON, an error would look like a successful result.
  if (result instanceof Error) throw result;
  refuseResponse(name, result);
  refuseStream(name, result);
}

/** @throws Error if the result is a response, which cannot be sent as a result */
function refuseResponse(name: string, result: object): void {
  if (result instanceof FwResponse || isWebResponse(result)) {
    throw new Error(`procedure '${name}' returned a response; return the plain result`);
  }
}

/** @throws Error if the result is a stream, whose JSON would be its inner state */
function refuseStream(name: string, result: object): void {
  if (!isStream(result) || typeof (result as { toJSON?: unknown }).toJSON === 'function') return;
  throw new Error(`procedure '${name}' returned a stream; return the plain result`);
}

/** Before a schema is asked, which could take it for an object. @throws Error if the result is a response or a stream */
export function refuseUnsendable(name: string, result: unknown): void {
  if (typeof result !== 'object' || result === null || isLiteral(result)) return;
  refuseResponse(name, result);
  refuseStream(name, result);
}
