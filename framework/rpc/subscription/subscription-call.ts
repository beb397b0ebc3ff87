// RPC: what a subscription gets in addition to its input.
import type { Context } from '../../context/context.js';
import { RpcCall } from '../procedure/call.js';
import type { ErrorDeclarations, NoErrors, RpcErrors } from '../protocol/error-declarations.js';

/**
 * The request of a subscription. Its `signal` aborts when the client leaves, also while the handler waits for an event
 * that never comes.
 */
export class SubscriptionCall<Errors extends ErrorDeclarations = NoErrors> extends RpcCall<Errors> {
  /**
   * The id of the last event that the client received before it lost its connection; undefined at its first one. It
   * comes from the client: it may be anything.
   */
  readonly lastEventId: string | undefined;

  /** @internal */
  constructor(
    ctx: Context | undefined,
    signal: AbortSignal,
    lastEventId: string | undefined,
    errors?: RpcErrors<NoErrors>,
  ) {
    super(ctx, signal, errors);
    this.lastEventId = lastEventId;
  }

  /** @internal */
  protected override copy(errors: RpcErrors<NoErrors>): SubscriptionCall {
    return new SubscriptionCall(this.maybeCtx, this.signal, this.lastEventId, errors);
  }
}
