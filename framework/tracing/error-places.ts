// Tracing: where errors come from that the framework makes before any line of the application runs: the registration of
// the route or the procedure, and the place of the schema that has refused a value.

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
 */
export function notePlaceOf(error: unknown, kind: PlaceKind, name: string, place: () => string): void {
  if (typeof error !== 'object' || error === null) return;
  try {
    const known = (error as { [PLACES]?: Places })[PLACES];
    if (known !== undefined) known.set(kind, { name, place });
    else Object.defineProperty(error, PLACES, { value: new Map([[kind, { name, place }]]) });
  } catch {
    // It is frozen, or a Proxy: it is shown without the place.
  }
}

/** The places as frames of a stack: `at schema (file:///app/main.ts:3:4)`. May throw for a Proxy. */
export function placeFrames(error: object): readonly string[] {
  const places: unknown = (error as { [PLACES]?: unknown })[PLACES];
  if (!(places instanceof Map)) return [];
  return [...(places as Places).values()].map(({ name, place }) => `at ${name} (${place()})`);
}
