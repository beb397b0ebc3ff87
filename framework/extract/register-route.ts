// Registration: makes a route's handler and its description of what it was registered with.
import { ConfigError } from '../config-error.js';
import type { RouteHandler } from '../context/handlers.js';
import { type AnswerTable, answerTable, withAnswers } from './answers.js';
import { type ContextMiddleware, inOrder } from './context-middleware.js';
import type { ExtractorDescription } from './description.js';
import type { Extractor } from './extractor.js';
import { type AnyPath, type RouteOptions, readPath } from './route.js';
import { checkedExtractors, type ExtractingHandler, extractFrom, withExtractors } from './with-extractors.js';
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
  /** The name of the handler; empty for an arrow function that is written in place. */
  readonly handlerName: string;
}

/**
 * @param args extractors, and the handler behind them
 * @throws ConfigError when an argument is not an extractor or a function, or a described path is invalid.
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
  const extractors = args.slice(0, -1);
  const { use } = options;
  const extracting =
    use === undefined
      ? withExtractors(route, path, extractors, handler as ExtractingHandler)
      : usingMiddleware(use, checkedExtractors(route, path, extractors), handler as ExtractingHandler);
  const answers = options.returns === undefined ? undefined : answerTable(route, options.returns);
  return {
    path,
    handler: answers === undefined ? extracting : withAnswers(route, answers, extracting),
    description: {
      path,
      options,
      answers,
      extractors: [...inOrder(use ?? []), ...(extractors as readonly Extractor[])].flatMap(
        ({ describes }) => describes ?? [],
      ),
      handlerName: handler.name,
    },
  };
}

/** The handler gets the values of the extractors, and last the context with what the middleware adds. */
function usingMiddleware(
  use: readonly ContextMiddleware[],
  extractors: readonly Extractor[],
  handler: ExtractingHandler,
): RouteHandler {
  return withMiddleware(use, (ctx, call) =>
    extractFrom(ctx, extractors, [], (...values) => handler(...values, call)),
  );
}
