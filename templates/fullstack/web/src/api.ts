// The server, as the page sees it: the generated client, and its options for TanStack Query.
import { FwRpcClient, type FwRpcFetch, type FwRpcRequest } from './client.ts';
import { queriesOf } from './client-queries.ts';

/** The token against cross-site requests. The server sets the cookie; other sites cannot read it. */
function csrfToken(): string {
  return document.cookie.match(/(?:^|; )(?:__Host-)?csrf=([^;]+)/)?.[1] ?? '';
}

function send(url: string, init: FwRpcRequest): Promise<Response> {
  return fetch(url, { ...init, headers: { ...init.headers, 'X-CSRF-Token': csrfToken() } });
}

/** How often a call is sent at most. */
const ATTEMPTS = 3;

const fetchWithToken: FwRpcFetch = async (url, init) => {
  let response = await send(url, init);
  // The token belongs to the session, which may have begun or ended meanwhile, also in another window. The refusal has
  // brought a new one.
  for (let attempt = 1; response.status === 403 && attempt < ATTEMPTS; attempt += 1) {
    response = await send(url, init);
  }
  return response;
};

export const client = new FwRpcClient('/rpc', {
  fetch: fetchWithToken,
  timeoutMs: 15_000,
  // Network tabs and proxies show what is called.
  callsInUrl: true,
});

export const api = queriesOf(client);
