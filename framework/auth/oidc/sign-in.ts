// OIDC: sign-in of browsers with a provider, by an authorization code with PKCE, state and nonce, into a session.
import type { Configuration } from 'openid-client';
import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import type { Middleware } from '../../context/handlers.js';
import type { Cookie } from '../../http/cookie.js';
import { asFwError, FwError } from '../../http/errors.js';
import { localPath } from '../../http/request-target.js';
import type { FwResponse } from '../../http/response.js';
import { kindOf, shown } from '../../options/shown.js';
import { markSecrets, noteSecret } from '../../tracing/secrets.js';
import { type PendingSignIn, PendingSignIns } from './pending-sign-in.js';
import {
  type CheckedSignIn,
  checkedSignIn,
  type OidcSignInOptions,
  type SignedIn,
  type SignedInUser,
} from './sign-in-options.js';

/** The handlers of three routes. */
export interface OidcSignIn {
  /** `GET`: sends the browser to the provider; `?return_to=/path` is where it ends up. */
  readonly signIn: (ctx: Context) => Promise<FwResponse>;
  /** `GET`: takes the browser back from the provider, and signs the session in. */
  readonly callback: (ctx: Context) => Promise<FwResponse>;
  /** `POST`: ends the session here, and sends the browser to the provider to end its own there. */
  readonly signOut: (ctx: Context) => Promise<FwResponse>;
  /**
   * Middleware that sends people to sign in, and back, where a guard would answer the navigation of a browser with 401. A
   * call of a script or a program gets its 401. Use it before the guard.
   *
   * ```ts no-run
   * app.use(session(store)).use(oidc.redirectToSignIn('/auth/sign-in')).requireAuth({ except: [...] });
   * ```
   *
   * @param path the route of `signIn`
   * @throws ConfigError if it is not a path
   */
  readonly redirectToSignIn: (path: string) => Middleware;
}

/**
 * Makes the handlers of a sign-in with a provider (OpenID Connect Core 1.0, section 3.1; RFC 7636; RFC 9207), by the
 * package `openid-client`. They need the middleware `session`.
 *
 * ```ts no-run
 * const oidc = await oidcSignIn({ issuer, clientId, clientSecret, redirectUri: 'https://shop.example/auth/callback' });
 * app.use(session(store)).requireAuth({ except: ['/auth/sign-in', '/auth/callback'] })
 *   .get('/auth/sign-in', oidc.signIn).get('/auth/callback', oidc.callback).post('/auth/sign-out', oidc.signOut);
 * ```
 *
 * @throws ConfigError if `openid-client` is not installed, or an option is not of its kind
 */
export async function oidcSignIn(options: OidcSignInOptions): Promise<OidcSignIn> {
  const checked = checkedSignIn(options);
  const path = checked.redirect.pathname;
  markSecrets({ in: 'query', name: 'code', path }, { in: 'query', name: 'state', path });
  const flow = new SignInFlow(await loadClient(() => import('openid-client')), checked);
  return {
    signIn: (ctx) => flow.start(ctx),
    callback: (ctx) => flow.finish(ctx),
    signOut: (ctx) => flow.signOut(ctx),
    redirectToSignIn: (path) => redirectToSignIn(path, checked.redirect.pathname),
  };
}

class SignInFlow {
  readonly #client: typeof import('openid-client');
  readonly #options: CheckedSignIn;
  readonly #pending: PendingSignIns;
  #configuration: Promise<Configuration> | undefined;

  constructor(client: typeof import('openid-client'), options: CheckedSignIn) {
    this.#client = client;
    this.#options = options;
    this.#pending = new PendingSignIns(options.issuer, options.redirect);
  }

