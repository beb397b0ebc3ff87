// RPC: middleware around procedures, of a registry or of one procedure.
import { isPromise } from '../chain.js';
import type { Context } from '../context.js';
import type { RpcCall } from './call.js';

/** One call on its way to the procedure, as middleware sees it. */
export class RpcMiddlewareCall {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  /** As it was sent: it is checked behind the middleware, so that a guard answers first. */
  readonly input: unknown;
  readonly #call: RpcCall;

  /** @internal */
  constructor(name: string, kind: 'query' | 'mutation', input: unknown, call: RpcCall) {
    this.name = name;
    this.kind = kind;
    this.input = input;
    this.#call = call;
  }

  /** @throws Error when the call was made in process, without a context. */
  get ctx(): Context {
    return this.#call.ctx;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}

/**
 * Runs around a procedure: call `next` for its result, throw to refuse the call. Whatever is returned is the
 * result; nothing keeps that of `next`.
 */
export type RpcMiddleware = (call: RpcMiddlewareCall, next: () => Promise<unknown>) => unknown;

/** Runs the steps from `index` on, then `innermost`. May throw where they are synchronous. */
export function runSteps(
  steps: readonly RpcMiddleware[],
  index: number,
  call: RpcMiddlewareCall,
  innermost: () => unknown,
): unknown {
  const step = steps[index];
  if (step === undefined) return innermost();
  let rest: Promise<unknown> | undefined;
  const result = step(call, () => {
    if (rest !== undefined) {
      return Promise.reject(new Error(`rpc middleware ${nameOf(step)} called next() twice; call it once`));
    }
    rest = start(steps, index + 1, call, innermost);
    return rest;
  });
  const settle = (value: unknown): unknown => (value === undefined ? kept(rest, step) : value);
  return isPromise(result) ? result.then(settle) : settle(result);
}

async function startRest(
  steps: readonly RpcMiddleware[],
  index: number,
  call: RpcMiddlewareCall,
  innermost: () => unknown,
): Promise<unknown> {
  return runSteps(steps, index, call, innermost);
}

/** A middleware may fail before it looks at the rest, whose rejection must then not end the process. */
function start(...args: Parameters<typeof startRest>): Promise<unknown> {
  const rest = startRest(...args);
  rest.then(undefined, () => {});
  return rest;
}

function kept(rest: Promise<unknown> | undefined, step: RpcMiddleware): Promise<unknown> {
  if (rest !== undefined) return rest;
  throw new Error(
    `rpc middleware ${nameOf(step)} returned nothing and did not call next(); do one of the two`,
  );
}

function nameOf(step: RpcMiddleware): string {
  return step.name === '' ? '(anonymous)' : `'${step.name}'`;
}
