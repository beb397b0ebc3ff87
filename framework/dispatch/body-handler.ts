// Routes that take nothing but the value of the body: a request to one gets no context unless something needs it.

import type { RouteHandler } from '../context/handlers.js';
import { RequestBody } from '../context/request-body.js';
import type { Scope } from '../context/scope.js';
import { bodyTooLarge, declaresMore } from '../http/body-limit.js';
import type { RequestSource } from '../http/request-source.js';
import type { Target } from '../http/request-target.js';
import { FwResponse } from '../http/response.js';
import { isPromise, toChainable } from '../promises.js';
import { complete, type Deliver, fail, leaveBody } from './delivery.js';
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
  return steps.length > 0 || limits.requestTimeoutMs !== undefined ? undefined : known.get(handler);
}

/** @param found the target, or the route whose path the server has matched */
export function answerFromBody<Source extends RequestSource, Sent>(
  handler: BodyHandler,
  match: RouteMatch,
  found: Target | MatchedRoute,
  source: Source,
  to: Deliver<Source, Sent>,
): Sent | Promise<Sent> {
  const { maxBodySize } = match.value.scope.limits;
  const body = new RequestBody(source, maxBodySize);
  const deliver: Deliver<Source, Sent> = (response) => {
    if (maxBodySize !== undefined) leaveBody(source, maxBodySize, { isBodyTaken: body.isTaken });
    return to(response, source);
  };
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
    return to(response, source);
  };
  if (maxBodySize !== undefined && declaresMore(source, maxBodySize))
    return failed(bodyTooLarge(maxBodySize));
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
