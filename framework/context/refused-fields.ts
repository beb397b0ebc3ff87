// What other frameworks take for a response or a header field. It would do nothing here, so it is an error.
import { kindOf, shown } from '../options/shown.js';
import type { Context } from './context.js';

const INSTEAD: Readonly<Record<string, string>> = {
  body: 'return the body instead, such as ctx.text("Hello"), or use ctx.set("body", value) for what later handlers read',
  response: 'return the response instead',
  status: 'call ctx.status(404)',
  statusCode: 'call ctx.status(404)',
  type: 'call ctx.header("Content-Type", "text/html")',
};

/** Called once, for the class: a request pays nothing for it. */
export function refuseFields(prototype: Context): void {
  for (const [name, instead] of Object.entries(INSTEAD)) {
    const value: unknown = Reflect.get(prototype, name);
    Object.defineProperty(prototype, name, {
      configurable: true,
      get: () => value,
      set: () => {
        throw new TypeError(`ctx.${name} cannot be assigned: ${instead}`);
      },
    });
  }
}

/** Names as they are written of header fields, and never of variables. */
const FIELD =
  /^(?:[A-Z][A-Za-z\d]*-[A-Za-z\d-]+|ETag|content-(?:type|length|disposition)|user-agent|cache-control|accept-(?:language|encoding))$/;

/** The key. @throws TypeError for the name of a header field, and for an object of them, which are those of Koa */
export function checkedKey<Key>(key: Key, method: 'set' | 'get'): Key {
  if (typeof key === 'string' ? !FIELD.test(key) : typeof key !== 'object') return key;
  const isName = typeof key === 'string';
  const given = isName ? `the header ${shown(key)}` : kindOf(key);
  const name = isName ? shown(key) : 'name';
  throw new TypeError(
    method === 'set'
      ? `ctx.set stores a value for later handlers, and does not take ${given}; set header fields by ctx.header(${name}, value)`
      : `ctx.get reads what ctx.set has stored, and does not take ${given}; read header fields by ctx.req.header(${name})`,
  );
}

/** What `set` has stored for the key. @throws TypeError like `checkedKey`, also if nothing is stored at all */
export function storedAt(key: string, store: ReadonlyMap<string, unknown> | undefined): unknown {
  const checked = checkedKey(key, 'get');
  return store?.get(checked);
}
