// OIDC: sign-in of browsers with a provider, by an authorization code with PKCE, state and nonce, into a session.
import type { Configuration } from 'openid-client';
import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import type { JwtClaims } from '../../context/principal.js';
import { Cookie, SameSite } from '../../http/cookie.js';
import { FwError } from '../../http/errors.js';
import type { FwResponse } from '../../http/response.js';
import { localPath, type PendingSignIn, readPending, writtenPending } from './pending-sign-in.js';
import { providerUrl } from './provider-documents.js';

/** What a provider gave for a sign-in. */
export interface SignedIn {
  /** The verified claims of the ID token. */
  readonly claims: JwtClaims & { readonly sub: string };
  readonly accessToken: string;
  readonly idToken: string;
  readonly refreshToken: string | undefined;
}

/** Whom a session is for, as `ctx.session().signIn` takes it. */
export interface SessionUserOf {
  readonly userId: string;
  readonly scopes?: readonly string[];
}

/** Options of `oidcSignIn`. */
export interface OidcSignInOptions {
  /** The issuer, such as `https://login.example.com`; its metadata are found by discovery. */
  readonly issuer: string;
  readonly clientId: string;
  /** The secret of a confidential client; without one, the client is public, and PKCE alone protects the code. */
  readonly clientSecret?: string | undefined;
  /** The whole address of the route of `callback`, as it is registered with the provider. */
  readonly redirectUri: string;
  /** `openid` by default; such as `openid email`. */
  readonly scope?: string;
  /** Tells whose session it becomes: by default `sub`, without scopes. Throw an `FwError` to refuse. */
  readonly onSignIn?: (signedIn: SignedIn, ctx: Context) => SessionUserOf | Promise<SessionUserOf>;
  /** The path after a sign-in that names none; `/` by default. */
  readonly afterSignIn?: string;
  /** The whole address that the provider sends the browser to after a sign-out, as it is registered there. */
  readonly afterSignOut?: string;
  /** How long one request to the provider may take, in milliseconds; 5,000 by default. */
  readonly timeoutMs?: number;
}

/** The handlers of three routes. */
export interface OidcSignIn {
  /** `GET`: sends the browser to the provider; `?return_to=/path` is where it ends up. */
  readonly signIn: (ctx: Context) => Promise<FwResponse>;
  /** `GET`: takes the browser back from the provider, and signs the session in. */
  readonly callback: (ctx: Context) => Promise<FwResponse>;
  /** `POST`: ends the session here, and sends the browser to the provider to end its own there. */
  readonly signOut: (ctx: Context) => Promise<FwResponse>;
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
  const checked = check(options);
  const flow = new SignInFlow(await load(), checked);
  return {
    signIn: (ctx) => flow.start(ctx),
    callback: (ctx) => flow.finish(ctx),
    signOut: (ctx) => flow.signOut(ctx),
  };
}

interface Checked extends OidcSignInOptions {
  readonly provider: URL;
  readonly redirect: URL;
}

function check(options: OidcSignInOptions): Checked {
  const { clientId, scope = 'openid', afterSignOut } = options;
  const provider = providerUrl('oidcSignIn({ issuer })', options.issuer);
  const redirect = providerUrl('oidcSignIn({ redirectUri })', options.redirectUri);
  if (afterSignOut !== undefined) providerUrl('oidcSignIn({ afterSignOut })', afterSignOut);
  if (typeof clientId !== 'string' || clientId === '') {
    throw new ConfigError(
      'FW_OPTION',
      `oidcSignIn() takes a clientId, as the provider has registered it; got ${String(clientId)}`,
    );
  }
  if (!scope.split(' ').includes('openid')) {
    throw new ConfigError(
      'FW_OPTION',
      `oidcSignIn: the scope '${scope}' lacks 'openid', without which there is no ID token`,
    );
  }
  return { ...options, provider, redirect };
}

