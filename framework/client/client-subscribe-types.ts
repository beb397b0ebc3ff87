// The client: the types of subscriptions, in the client and in its declarations.
import type { ClientKind } from './client-kind.js';
import { carrierOption } from './client-socket-subscribe.js';

/** Of the client and its declarations: the options of a subscription. */
export function subscriptionTypes({ hasCarriers }: Pick<ClientKind, 'hasCarriers'>): string {
  return hasCarriers ? types.replace(/}\n$/, `${carrierOption}}\n`) : types;
}

const types = `
/** How a subscription reconnects after it has lost its connection. */
export interface FwRpcReconnect {
  /** How often in a row, before the loop ends with the error; without a limit by default. */
  maxAttempts?: number | undefined;
  /** The wait before the first attempt, in milliseconds; it doubles with each one. 1,000 by default. */
  minDelayMs?: number | undefined;
  /** The longest wait; 30,000 by default. */
  maxDelayMs?: number | undefined;
}

/** \`timeoutMs\` is how long the server may take to open the stream. */
export interface FwRpcSubscriptionOptions extends FwRpcCallOptions {
  /** \`false\` if a lost connection ends the loop with an error. */
  reconnect?: FwRpcReconnect | false | undefined;
  /** Continues after the event with this id. */
  lastEventId?: string | undefined;
  /** Is told when the stream is open, and when its connection is lost, with the reason. */
  onState?: ((state: 'open' | 'lost', reason?: unknown) => void) | undefined;
}
`;