  async start(ctx: Context): Promise<FwResponse> {
    const client = this.#client;
    const config = await this.#discovered();
    const verifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    for (const one of [state, nonce, verifier]) noteSecret(one);
    const { defaultReturnTo } = this.#options;
    const returnTo = localPath(ctx.req.query('return_to')) ?? defaultReturnTo;
    const begun = { state, nonce, verifier, returnTo };
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: this.#options.redirect.href,
      scope: this.#options.scope,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isForeign(ctx) && { prompt: 'login' }),
    });
    const cookies = this.#pending.begin(ctx.req.header('cookie'), begun, defaultReturnTo);
    return this.#redirect(ctx, url.href, cookies);
  }

  async finish(ctx: Context): Promise<FwResponse> {
    // A proxy may have changed the path.
    for (const name of ['code', 'state']) noteSecret(ctx.req.query(name) ?? '');
    const started = this.#pending.find(ctx.req.header('cookie'), ctx.req.query('state'));
    if (started === undefined) {
      throw FwError.badRequest('this sign-in was not started in this browser, or took too long; start again');
    }
    const signedIn = await this.#redeem(started, ctx.req.uri.search);
    const { onSignIn } = this.#options;
    const user = onSignIn === undefined ? { userId: signedIn.claims.sub } : await onSignIn(signedIn, ctx);
    const { userId, ...options } = checkedUser(user);
    ctx.session().signIn(userId, options);
    return this.#redirect(ctx, started.returnTo, [this.#pending.end(started)]);
  }

  async signOut(ctx: Context): Promise<FwResponse> {
    const { postLogoutRedirectUri } = this.#options;
    ctx.session().clear();
    // A provider that is away must not keep somebody from signing out here.
    const config = await this.#discovered().catch(() => undefined);
    if (config?.serverMetadata().end_session_endpoint === undefined) {
      return ctx.redirect(postLogoutRedirectUri ?? this.#options.defaultReturnTo, 303);
    }
    const more =
      postLogoutRedirectUri === undefined ? {} : { post_logout_redirect_uri: postLogoutRedirectUri };
    return ctx.redirect(this.#client.buildEndSessionUrl(config, more).href, 303);
  }

  async #redeem(started: PendingSignIn, search: string): Promise<SignedIn> {
    const config = await this.#discovered();
    const url = new URL(this.#options.redirect);
    url.search = search;
    try {
      const tokens = await this.#client.authorizationCodeGrant(config, url, {
        pkceCodeVerifier: started.verifier,
        expectedState: started.state,
        expectedNonce: started.nonce,
      });
      for (const one of [tokens.access_token, tokens.id_token, tokens.refresh_token]) noteSecret(one ?? '');
      const claims = tokens.claims();
      if (claims === undefined || tokens.id_token === undefined) throw new Error('there is no ID token');
      if (claims.sub === '') throw new Error('the ID token names nobody');
      return {
        claims: claims as SignedIn['claims'],
        accessToken: tokens.access_token,
        idToken: tokens.id_token,
        refreshToken: tokens.refresh_token,
      };
    } catch (error) {
      throw refusal(error);
    }
  }

  /** The metadata of the provider, fetched once; again by the next request if that failed. */
  #discovered(): Promise<Configuration> {
    const { provider, clientId, clientSecret, timeoutMs } = this.#options;
    const client = this.#client;
    const method = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret);
    this.#configuration ??= client
      .discovery(provider, clientId, undefined, method, {
        // Whole seconds: others are not always whole in milliseconds, and then no request could be made.
        timeout: Math.min(Math.ceil(timeoutMs / 1000), LONGEST_TIMEOUT),
        [client.customFetch]: (url, init) =>
          fetch(url, { ...(init as RequestInit), signal: AbortSignal.timeout(timeoutMs) }),
        ...(provider.protocol === 'http:' && { execute: [client.allowInsecureRequests] }),
      })
      .catch((cause: unknown) => {
        this.#configuration = undefined;
        throw unavailable(cause);
      });
    return this.#configuration;
  }

  #redirect(ctx: Context, location: string, cookies: readonly Cookie[]): FwResponse {
    for (const cookie of cookies) ctx.setCookie(cookie);
    return ctx.header('Cache-Control', 'no-store').redirect(location, 303);
  }
}

/**
 * Whether a page of another site began the sign-in, and no click: the provider must ask the person then, who would be
 * signed in unnoticed (OpenID Connect Core 1.0, section 3.1.2.1; OWASP ASVS 5.0.0, 7.6.2).
 */
function isForeign(ctx: Context): boolean {
  return ctx.req.header('sec-fetch-site') === 'cross-site' && ctx.req.header('sec-fetch-user') !== '?1';
}

