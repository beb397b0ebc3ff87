// Routes that take nothing but the value of the body: a request to one gets no context unless something needs it.

import type { RouteHandler } from '../context/handlers.js';
import { RequestBody } from '../context/request-body.js';
import type { Scope } from '../context/scope.js';
import type { RequestSource } from '../http/request-source.js';
import type { Target } from '../http/request-target.js';
import { FwResponse } from '../http/response.js';
import { isPromise, toChainable } from '../promises.js';
import { complete, type Deliver, fail } from './delivery.js';
import { routeContext } from './route-context.js';
import { isPlain } from './to-response.js';
import type { MatchedRoute, RouteMatch } from './unmatched.js';

/** What such a handler does, in two steps. */
export interface BodyHandler {
  /** Gives the content, or rejects. @throws FwError if it is not accepted */
  open(body: RequestBody): Promise<string | Uint8Array>;
  /** What the handler returns for the content. @throws FwError if it is not accepted, and what the handler throws */
  answer(content: string | Uint8Array): unknown;
}

const known = new WeakMap<RouteHandler, BodyHandler>();

/** Notes that the handler does the same as these steps. */
export function answersBody(handler: RouteHandler, steps: BodyHandler): RouteHandler {
  known.set(handler, steps);
  return handler;
}

/** The steps of a handler, if there is nothing around it that takes the context. */
export function bodyHandlerOf(handler: RouteHandler, { steps, limits }: Scope): BodyHandler | undefined {
  const { maxBodySize, requestTimeoutMs } = limits;
  if (steps.length > 0 || maxBodySize !== undefined || requestTimeoutMs !== undefined) return undefined;
  return known.get(handler);
}

/** @param found the target, or the route whose path the server has matched */
export function answerFromBody<Source extends RequestSource, Sent>(
  handler: BodyHandler,
  match: RouteMatch,
  found: Target | MatchedRoute,
  source: Source,
  deliver: Deliver<Source, Sent>,
): Sent | Promise<Sent> {
  const body = new RequestBody(source, undefined);
  const context = () => routeContext(match, found, source).makeRequest(body);
  const failed = (error: unknown) => fail(context(), error, source, deliver);
  const answered = (value: unknown): Sent | Promise<Sent> => {
    if (!isPlain(value)) return complete(context(), value, source, deliver);
    let response: FwResponse;
    try {
      response = FwResponse.json(value);
    } catch (error) {
      return failed(error);
    }
    response.defaultHeaders = match.value.scope.defaultHeaders;
    return deliver(response, source);
  };
  let content: Promise<string | Uint8Array>;
  try {
    content = handler.open(body);
  } catch (error) {
    return failed(error);
  }
  return content.then((read) => {
    let value: unknown;
    try {
      value = handler.answer(read);
    } catch (error) {
      return failed(error);
    }
    return isPromise(value) ? toChainable(value).then(answered, failed) : answered(value);
  }, failed);
}
