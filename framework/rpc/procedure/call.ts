// RPC: what a procedure gets in addition to its input.
import type { Context } from '../../context/context.js';
import { extended } from '../../extract/context-middleware.js';
import { shared } from '../../http/shared-signal.js';
import type { ErrorDeclarations, NoErrors, RpcErrors } from '../protocol/error-declarations.js';
import type { JsonRpcError } from '../protocol/rpc-error.js';

const NONE: RpcErrors<NoErrors> = Object.freeze(Object.create(null));

/** The request of a call; the calls of a batch share one. */
export class RpcCall<Errors extends ErrorDeclarations = NoErrors> {
  /** Makes the errors that the procedure declares by its option `errors`; empty without that option. */
  readonly errors: RpcErrors<Errors>;
  readonly #ctx: Context | undefined;
  #signal: AbortSignal | undefined;
  /** What middleware added. */
  #added: object | undefined;

  /** Set if no call of this request may run: every call is answered with this error. @internal */
  refusal: JsonRpcError | undefined = undefined;

  /** @internal */
  constructor(ctx: Context | undefined, signal: AbortSignal | undefined, errors: RpcErrors<NoErrors> = NONE) {
    this.#ctx = ctx;
    this.#signal = signal;
    this.errors = errors as RpcErrors<Errors>;
  }

  /**
   * The same call for one procedure, with the errors that it declares and what its middleware adds: the calls of a
   * batch share one.
   *
   * @internal
   */
  with(extra: { errors?: RpcErrors<NoErrors>; added?: object }): RpcCall {
    const call = this.copy(extra.errors ?? this.errors);
    call.#added = { ...this.#added, ...extra.added };
    return extended(call, call.#added);
  }

  /** @internal */
  protected copy(errors: RpcErrors<NoErrors>): RpcCall {
    return new RpcCall(this.#ctx, this.#signal, errors);
  }

  /**
   * The context of the HTTP request; cookies and header fields queued on it are added to the response.
   *
   * @throws Error if the call was made in process, without a context
   */
  get ctx(): Context {
    if (this.#ctx === undefined) {
      throw new Error(
        'the procedure asks for ctx, but was called without one: pass it as call(name, params, { ctx })',
      );
    }
    return this.#ctx;
  }

  /** Aborts when the client does not wait for the response any more: `ctx.signal`, or the signal that was passed. */
  get signal(): AbortSignal {
    // Made only if a procedure uses it, because watching a connection has a cost.
    this.#signal ??= this.#ctx === undefined ? shared(new AbortController().signal) : this.#ctx.signal;
    return this.#signal;
  }

  /** @internal */
  get maybeCtx(): Context | undefined {
    return this.#ctx;
  }
}

/** Options of a call in process. */
export interface RpcCallOptions {
  /** The context of the request, for procedures and middleware. */
  readonly ctx?: Context;
  /** Used instead of `ctx.signal`. */
  readonly signal?: AbortSignal;
  /** For a subscription: the id of the event after which it continues. */
  readonly lastEventId?: string;
}
