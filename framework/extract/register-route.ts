// Registration: makes a route's handler and its description of what it was registered with.
import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import type { RouteHandler } from '../context/handlers.js';
import { composes } from '../dispatch/recorded.js';
import { type AnswerTable, answerTable, withAnswers } from './answers.js';
import { type AnyMiddleware, inOrder, type RequestCall } from './context-middleware.js';
import type { ExtractorDescription } from './description.js';
import type { Extractor } from './extractor.js';
import { type AnyPath, type RouteOptions, readPath } from './route.js';
import { descriptionsOf, guardedExtractors, guardedMiddleware, type RouteGuard } from './route-guard.js';
import type { SocketDescription } from './socket-route.js';
import {
  checkedExtractors,
  type ExtractingHandler,
  extractAndRun,
  extractorName,
  withExtractors,
} from './with-extractors.js';
import { nameOf, withMiddleware } from './with-middleware.js';

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
  /** The names of the extractors and of the middleware of the route, in the order in which they run. */
  readonly extractorNames: readonly string[];
  readonly middlewareNames: readonly string[];
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
  const route = `${method} ${path}`;
  const handler = args.at(-1);
  if (typeof handler !== 'function') {
    throw new ConfigError(
      'FW_HANDLER',
      `the handler of ${route} is ${handler == null ? handler : `of type ${typeof handler}`}; give a function`,
    );
  }
  const extractors = checkedExtractors(route, path, args.slice(0, -1));
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
      middlewareNames: (steps ?? []).map((one) => nameOf(one) || 'middleware'),
      handlerName: handler.name,
      guardedBy: (guard) => makeGuarded(parts, guard),
    },
  };
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
