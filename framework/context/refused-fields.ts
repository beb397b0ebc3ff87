// Assignments that other frameworks take for a response. They would do nothing here, so they are errors.
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
