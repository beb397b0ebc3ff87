// Registration: makes a handler of middleware and a handler that gets what they add, and middleware of an App of what
// `createMiddleware` made.
import type { Context } from '../context/context.js';
import type { Middleware, Next, RouteHandler } from '../context/handlers.js';
import { type ChainRules, runChain, type Step } from '../dispatch/chain.js';
import { composes, placeOfStep, recordedSteps, sharePlace } from '../dispatch/recorded.js';
import { requestRules, settle } from '../dispatch/to-response.js';
import { FwResponse } from '../http/response.js';
import { isPromise } from '../promises.js';
import { isRecorded } from '../tracing/trace-channel.js';
import {
  type AnyMiddleware,
  ContextMiddleware,
  extended,
  inOrder,
  type RequestCall,
} from './context-middleware.js';
import { descriptionsOf } from './route-guard.js';

class RouteCall implements RequestCall {
  readonly ctx: Context;

  constructor(ctx: Context) {
    this.ctx = ctx;
  }

  get signal(): AbortSignal {
    return this.ctx.signal;
  }
}

/** One request on its way through the middleware. */
class RouteStage {
  readonly ctx: Context;
  #added: object = {};

  constructor(ctx: Context) {
    this.ctx = ctx;
  }

  add(added: object): void {
    this.#added = { ...this.#added, ...added };
  }

  call(): RequestCall {
    return extended(new RouteCall(this.ctx), this.#added);
  }
}

const routeRules: ChainRules<RouteStage, unknown> = {
  noun: 'middleware',
  // Middleware sees the response as it will be, and an answer that cannot be sent as the error that it is.
  finish: ({ ctx }, value) => settle(ctx, value),
  accept: (_, value) => (value instanceof FwResponse ? value : undefined),
  // What is around it, such as cors(), changes responses.
  convert: ({ ctx }, value) => settle(ctx, value),
  keep: (_, result) => result,
  deadline: () => undefined,
};

/** The handler that runs the middleware, which is given in its order, and then `handler` with the call and what they added to it. */
export function withMiddleware(
  use: readonly AnyMiddleware[],
  handler: (ctx: Context, call: RequestCall) => unknown,
): RouteHandler {
  const steps = use.map(asStep);
  return composes(function useAndHandle(ctx) {
    const run = isRecorded() ? recordedSteps(steps) : steps;
    return runChain(routeRules, new RouteStage(ctx), run, 0, (stage) =>
      handler(ctx, stage.call()),
    ) as ReturnType<RouteHandler>;
  });
}

/** The same as middleware of an App: it runs with what it uses, and nobody gets what it adds. */
export function asMiddleware(one: ContextMiddleware): Middleware {
  const list = inOrder([one]);
  const steps = list.map(asStep);
  const middleware: Middleware = (ctx, next) =>
    runChain(routeRules, new RouteStage(ctx), steps, 0, () => next()) as ReturnType<Middleware>;
  Object.defineProperty(middleware, 'name', { value: nameOf(one) });
  // That of the App is noted otherwise.
  if (placeOfStep(one) !== undefined) sharePlace(middleware, one);
  return Object.assign(middleware, { describes: list.flatMap(descriptionsOf) });
}

export function nameOf(one: AnyMiddleware): string {
  return one instanceof ContextMiddleware ? one.run.name : one.name;
}

function asStep(one: AnyMiddleware): Step<RouteStage, unknown> {
  const step = one instanceof ContextMiddleware ? addingStep(one) : plainStep(one);
  sharePlace(step, one);
  return Object.defineProperty(step, 'name', { value: nameOf(one) });
}

function addingStep({ run }: ContextMiddleware): Step<RouteStage, unknown> {
  return (stage, next) =>
    run(stage.call(), (added) => {
      if (added !== undefined) stage.add(added);
      return next() as Promise<never>;
    });
}

/** Its value becomes a response at once, as in the chain of an App: what is around it changes responses. */
function plainStep(middleware: Middleware): Step<RouteStage, unknown> {
  const checked = (ctx: Context, value: unknown): FwResponse | undefined =>
    value === undefined
      ? undefined
      : (requestRules.accept(ctx, value) ??
        requestRules.convert(
          ctx,
          value,
          middleware.name === '' ? 'middleware (anonymous)' : `middleware '${middleware.name}'`,
        ));
  return ({ ctx }, next) => {
    const value = middleware(ctx, next as Next);
    return isPromise(value) ? Promise.resolve(value).then((late) => checked(ctx, late)) : checked(ctx, value);
  };
}
