// Registration: says which parts of a schema no client can know, because JSON has no form for them.
import { isTraced, publishEvent } from '../tracing/event.js';
import type { UntoldPart } from './types/from-json-schema.js';
import { untoldRemedy } from './types/standard.js';

/** By schema: both sides of a procedure may be the same one, and types are asked for more than once. */
const reported = new WeakMap<object, Set<string>>();

/** Reports once for each schema and user, on `fw:event` where somebody listens, else on stderr. */
export function reportUntold(schema: object, user: string, parts: readonly UntoldPart[]): void {
  if (parts.length === 0) return;
  const users = reported.get(schema) ?? new Set();
  reported.set(schema, users);
  if (users.has(user)) return;
  users.add(user);
  for (const { path, what } of parts) {
    const message =
      `${user}: '${path}' is ${what}, which JSON has no form for: clients and documents have it as unknown; ` +
      untoldRemedy(what);
    if (isTraced()) publishEvent('warn', message, { path, what });
    else console.warn(message);
  }
}
