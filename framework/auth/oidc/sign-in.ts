// OIDC: sign-in of browsers with a provider, by an authorization code with PKCE, state and nonce, into a session.
import type { Configuration } from 'openid-client';
import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import type { Middleware } from '../../context/handlers.js';
import { Cookie, onlyCookie, SameSite } from '../../http/cookie.js';
import { asFwError, FwError } from '../../http/errors.js';
import { localPath } from '../../http/request-target.js';
import type { FwResponse } from '../../http/response.js';
import { kindOf, shown } from '../../options/shown.js';
import { markSecrets, noteSecret } from '../../tracing/secrets.js';
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
  readonly #isSecure: boolean;
  #configuration: Promise<Configuration> | undefined;

  constructor(client: typeof import('openid-client'), options: CheckedSignIn) {
    this.#client = client;
    this.#options = options;
    this.#isSecure = options.redirect.protocol === 'https:';
  }

  async start(ctx: Context): Promise<FwResponse> {
    const client = this.#client;
    const config = await this.#discovered();
    const verifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    for (const one of [state, nonce, verifier]) noteSecret(one);
    const returnTo = localPath(ctx.req.query('return_to')) ?? this.#options.defaultReturnTo;
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: this.#options.redirect.href,
      scope: this.#options.scope,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isForeign(ctx) && { prompt: 'login' }),
    });
    const started = writtenPending({ ...this.#expected, state, nonce, verifier, returnTo });
    return this.#redirect(ctx, url.href, this.#cookie(started, SECONDS_TO_SIGN_IN));
  }

  async finish(ctx: Context): Promise<FwResponse> {
    // A proxy may have changed the path.
    for (const name of ['code', 'state']) noteSecret(ctx.req.query(name) ?? '');
    const started = readPending(onlyCookie(ctx.req.header('cookie'), this.#cookieName), this.#expected);
    if (started === undefined || ctx.req.query('state') !== started.state) {
      throw FwError.badRequest('this sign-in was not started in this browser, or took too long; start again');
    }
    const signedIn = await this.#redeem(started, ctx.req.uri.search);
    const { onSignIn } = this.#options;
    const user = onSignIn === undefined ? { userId: signedIn.claims.sub } : await onSignIn(signedIn, ctx);
    const { userId, ...options } = checkedUser(user);
    ctx.session().signIn(userId, options);
    return this.#redirect(ctx, started.returnTo, this.#cookie('', 0));
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

  get #expected(): Pick<PendingSignIn, 'issuer' | 'redirectUri'> {
    return { issuer: this.#options.issuer, redirectUri: this.#options.redirect.href };
  }

  get #cookieName(): string {
    return this.#isSecure ? '__Host-oidc' : 'oidc';
  }

  #cookie(value: string, maxAge: number): Cookie {
    const cookie = new Cookie(this.#cookieName, value).httpOnly(true).sameSite(SameSite.Lax);
    return cookie.secure(this.#isSecure).maxAge(maxAge);
  }

  #redirect(ctx: Context, location: string, cookie: Cookie): FwResponse {
    return ctx.setCookie(cookie).header('Cache-Control', 'no-store').redirect(location, 303);
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

/** The state of a sign-in is kept for so long in the browser. */
const SECONDS_TO_SIGN_IN = 600;

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

/** What binds the answer of the provider to this browser. */
interface PendingSignIn {
  /** The provider that it began at: another one must not end it (RFC 9700, section 4.4.2). */
  readonly issuer: string;
  /** Where that provider sends the browser back to, which is where it must arrive (RFC 9700, section 4.4.2.2). */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** Proves to the provider that the code is redeemed by whom it was made for (RFC 7636). */
  readonly verifier: string;
  /** The path that the browser ends up at. */
  readonly returnTo: string;
}

export function writtenPending(pending: PendingSignIn): string {
  return Buffer.from(JSON.stringify(pending)).toString('base64url');
}

/** Undefined if the cookie is absent, was not written by `writtenPending`, or began at another provider. */
export function readPending(
  cookie: string | undefined,
  expected: Pick<PendingSignIn, 'issuer' | 'redirectUri'>,
): PendingSignIn | undefined {
  if (cookie === undefined || !/^[\w-]{1,3000}$/.test(cookie)) return undefined;
  try {
    const found = JSON.parse(
      Buffer.from(cookie, 'base64url').toString('utf8'),
    ) as Partial<PendingSignIn> | null;
    const { issuer, redirectUri, state, nonce, verifier, returnTo } = found ?? {};
    if (issuer !== expected.issuer || redirectUri !== expected.redirectUri) return undefined;
    const isWhole = [state, nonce, verifier].every((one) => typeof one === 'string' && one.length >= 32);
    const path = localPath(returnTo);
    return isWhole && path !== undefined ? ({ ...found, returnTo: path } as PendingSignIn) : undefined;
  } catch {
    // Not JSON: the sign-in was not begun here.
    return undefined;
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
