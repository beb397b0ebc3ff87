// The server, as the page sees it: the generated client, and its options for TanStack Query.
import { FwRpcClient } from './client.ts';
import { queriesOf } from './client-queries.ts';

export const client = new FwRpcClient('/rpc', {
  // The token against cross-site requests. The server sets the cookie; other sites cannot read it.
  csrf: true,
  timeoutMs: 15_000,
  // Network tabs and proxies show what is called.
  callsInUrl: true,
});

export const api = queriesOf(client);
