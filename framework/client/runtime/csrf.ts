// The client: sends the token of the middleware csrf, and repeats a request that was refused because of it.
import type { FwRpcFetchOf, FwRpcRequestOptions, FwRpcTextResponse } from './requests.js';
import { platform } from './signals.js';

/** Where the token against cross-site requests is, and how it is sent. */
export interface FwRpcCsrf {
  /** The cookie with the token; `__Host-csrf` or `csrf` by default. */
  cookieName?: string | undefined;
  /** The header field that it is sent in; `X-CSRF-Token` by default. */
  headerName?: string | undefined;
  /** Returns the token, where there is no `document.cookie`. It is sent to every URL. */
  token?: (() => string | undefined) | undefined;
}

/** How often a request is sent at most: its token may be renewed again meanwhile, as by another window. */
const CSRF_ATTEMPTS = 3;

/**
 * The `fetch` of the options, with the token. The server refuses a request without a valid one before it does anything,
 * says so in the header field, and sends a new token: that refusal alone is repeated.
 */
export function fetchOf<Body, Response extends FwRpcTextResponse>({
  fetch = platform.fetch.bind(globalThis),
  csrf = false,
}: FwRpcRequestOptions<Body, Response>): FwRpcFetchOf<Body, Response> {
  if (csrf === false) return fetch;
  const { headerName = 'X-CSRF-Token', cookieName, token: own } = csrf === true ? {} : csrf;
  const tokenFor = (url: string): string | undefined =>
    own === undefined ? cookieToken(url, cookieName) : own();
  return async (url, init) => {
    for (let attempt = 1; ; attempt += 1) {
      const token = tokenFor(url);
      const headers = token === undefined ? init.headers : { ...init.headers, [headerName]: token };
      const response = await fetch(url, { ...init, headers });
      const isRefused = response.status === 403 && response.headers?.get(headerName) === 'required';
      if (!isRefused || attempt === CSRF_ATTEMPTS || tokenFor(url) === token) return response;
      // Frees the connection.
      await response.text();
    }
  };
}

/** The parts of a page that the client uses. */
interface FwRpcPage {
  readonly document?: { readonly cookie?: string };
  readonly location?: { readonly href: string; readonly origin: string };
  readonly URL: new (url: string, base: string) => { readonly origin: string };
}

/** Pages have the cookie of their own origin, and no other server may get it. */
function cookieToken(url: string, name?: string): string | undefined {
  const { document, location, URL } = globalThis as unknown as FwRpcPage;
  if (location !== undefined && new URL(url, location.href).origin !== location.origin) return undefined;
  const names = name === undefined ? ['__Host-csrf', 'csrf'] : [name];
  const pairs = (document?.cookie ?? '').split('; ').map((pair) => pair.split('='));
  const found = names.map((one) => pairs.find(([key]) => key === one));
  return found
    .find((pair) => pair !== undefined)
    ?.slice(1)
    .join('=');
}
