// RPC: the result of a procedure as JSON.

import { isWebResponse } from '../dispatch/to-response.js';
import { hidesItsContent } from '../http/json-form.js';
import { FwResponse } from '../http/response.js';

/**
 * The result as JSON text; `null` if it is undefined.
 *
 * @throws Error if JSON cannot represent it, or would silently write `{}`, as for a Map; and what the result's own
 * `toJSON` throws
 */
export function resultText(name: string, result: unknown): string {
  if (result === undefined) return 'null';
  if (typeof result === 'object' && result !== null) refuseHidden(name, result);
  const text: string | undefined = JSON.stringify(result);
  if (text === undefined)
    throw new Error(`procedure '${name}' returned a ${typeof result}, which has no JSON form`);
  return text;
}

function refuseHidden(name: string, result: object): void {
  // Nearly every result is a plain one.
  if (Object.getPrototypeOf(result) === Object.prototype || Array.isArray(result)) return;
  // As JSON, an error would look like a successful result.
  if (result instanceof Error) throw result;
  if (result instanceof FwResponse || isWebResponse(result)) {
    throw new Error(`procedure '${name}' returned a response; return the plain result`);
  }
  if (hidesItsContent(result)) {
    const kind = Object.prototype.toString.call(result).slice(8, -1);
    throw new Error(`procedure '${name}' returned a ${kind}, whose JSON would be {}; convert it first`);
  }
}
