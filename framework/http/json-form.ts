// JSON: values whose content JSON.stringify would drop.

/** Whether JSON.stringify silently turns the object into `{}`. */
export function hidesItsContent(value: unknown): boolean {
  if (
    typeof value !== 'object' ||
    value === null ||
    typeof (value as { toJSON?: unknown }).toJSON === 'function'
  ) {
    return false;
  }
  return (
    value instanceof Map ||
    value instanceof Set ||
    value instanceof ArrayBuffer ||
    HIDING.test(Object.prototype.toString.call(value))
  );
}

/** Includes the types that some libraries use for streams, which are not read here. */
const HIDING =
  /^\[object (?:Blob|File|FormData|Headers|URLSearchParams|RegExp|Weak(?:Map|Set|Ref)|ReadableStream|Promise|(?:Async)?Generator|.*Iterator(?: Helper)?)\]$/;

/** @throws Error if JSON.stringify would silently turn the value into `{}`. */
export function refuseHidden(value: object): void {
  // Nearly every value is a plain one.
  if (Object.getPrototypeOf(value) === Object.prototype || Array.isArray(value)) return;
  if (!hidesItsContent(value)) return;
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  throw new Error(`this ${kind} has no JSON form, it would be sent as {}; convert it first`);
}
