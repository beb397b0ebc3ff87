// The chain: A → B → C → handler → C → B → A, with results checked on the way back.
import type { Context } from './context.js';
import { FwResponse } from './response.js';
import { isWebResponse, toResponse } from './to-response.js';

/** Runs the rest of the chain, once; resolves to its response and rejects with what was thrown inside. */
export type Next = (ctx?: Context) => Promise<FwResponse>;

/** What a middleware may return: a response in place of the rest's, or nothing to keep the rest's. */
// biome-ignore lint/suspicious/noConfusingVoidType: a middleware without a return statement is typed void.
export type MiddlewareResult = FwResponse | Response | undefined | void;

/**
 * A step around the handler. Call `next()` to run the rest, return a response without calling it to answer
 * right away, throw to answer with an error.
 */
export type Middleware = (ctx: Context, next: Next) => MiddlewareResult | Promise<MiddlewareResult>;

/** The innermost step: the handler, or the error that there is none. */
export type Innermost = (ctx: Context) => unknown;

/** Runs the steps from `index` on. May throw where they are synchronous. */
export function runChain(
  ctx: Context,
  steps: readonly Middleware[],
  index: number,
  innermost: Innermost,
): FwResponse | Promise<FwResponse> {
  const step = steps[index];
  if (step === undefined) return settleHandled(ctx, innermost(ctx));
  let rest: Promise<FwResponse> | undefined;
  const result = step(ctx, () => {
    if (rest !== undefined) return unforced(Promise.reject(calledTwice(step)));
    rest = startRest(ctx, steps, index + 1, innermost);
    return rest;
  });
  if (isPromise(result)) {
    if (result === rest) return rest;
    // Protected only where it may reject: a handler put on every promise would cost a tenth of the chain.
    const settled: Promise<FwResponse> = result.then(
      (value) => {
        if (value instanceof FwResponse) return ctx.settle(value);
        unforced(settled);
        return settleOther(ctx, value, rest, step);
      },
      (error: unknown) => {
        unforced(settled);
        throw error;
      },
    );
    return settled;
  }
  if (result instanceof FwResponse) return ctx.settle(result);
  return settleOther(ctx, result, rest, step);
}

function startRest(
  ctx: Context,
  steps: readonly Middleware[],
  index: number,
  innermost: Innermost,
): Promise<FwResponse> {
  const { deadline } = ctx;
  if (deadline?.error !== undefined) return unforced(Promise.reject(deadline.error));
  try {
    const result = runChain(ctx, steps, index, innermost);
    const rest = result instanceof FwResponse ? Promise.resolve(result) : result;
    return deadline === undefined ? rest : unforced(deadline.guard(rest, index));
  } catch (error) {
    return unforced(Promise.reject(error));
  }
}

/**
 * A middleware may answer without looking at what `next()` gives, or fail before it does: a rejection of the
 * rest must not end the process then, as one that nobody handles would.
 */
function unforced<T>(rest: Promise<T>): Promise<T> {
  rest.then(undefined, ignore);
  return rest;
}

function ignore(): void {}

function settleHandled(ctx: Context, result: unknown): FwResponse | Promise<FwResponse> {
  if (result instanceof FwResponse) return ctx.settle(result);
  if (isPromise(result)) return unforced(result.then((value) => ctx.settle(toResponse(value))));
  return ctx.settle(toResponse(result));
}

/** A result that is no FwResponse: nothing keeps the rest's response, anything else becomes one. */
function settleOther(
  ctx: Context,
  value: unknown,
  rest: Promise<FwResponse> | undefined,
  step: Middleware,
): FwResponse | Promise<FwResponse> {
  if (isWebResponse(value)) return ctx.settle(toResponse(value));
  if (value !== undefined) {
    const kind = value === null ? 'null' : `a ${typeof value}`;
    throw new Error(
      `middleware ${nameOf(step)} returned ${kind}; return a response, or nothing after next()`,
    );
  }
  if (rest !== undefined) return unforced(rest.then((response) => ctx.settle(response)));
  throw new Error(`middleware ${nameOf(step)} returned nothing and did not call next(); do one of the two`);
}

/** True for promises and for thenables of other makers. */
export function isPromise(value: unknown): value is Promise<unknown> {
  if (value instanceof Promise) return true;
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}

function calledTwice(step: Middleware): Error {
  return new Error(
    `middleware ${nameOf(step)} called next() twice; the rest of the chain runs once a request`,
  );
}

function nameOf(step: Middleware): string {
  return step.name === '' ? '(anonymous)' : `'${step.name}'`;
}
