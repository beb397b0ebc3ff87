// RPC: the options of a registry's methods.

import type { Context } from '../context/context.js';
import { flag, type Rules, text } from '../options/rules.js';

/** Options of a call in process. */
export interface RpcCallOptions {
  /** The context of the request, for procedures and middleware. */
  readonly ctx?: Context;
  /** Used instead of `ctx.signal`. */
  readonly signal?: AbortSignal;
  /** For a subscription: the id of the event after which it continues. */
  readonly lastEventId?: string;
}

export interface GenerateClientOptions {
  /** The default URL of the client's constructor; `/rpc` if not given, in REST mode `/api`. */
  baseUrl?: string;
}

export interface GenerateClientFileOptions extends GenerateClientOptions {
  /** Also writes a `.d.ts` next to the client, for a client that is compiled to JavaScript. */
  declarations?: boolean;
  /** Also writes the options of TanStack Query for each method, next to the client: `client-queries.ts`. */
  queryOptions?: boolean;
}

/** @internal */
export const CLIENT_RULES: Rules<GenerateClientOptions> = { baseUrl: text };

/** @internal */
export const CLIENT_FILE_RULES: Rules<GenerateClientFileOptions> = {
  ...CLIENT_RULES,
  declarations: flag,
  queryOptions: flag,
};