/** @throws Error that says what to return, or to throw, if it is not one. */
function checkedUser(user: SignedInUser): SignedInUser {
  if (typeof user === 'object' && user !== null) return user;
  throw new Error(
    `onSignIn of oidcSignIn returned ${kindOf(user)}; return { userId }, or throw FwError.forbidden(…) to refuse`,
  );
}

/** Of a timer, in seconds. */
const LONGEST_TIMEOUT = 2_147_483;

/** @throws ConfigError that says what to install, if the package is missing. */
export async function loadClient<Client>(load: () => Promise<Client>): Promise<Client> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new ConfigError(
      'FW_PACKAGE_MISSING',
      'oidcSignIn() needs a package that is not installed; run: npm install openid-client',
      { cause },
    );
  }
}

/**
 * @param path the route that begins a sign-in
 * @param callback the route that ends one, whose own refusals are for the person to see
 * @throws ConfigError if it is not a path
 */
function redirectToSignIn(path: string, callback: string): Middleware {
  if (localPath(path) === undefined || /[?#]/.test(path)) {
    throw new ConfigError(
      'FW_OPTION_FORM',
      `redirectToSignIn() takes the path of the sign-in, such as '/auth/sign-in'; got ${shown(path)}`,
    );
  }
  return async function redirectToSignIn(ctx, next) {
    try {
      return await next();
    } catch (error) {
      const isOwn = ctx.req.path === path || ctx.req.path === callback;
      const isRefused = asFwError(error)?.status === 401 && ctx.principal() === undefined;
      if (!isRefused || isOwn || !isNavigation(ctx)) throw error;
      const target = localPath(ctx.req.target);
      const query = target === undefined ? '' : `?return_to=${encodeURIComponent(target)}`;
      const response = ctx.redirect(path + query, 303);
      response.headers.set('Cache-Control', 'no-store');
      return response;
    }
  };
}

/** A person opens a page: says the browser (Fetch Metadata), or, of an old one, that it prefers HTML. */
function isNavigation({ req }: Context): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  const mode = req.header('sec-fetch-mode');
  if (mode !== undefined) return mode === 'navigate';
  return /(?:^|,)[ \t]*text\/html[ \t]*(?:[;,]|$)/i.test(req.header('accept') ?? '');
}

/** 503 while the provider is away. */
function unavailable(cause: unknown): FwError {
  return FwError.serviceUnavailable('the identity provider cannot be reached now; try again later', {
    cause,
    headers: { 'Retry-After': '5' },
  });
}

/**
 * What the callback is answered instead. The browser gets the code of an error of the provider at most, and only if
 * it is a plain one (RFC 6749, section 4.1.2.1): anybody can write an address with an error in it.
 */
function refusal(error: unknown): Error {
  const causes = chain(error);
  if (causes.some(isAway)) return unavailable(error);
  const { code, error: said } = error as { code?: unknown; error?: unknown };
  const plain = typeof said === 'string' && /^[a-z_]{1,64}$/.test(said) ? said : undefined;
  if (isRefusedClient(code, plain)) {
    return new Error(
      'the identity provider does not accept this client; check clientId, clientSecret and how the provider has registered them',
      { cause: error },
    );
  }
  const shown = plain === undefined ? '' : `: ${plain}`;
  return FwError.unauthorized(`the identity provider did not sign you in${shown}`, { cause: error });
}

/**
 * The provider refused this server, and not the browser (RFC 6749, section 5.2). In the query of the callback, the
 * same codes are but words of the browser.
 */
function isRefusedClient(code: unknown, said: string | undefined): boolean {
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return true;
  return (
    code === 'OAUTH_RESPONSE_BODY_ERROR' && (said === 'invalid_client' || said === 'unauthorized_client')
  );
}

/** No answer, one that broke off, or one that says that it is not able to. */
function isAway(error: unknown): boolean {
  const { name, code, status } = error as { name?: unknown; code?: unknown; status?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'OAUTH_TIMEOUT') return true;
  // An error with a body, or a response that is the cause, has a status.
  if (typeof status === 'number') return status >= 500 || status === 429;
  // That of fetch has no code; those of the package have.
  return error instanceof TypeError && code === undefined;
}

/** The error and its causes, the outermost first. */
function chain(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let at = error; at instanceof Object && all.length < 8; at = (at as { cause?: unknown }).cause)
    all.push(at);
  return all;
}
