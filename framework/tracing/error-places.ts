// Tracing: where errors come from that the framework makes before any line of the application runs: the registration of
// the route or the procedure, and the place of the schema that has refused a value.
import { isError } from './inspected.js';

/** Read by `fw dev`, whose own copy of this module has the same symbol. */
const PLACES = Symbol.for('fw.places');

type Places = Map<string, { readonly name: string; readonly place: () => string }>;

/** What a place is of: an error has one of each kind. */
type PlaceKind = 'schema' | 'route' | 'procedure';

/**
 * Notes a place of an error; its text is made only when the error is shown. An error that is thrown again has the newest
 * one.
 *
 * @param name what people read, such as `route GET /users`
 * @returns The place as text if the error cannot have it: it is frozen, a Proxy, or not an error.
 */
export function notePlaceOf(
  error: unknown,
  kind: PlaceKind,
  name: string,
  place: () => string,
): string | undefined {
  // Those of other objects are not read where they are shown.
  if (!isError(error)) return frame(name, place);
  try {
    const known = (error as { [PLACES]?: Places })[PLACES];
    if (known !== undefined) known.set(kind, { name, place });
    else Object.defineProperty(error, PLACES, { value: new Map([[kind, { name, place }]]) });
    return undefined;
  } catch {
    return frame(name, place);
  }
}

function frame(name: string, place: () => string): string {
  return `at ${name} (${place()})`;
}

/** The places as frames of a stack: `at schema (file:///app/main.ts:3:4)`. May throw for a Proxy. */
export function placeFrames(error: object): readonly string[] {
  const places: unknown = (error as { [PLACES]?: unknown })[PLACES];
  if (!(places instanceof Map)) return [];
  return [...(places as Places).values()].map(({ name, place }) => frame(name, place));
}
