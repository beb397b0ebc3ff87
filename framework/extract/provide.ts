// Middleware for routes and procedures that is made of extractors.

import { checkValue } from '../options/check.js';
import { objectWith, record } from '../options/rules.js';
import { type ContextMiddleware, createMiddleware } from './context-middleware.js';
import type { Extractor } from './extractor.js';

/** The values of extractors, by their names. */
export type Provided<Extractors extends Readonly<Record<string, Extractor>>> = {
  [Name in keyof Extractors]: Extractors[Name] extends Extractor<infer Value> ? Value : never;
};

const EXTRACTOR = objectWith(['extract'], 'an extractor, such as Query(schema)');

/**
 * Makes middleware that gives the values of extractors to the handlers of procedures and routes, and brings their
 * refusals and security schemes into documents.
 *
 * ```ts
 * rpc.query('me', { use: [provide({ user: Me })] }, (_, { user }) => user.name);
 * ```
 *
 * @throws ConfigError if one of them is not an extractor.
 */
export function provide<const Extractors extends Readonly<Record<string, Extractor>>>(
  extractors: Extractors,
): ContextMiddleware<Provided<Extractors>> {
  checkValue('provide', 'the argument', extractors, record('an object of extractors by name'));
  const entries = Object.entries(extractors);
  for (const [name, one] of entries) checkValue('provide', name, one, EXTRACTOR);
  const describes = entries.flatMap(([, one]) => one.describes ?? []);
  return createMiddleware({ describes }, async function provide({ ctx }, next) {
    const values: Record<string, unknown> = {};
    for (const [name, extractor] of entries) values[name] = await extractor.extract(ctx);
    return next(values as Provided<Extractors>);
  }) as ContextMiddleware<Provided<Extractors>>;
}
