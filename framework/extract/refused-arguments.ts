// Arguments of a route that are not extractors, or not a handler: what each is, and what to write instead.
import { ConfigError } from '../config-error.js';
import { isSchema } from '../options/is-schema.js';
import { kindOf } from '../options/shown.js';
import { ContextMiddleware } from './context-middleware.js';
import type { Extractor } from './extractor.js';

/** @throws ConfigError if it is not an extractor */
export function assertExtractor(
  route: string,
  pattern: string,
  value: unknown,
  index: number,
): asserts value is Extractor {
  // A schema first: those of `z.enum()` have a method `extract` too.
  if (!isSchema(value) && hasExtract(value)) return;
  const [is, hint] = misplaced(pattern, value);
  throw new ConfigError(
    'FW_EXTRACTOR',
    `argument ${index + 2} of ${route} is ${is}, not an extractor; ${hint}`,
  );
}

/** What stands in the place of an extractor, and what to write instead. */
function misplaced(pattern: string, value: unknown): readonly [is: string, hint: string] {
  if (isSchema(value)) return ['a schema', 'write Valid(schema) for the body, or Query(schema)'];
  if (value instanceof ContextMiddleware) return ['middleware', usedBy(pattern)];
  // Such as `Valid` instead of `Valid(schema)`.
  if (typeof value === 'function')
    return [kindOf(value), `extractors are called, as in Valid(schema); ${usedBy(pattern)}`];
  return [kindOf(value), 'give Path(), Query(), Json(), Valid(), Context, or an object with extract(ctx)'];
}

function usedBy(pattern: string): string {
  return `middleware for one path goes into describeRoute('${pattern}', { use: [middleware] })`;
}

function hasExtract(value: unknown): value is Extractor {
  return typeof (value as Partial<Extractor> | null | undefined)?.extract === 'function';
}

/** The error for a last argument that is not a function. */
export function noHandler(route: string, given: unknown): ConfigError {
  const text = hasExtract(given)
    ? `the last argument of ${route} is an extractor; give the handler behind the extractors`
    : `the handler of ${route} is ${kindOf(given)}; give a function`;
  return new ConfigError('FW_HANDLER', text);
}
