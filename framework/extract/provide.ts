// Middleware for routes and procedures that is made of extractors.
import { type ContextMiddleware, createMiddleware } from './context-middleware.js';
import type { ExtractorDescription } from './description.js';
import type { Extractor } from './extractor.js';

/** The values of extractors, by their names. */
export type Provided<Extractors extends Readonly<Record<string, Extractor>>> = {
  [Name in keyof Extractors]: Extractors[Name] extends Extractor<infer Value> ? Value : never;
};

/**
 * Makes middleware that gives the values of extractors to the handlers of procedures and routes, and brings their
 * refusals and security schemes into documents.
 *
 * ```ts
 * rpc.query('me', { use: [provide({ user: Me })] }, (_, { user }) => user.name);
 * ```
 */
export function provide<const Extractors extends Readonly<Record<string, Extractor>>>(
  extractors: Extractors,
): ContextMiddleware<Provided<Extractors>> {
  const entries = Object.entries(extractors);
  const describes = entries.flatMap(([, one]) => one.describes ?? []);
  const use = describes.slice(1).map((one) => describing(one));
  const options = describes[0] === undefined ? {} : { describes: describes[0], use };
  return createMiddleware(options, async ({ ctx }, next) => {
    const values: Record<string, unknown> = {};
    for (const [name, extractor] of entries) values[name] = await extractor.extract(ctx);
    return next(values as Provided<Extractors>);
  }) as ContextMiddleware<Provided<Extractors>>;
}

/** A description takes one security scheme and one body, so that of each extractor is kept apart. */
function describing(describes: ExtractorDescription): ContextMiddleware {
  return createMiddleware({ describes }, (_, next) => next());
}
