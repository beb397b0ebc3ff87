// RPC: what a procedure gets beside its input.
import type { Context } from '../context.js';
import type { JsonRpcError } from './rpc-error.js';

/** The request that a call came with; shared by the calls of a batch. */
export class RpcCall {
  readonly #ctx: Context | undefined;
  #signal: AbortSignal | undefined;

  /** Set where no call of this request may run: every one is answered with this error. @internal */
  refusal: JsonRpcError | undefined = undefined;

  /** @internal */
  constructor(ctx: Context | undefined, signal: AbortSignal | undefined) {
    this.#ctx = ctx;
    this.#signal = signal;
  }

  /**
   * The context of the HTTP request; cookies and header fields queued on it reach the answer.
   *
   * @throws Error when the call was made in process, without one.
   */
  get ctx(): Context {
    if (this.#ctx === undefined) {
      throw new Error(
        'the procedure asks for ctx, but was called without one: pass it as call(name, params, { ctx })',
      );
    }
    return this.#ctx;
  }

  /** Aborts when nobody waits for the answer any more: as `ctx.signal`, or as the one that was passed. */
  get signal(): AbortSignal {
    // Made only where a procedure asks: watching a connection costs.
    this.#signal ??= this.#ctx === undefined ? new AbortController().signal : this.#ctx.signal;
    return this.#signal;
  }

  /** @internal */
  get maybeCtx(): Context | undefined {
    return this.#ctx;
  }
}
