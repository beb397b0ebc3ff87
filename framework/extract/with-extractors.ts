// Registration: makes a handler of the context from extractors and a handler of their values.

import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import type { HandlerResult, RouteHandler } from '../context/handlers.js';
import { answersBody } from '../dispatch/body-handler.js';
import { composes } from '../dispatch/recorded.js';
import { chained, isPromise } from '../promises.js';
import { parsePattern } from '../router/pattern.js';
import { isRecorded, traceStep } from '../tracing/trace-channel.js';
import { type BodyReader, type Extractor, type ParamExtractor, readerOf, readThen } from './extractor.js';

/** A handler as the route table stores it: the types have checked its arguments. */
export type ExtractingHandler = (...values: unknown[]) => HandlerResult | Promise<HandlerResult>;

const MOST_EXTRACTORS = 8;

/**
 * The handler that runs the extractors from left to right and then `handler` with their values; `handler`
 * itself if there are none.
 *
 * @throws ConfigError if one is not an extractor, or names a parameter that the pattern does not have.
 */
export function withExtractors(
  route: string,
  pattern: string,
  extractors: readonly unknown[],
  handler: ExtractingHandler,
): RouteHandler {
  const list = checkedExtractors(route, pattern, extractors);
  const [first] = list;
  if (first === undefined) return handler;
  const reader = list.length === 1 ? readerOf(first) : undefined;
  if (reader !== undefined) return readAndRun(reader, first, handler);
  return composes(function extractAndHandle(ctx) {
    return extractAndRun(ctx, list, handler, handler.name);
  });
}

/** The same for a single extractor of the body, without a function and a list for each request. */
function readAndRun(
  reader: BodyReader<unknown>,
  extractor: Extractor,
  handler: ExtractingHandler,
): RouteHandler {
  const call = (value: unknown) => handler(value);
  function readAndHandle(ctx: Context): HandlerResult | Promise<HandlerResult> {
    return isRecorded()
      ? extractAndRun(ctx, [extractor], handler, handler.name)
      : readThen(reader, ctx, call);
  }
  return answersBody(composes(readAndHandle), {
    open: (body) => reader.open(body),
    answer: (content) => chained(reader.read(content), call),
  });
}

/** Runs the extractors, and the handler with their values. @param name that of the handler */
export function extractAndRun(
  ctx: Context,
  extractors: readonly Extractor[],
  handler: ExtractingHandler,
  name: string,
): HandlerResult | Promise<HandlerResult> {
  if (!isRecorded()) return extractFrom(ctx, extractors, [], handler);
  return extractFrom(ctx, extractors.map(recordedExtractor), [], (...values) =>
    traceStep({ kind: 'handler', name: name || 'handler' }, () => handler(...values)),
  );
}

function recordedExtractor(one: Extractor): Extractor {
  return {
    extract: (ctx) => traceStep({ kind: 'extractor', name: extractorName(one) }, () => one.extract(ctx)),
  };
}

/** Its name, or that of its class. */
export function extractorName(extractor: Extractor): string {
  const { name } = extractor;
  if (typeof name === 'string' && name !== '') return name;
  const made: unknown = extractor.constructor;
  return made === Object || typeof made !== 'function' ? 'extractor' : made.name;
}

/** @throws ConfigError if one is not an extractor, or names a parameter that the pattern does not have. */
export function checkedExtractors(
  route: string,
  pattern: string,
  extractors: readonly unknown[],
): readonly Extractor[] {
  if (extractors.length > MOST_EXTRACTORS) {
    throw new ConfigError(
      'FW_EXTRACTOR_COUNT',
      `${route} has ${extractors.length} extractors; a handler takes up to ${MOST_EXTRACTORS}`,
    );
  }
  for (const [index, extractor] of extractors.entries()) {
    assertExtractor(route, pattern, extractor, index);
    if ('~param' in extractor) assertParam(route, pattern, extractor as ParamExtractor<unknown, string>);
  }
  return extractors as readonly Extractor[];
}

/** Calls the handler with the values of the extractors. Awaits only the asynchronous ones. */
function extractFrom(
  ctx: Context,
  extractors: readonly Extractor[],
  values: unknown[],
  handler: ExtractingHandler,
): HandlerResult | Promise<HandlerResult> {
  for (let extractor = extractors[values.length]; extractor; extractor = extractors[values.length]) {
    const reader = readerOf(extractor);
    if (reader !== undefined) return readThen(reader, ctx, continuation(ctx, extractors, values, handler));
    const value = extractor.extract(ctx);
    if (isPromise(value)) return Promise.resolve(value).then(continuation(ctx, extractors, values, handler));
    values.push(value);
  }
  return handler(...values);
}

/** Goes on with the extractors behind an asynchronous one, with its value. */
function continuation(
  ...[ctx, extractors, values, handler]: Parameters<typeof extractFrom>
): (late: unknown) => ReturnType<typeof extractFrom> {
  return (late) => extractFrom(ctx, extractors, [...values, late], handler);
}

function assertExtractor(
  route: string,
  pattern: string,
  value: unknown,
  index: number,
): asserts value is Extractor {
  if (typeof (value as Partial<Extractor> | null | undefined)?.extract === 'function') return;
  const kind = value === null || value === undefined ? String(value) : `a value of type ${typeof value}`;
  const hint =
    typeof value === 'function'
      ? `middleware for one path goes into route('${pattern}', { use: [middleware] })`
      : 'give Path(), Query(), Json(), Valid(), Context, or an object with extract(ctx)';
  throw new ConfigError(
    'FW_EXTRACTOR',
    `argument ${index + 2} of ${route} is ${kind}, not an extractor; ${hint}`,
  );
}

function assertParam(route: string, pattern: string, extractor: ParamExtractor<unknown, string>): void {
  const { names } = parsePattern(pattern);
  const name = extractor['~param'];
  if (names.includes(name)) return;
  const known = names.length === 0 ? 'it has none' : `it has ${names.map((one) => `'${one}'`).join(', ')}`;
  throw new ConfigError(
    'FW_PATH_PARAMETER',
    `Path('${name}') of ${route} names a parameter that the pattern does not have: ${known}; ` +
      `for a parameter of the prefix that the App is mounted under, use Path(schema) or Context`,
  );
}
