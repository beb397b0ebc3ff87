// RPC: the result of a procedure as JSON.
import { FwResponse } from '../response.js';
import { hidesItsContent, isWebResponse } from '../to-response.js';

/**
 * The result as JSON text; `null` where it is nothing.
 *
 * @throws Error when it has no JSON form, or one that would say nothing, such as that of a Map; and what the
 * result's own `toJSON` throws.
 */
export function resultText(name: string, result: unknown): string {
  if (result === undefined) return 'null';
  if (typeof result === 'object' && result !== null) refuseHidden(name, result);
  const text: string | undefined = JSON.stringify(result);
  if (text === undefined)
    throw new Error(`procedure '${name}' gave a ${typeof result}, which has no JSON form`);
  return text;
}

function refuseHidden(name: string, result: object): void {
  // Nearly every result is a plain one.
  if (Object.getPrototypeOf(result) === Object.prototype || Array.isArray(result)) return;
  // Its JSON would be a success that looks like nothing happened.
  if (result instanceof Error) throw result;
  if (result instanceof FwResponse || isWebResponse(result)) {
    throw new Error(`procedure '${name}' gave a response; return the plain result`);
  }
  if (hidesItsContent(result)) {
    const kind = Object.prototype.toString.call(result).slice(8, -1);
    throw new Error(`procedure '${name}' gave a ${kind}, whose JSON would be {}; convert it first`);
  }
}