class SignInFlow {
  readonly #client: typeof import('openid-client');
  readonly #options: Checked;
  readonly #isSecure: boolean;
  #configuration: Promise<Configuration> | undefined;

  constructor(client: typeof import('openid-client'), options: Checked) {
    this.#client = client;
    this.#options = options;
    this.#isSecure = options.redirect.protocol === 'https:';
  }

  async start(ctx: Context): Promise<FwResponse> {
    const client = this.#client;
    const config = await this.#discovered();
    const verifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const returnTo = localPath(ctx.req.query('return_to')) ?? this.#home;
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: this.#options.redirect.href,
      scope: this.#options.scope ?? 'openid',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const started = writtenPending({ state, nonce, verifier, returnTo });
    return this.#redirect(ctx, url.href, this.#cookie(started, SECONDS_TO_SIGN_IN));
  }

  async finish(ctx: Context): Promise<FwResponse> {
    const started = readPending(ctx.cookie(this.#cookieName));
    if (started === undefined || ctx.req.query('state') !== started.state) {
      throw FwError.badRequest('this sign-in was not started in this browser, or took too long; start again');
    }
    const signedIn = await this.#redeem(started, ctx.req.uri.search);
    const { onSignIn } = this.#options;
    const user: SessionUserOf =
      onSignIn === undefined ? { userId: signedIn.claims.sub } : await onSignIn(signedIn, ctx);
    ctx.session().signIn(user.userId, user.scopes === undefined ? {} : { scopes: user.scopes });
    return this.#redirect(ctx, started.returnTo, this.#cookie('', 0));
  }

  async signOut(ctx: Context): Promise<FwResponse> {
    const { afterSignOut } = this.#options;
    ctx.session().clear();
    // A provider that is away must not keep somebody from signing out here.
    const config = await this.#discovered().catch(() => undefined);
    if (config?.serverMetadata().end_session_endpoint === undefined) {
      return ctx.redirect(afterSignOut ?? this.#home, 303);
    }
    const more = afterSignOut === undefined ? {} : { post_logout_redirect_uri: afterSignOut };
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
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined || tokens.id_token === undefined) throw new Error('there is no ID token');
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
    const { provider, clientId, clientSecret, timeoutMs = 5_000 } = this.#options;
    const client = this.#client;
    const method = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret);
    this.#configuration ??= client
      .discovery(provider, clientId, undefined, method, {
        timeout: timeoutMs / 1000,
        ...(provider.protocol === 'http:' && { execute: [client.allowInsecureRequests] }),
      })
      .catch((cause: unknown) => {
        this.#configuration = undefined;
        throw unavailable(cause);
      });
    return this.#configuration;
  }

  get #home(): string {
    return this.#options.afterSignIn ?? '/';
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

/** The state of a sign-in is kept for so long in the browser. */
const SECONDS_TO_SIGN_IN = 600;

async function load(): Promise<typeof import('openid-client')> {
  try {
    return await import('openid-client');
  } catch (cause) {
    throw new ConfigError(
      'FW_OPTION',
      `oidcSignIn() needs the package openid-client: npm install openid-client`,
      { cause },
    );
  }
}

function unavailable(cause: unknown): FwError {
  return FwError.serviceUnavailable('the identity provider cannot be reached now; try again later', {
    cause,
    headers: { 'Retry-After': '5' },
  });
}

/** What the provider answered is for the error channel; the browser gets the code of the error at most. */
function refusal(error: unknown): FwError {
  const { code, name, error: said } = error as { code?: string; name?: string; error?: unknown };
  if (
    name === 'TimeoutError' ||
    code === 'OAUTH_TIMEOUT' ||
    (error instanceof TypeError && code === undefined)
  ) {
    return unavailable(error);
  }
  const shown = typeof said === 'string' && /^[a-z_]{1,64}$/.test(said) ? `: ${said}` : '';
  return FwError.unauthorized(`the identity provider did not sign you in${shown}`, { cause: error });
}
