// RPC: what a procedure gets in addition to its input.
import type { Context } from '../context/context.js';
import type { JsonRpcError } from './rpc-error.js';

/** The request of a call; the calls of a batch share one. */
export class RpcCall {
  readonly #ctx: Context | undefined;
  #signal: AbortSignal | undefined;

  /** Set if no call of this request may run: every call is answered with this error. @internal */
  refusal: JsonRpcError | undefined = undefined;

  /** @internal */
  constructor(ctx: Context | undefined, signal: AbortSignal | undefined) {
    this.#ctx = ctx;
    this.#signal = signal;
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
    this.#signal ??= this.#ctx === undefined ? new AbortController().signal : this.#ctx.signal;
    return this.#signal;
  }

  /** @internal */
  get maybeCtx(): Context | undefined {
    return this.#ctx;
  }
}
