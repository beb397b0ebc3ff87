// RPC: middleware around procedures, of a registry or of one procedure.

import type { Context } from '../../context/context.js';
import type { ChainRules } from '../../dispatch/chain.js';
import { sharePlace } from '../../dispatch/recorded.js';
import { ContextMiddleware, inOrder } from '../../extract/context-middleware.js';
import type { ProcedureKind } from '../../wire/wire-type.js';
import type { RpcCall } from './call.js';

/** One call of a procedure, as middleware sees it. */
export class RpcMiddlewareCall {
  readonly name: string;
  readonly kind: ProcedureKind;
  /** As it was sent: it is validated after the middleware, so that a guard can refuse the call first. */
  readonly input: unknown;
  readonly #call: RpcCall;
  #added: object | undefined;

  /** @internal */
  constructor(name: string, kind: ProcedureKind, input: unknown, call: RpcCall) {
    this.name = name;
    this.kind = kind;
    this.input = input;
    this.#call = call;
  }

  /** @throws Error if the call was made in process, without a context */
  get ctx(): Context {
    return this.#call.ctx;
  }

  /** Aborts when the client does not wait for the response any more. */
  get signal(): AbortSignal {
    return this.#call.signal;
  }

  /** @internal */
  add(added: object): void {
    this.#added = { ...this.#added, ...added };
  }

  /** The call with what middleware has added so far. @internal */
  extended(): RpcCall {
    return this.#added === undefined ? this.#call : this.#call.with({ added: this.#added });
  }
}

/** What `use` of a registry or a procedure takes. */
export type AnyRpcMiddleware = RpcMiddleware | ContextMiddleware;

/**
 * Runs around a procedure: call `next` to get its result, throw to refuse the call. The returned value becomes the
 * result; `undefined` keeps that of `next`.
 */
export type RpcMiddleware = (call: RpcMiddlewareCall, next: () => Promise<unknown>) => unknown;

/** How the chain of a call treats the return values of its steps: everything except `undefined` is the result. */
export const callRules: ChainRules<RpcMiddlewareCall, unknown> = {
  noun: 'rpc middleware',
  finish: (_, value) => value,
  accept: (_, value) => value,
  convert: (_, value) => value,
  keep: (_, result) => result,
  deadline: () => undefined,
};

/** The middleware of a procedure in the order in which it runs. */
export function rpcSteps(use: readonly AnyRpcMiddleware[]): readonly RpcMiddleware[] {
  return inOrder<RpcMiddleware>(use).map((one) => (one instanceof ContextMiddleware ? adding(one) : one));
}

function adding(middleware: ContextMiddleware): RpcMiddleware {
  const step: RpcMiddleware = (call, next) =>
    middleware.run(call.extended(), (added) => {
      if (added !== undefined) call.add(added);
      return next() as Promise<never>;
    });
  sharePlace(step, middleware);
  return Object.defineProperty(step, 'name', { value: middleware.run.name });
}
