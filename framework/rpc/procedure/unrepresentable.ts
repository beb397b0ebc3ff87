// Registration: reports the parts of a schema that clients cannot know, because JSON cannot represent them.
import { warn } from '../../tracing/event.js';
import type { UnrepresentablePart } from '../../wire/read/from-json-schema.js';
import { unrepresentableRemedy } from '../../wire/read/standard.js';

/** What was reported, by schema: input and output may share a schema, and `types()` may be called several times. */
const reported = new WeakMap<object, Set<string>>();

/** Reports once for each schema and user: on `fw:event` if it has a subscriber, else on stderr. */
export function reportUnrepresentable(
  schema: object,
  user: string,
  parts: readonly UnrepresentablePart[],
): void {
  if (parts.length === 0) return;
  const users = reported.get(schema) ?? new Set();
  reported.set(schema, users);
  if (users.has(user)) return;
  users.add(user);
  for (const { path, what } of parts) {
    const message =
      `${user}: '${path}' is ${what}, which JSON cannot represent: it is unknown in clients and documents; ` +
      unrepresentableRemedy(what);
    warn(message, { path, what });
  }
}
