// Responses on Bun: the media type of a web Response, which it forgets once its body was looked at, and that of a text
// does not even have in its `headers`.
import { THIS_RUNTIME } from '../this-runtime.js';

interface BunGlobal {
  inspect(value: unknown): string;
  /** The value of a promise that is resolved already; otherwise the promise. */
  peek<Value>(promise: Promise<Value>): Value | Promise<Value>;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Undefined if it has none, and on all other runtimes. For a text it is what the Fetch standard says
 * (https://fetch.spec.whatwg.org/#bodyinit-unions): Bun sends that, and tells nobody, so that bytes in memory are told
 * from texts by what they are. Call it before the body is looked at.
 */
export function typeOnBun(response: Response): string | undefined {
  if (THIS_RUNTIME !== 'Bun') return undefined;
  const type = response.headers.get('content-type');
  if (type !== null) return type;
  if (response.url !== '') return undefined;
  const { Bun } = globalThis as unknown as { Bun: BunGlobal };
  // Cloning a stream would begin it. A body in memory is shown so, and no header field has a line of its own.
  if (!/^ *Blob \(/m.test(Bun.inspect(response))) return undefined;
  const bytes = Bun.peek(response.clone().arrayBuffer());
  return bytes instanceof ArrayBuffer && isText(bytes) ? 'text/plain;charset=utf-8' : undefined;
}

function isText(bytes: ArrayBuffer): boolean {
  try {
    return !decoder.decode(bytes).includes('\0');
  } catch {
    // Not in UTF-8.
    return false;
  }
}
