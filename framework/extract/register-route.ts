// Registration: makes a route's handler and its description of what it was registered with.

import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import type { HandlerResult, RouteHandler } from '../context/handlers.js';
import { answersBody } from '../dispatch/body-handler.js';
import { composes } from '../dispatch/recorded.js';
import { chained, isPromise } from '../promises.js';
import { parsePattern } from '../router/pattern.js';
import { isRecorded, traceStep } from '../tracing/trace-channel.js';
import { type AnswerTable, answerTable, withAnswers } from './answers.js';
import { type AnyMiddleware, inOrder, type RequestCall } from './context-middleware.js';
import type { ExtractorDescription } from './description.js';
import { type BodyReader, type Extractor, type ParamExtractor, readerOf, readThen } from './extractor.js';
import { assertExtractor, noHandler } from './refused-arguments.js';
import { type AnyPath, type RouteOptions, readPath } from './route.js';
import { descriptionsOf, guardedExtractors, guardedMiddleware, type RouteGuard } from './route-guard.js';
import type { SocketDescription } from './socket-route.js';
import { withMiddleware } from './with-middleware.js';

/** What documents say about a route. */
export interface RouteDescription {
  /** The pattern, without the prefixes that its App is mounted under. */
  readonly path: string;
  readonly options: RouteOptions;
  /** Undefined if the route does not declare what it answers. */
  readonly answers: AnswerTable | undefined;
  /** Of middleware and extractors. */
  readonly extractors: readonly ExtractorDescription[];
  /** Set if it is a WebSocket. */
  readonly socket?: SocketDescription;
  /** The names of the extractors in the order in which they run. */
  readonly extractorNames: readonly string[];
  /** Of the route, in the order in which it runs. */
  readonly middleware: readonly AnyMiddleware[];
  /** The name of the handler; empty for an arrow function that is written in place. */
  readonly handlerName: string;
  /**
   * The handler with a guard that is asked when the methods of the route itself have authenticated; undefined if it has
   * none. @internal
   */
  readonly guardedBy: (guard: RouteGuard) => RouteHandler | undefined;
}

/**
 * @param args extractors, and the handler behind them
 * @throws ConfigError if an argument is not an extractor or a function, or a described path is invalid.
 */
export function registerRoute(
  method: string,
  described: AnyPath,
  args: readonly unknown[],
): { path: string; handler: RouteHandler; description: RouteDescription } {
  const { path, options } = readPath(described);
  const route = `${method === '*' ? 'ALL' : method} ${path}`;
  const handler = args.at(-1);
  if (typeof handler !== 'function') {
    throw noHandler(route, handler);
  }
  const extractors = checkedExtractors(route, path, args.slice(0, -1));
  if (extractors.length === 0) refuseResponseParameter(route, handler);
  const steps = options.use && inOrder<AnyMiddleware>(options.use);
  const answers = options.returns === undefined ? undefined : answerTable(route, options.returns);
  const parts: HandlerParts = {
    route,
    path,
    steps,
    extractors,
    handler: handler as ExtractingHandler,
    answers,
  };
  return {
    path,
    handler: makeHandler(parts),
    description: {
      path,
      options,
      answers,
      extractors: [...(steps ?? []), ...extractors].flatMap(descriptionsOf),
      extractorNames: extractors.map(extractorName),
      middleware: steps ?? [],
      handlerName: handler.name,
      guardedBy: (guard) => makeGuarded(parts, guard),
    },
  };
}

/**
 * A second parameter with another name may be an optional one of a function that is called elsewhere too.
 *
 * @throws ConfigError if it is a handler of Express or Fastify, whose response is undefined here
 */
function refuseResponseParameter(route: string, handler: { readonly length: number }): void {
  if (handler.length < 2) return;
  const text = String(handler);
  const start = text.indexOf('(');
  // What stands before it is `async`, `function` and a name; else it is an arrow function with one parameter.
  if (!/^[\w$\s]*$/.test(text.slice(0, start))) return;
  const [, names] = /^\s*([\w$]+\s*,\s*(?:res|response|reply|rep))\s*[,)]/.exec(text.slice(start + 1)) ?? [];
  if (names === undefined) return;
  throw new ConfigError(
    'FW_HANDLER',
    `the handler of ${route} takes (${names}), as in Express or Fastify; give one that takes the context and returns the response, such as (ctx) => ctx.text('Hello')`,
  );
}

/** What a handler is made of. */
interface HandlerParts {
  readonly route: string;
  readonly path: string;
  /** The middleware of the route in the order in which it runs; undefined without the option `use`. */
  readonly steps: readonly AnyMiddleware[] | undefined;
  readonly extractors: readonly Extractor[];
  readonly handler: ExtractingHandler;
  readonly answers: AnswerTable | undefined;
}

function makeGuarded(parts: HandlerParts, guard: RouteGuard): RouteHandler | undefined {
  const extractors = guardedExtractors(parts.extractors, guard);
  if (extractors !== undefined) return makeHandler({ ...parts, extractors });
  const steps = parts.steps && guardedMiddleware(parts.steps, guard);
  return steps && makeHandler({ ...parts, steps });
}

/** Answers are checked inside of the middleware, which then sees a refused one as the error that it is. */
function makeHandler({ route, path, steps, extractors, handler, answers }: HandlerParts): RouteHandler {
  if (steps === undefined) {
    const extracting = withExtractors(route, path, extractors, handler);
    if (answers === undefined) return extracting;
    const answering = withAnswers(route, answers, extracting);
    return extracting === handler ? answering : composes(answering);
  }
  /** The handler gets the values of the extractors, or the context without any, and last what the middleware adds. */
  const extracting = (ctx: Context, call: RequestCall): unknown => {
    const own = extractors.length === 0 ? [ctx] : [];
    return extractAndRun(ctx, extractors, (...values) => handler(...own, ...values, call), handler.name);
  };
  return withMiddleware(steps, answers === undefined ? extracting : withAnswers(route, answers, extracting));
}

/** A handler as the route table stores it: the types have checked its arguments. */
type ExtractingHandler = (...values: unknown[]) => HandlerResult | Promise<HandlerResult>;

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
function extractAndRun(
  ctx: Context,
  extractors: readonly Extractor[],
  handler: ExtractingHandler,
  name: string,
): HandlerResult | Promise<HandlerResult> {
  if (!isRecorded()) return extractFrom(ctx, extractors, [], handler);
  return extractFrom(ctx, extractors.map(recordedExtractor), [], (...values) =>
    traceStep({ kind: 'handler', name }, () => handler(...values)),
  );
}

function recordedExtractor(one: Extractor): Extractor {
  return {
    extract: (ctx) => traceStep({ kind: 'extractor', name: extractorName(one) }, () => one.extract(ctx)),
  };
}

/** Its name, or that of its class. */
function extractorName(extractor: Extractor): string {
  const { name } = extractor;
  if (typeof name === 'string' && name !== '') return name;
  const made: unknown = extractor.constructor;
  return made === Object || typeof made !== 'function' ? 'extractor' : made.name;
}

/** @throws ConfigError if one is not an extractor, or names a parameter that the pattern does not have. */
function checkedExtractors(
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
