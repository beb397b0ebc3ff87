// Registration: makes a handler of the context from middleware and a handler that gets what they add.
import type { Context } from '../context/context.js';
import type { RouteHandler } from '../context/handlers.js';
import { type ChainRules, runChain, type Step } from '../dispatch/chain.js';
import { composes, recordedSteps } from '../dispatch/recorded.js';
import { settle } from '../dispatch/to-response.js';
import { isRecorded } from '../tracing/trace-channel.js';
import { type ContextMiddleware, extended, type RequestCall } from './context-middleware.js';

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
  accept: (_, value) => value,
  convert: (_, value) => value,
  keep: (_, result) => result,
  deadline: () => undefined,
};

/** The handler that runs the middleware, which is given in its order, and then `handler` with the call and what they added to it. */
export function withMiddleware(
  use: readonly ContextMiddleware[],
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

function asStep({ run }: ContextMiddleware): Step<RouteStage, unknown> {
  const step: Step<RouteStage, unknown> = (stage, next) =>
    run(stage.call(), (added) => {
      if (added !== undefined) stage.add(added);
      return next() as Promise<never>;
    });
  return Object.defineProperty(step, 'name', { value: run.name });
}
