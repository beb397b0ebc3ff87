// RPC: what the methods of a registry may be told.
import type { Context } from '../context.js';

/** What a call in process takes along. */
export interface RpcCallOptions {
  /** The request that procedures see. */
  readonly ctx?: Context;
  /** In place of `ctx.signal`. */
  readonly signal?: AbortSignal;
}

export interface GenerateClientOptions {
  /** What the client's constructor takes where it is given none; `/rpc`, in REST mode `/api`, by default. */
  baseUrl?: string;
}

export interface GenerateClientFileOptions extends GenerateClientOptions {
  /** Writes the types alone too, as `.d.ts` beside it, for a client that becomes JavaScript. */
  declarations?: boolean;
}
