// OIDC: the options of a sign-in with a provider.
import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import type { JwtClaims } from '../../context/principal.js';
import { localPath } from './pending-sign-in.js';
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

/** Options that were checked. */
export interface CheckedSignIn extends OidcSignInOptions {
  readonly provider: URL;
  readonly redirect: URL;
  readonly scope: string;
  readonly afterSignIn: string;
  readonly timeoutMs: number;
}

const NAMES = [
  'issuer',
  'clientId',
  'clientSecret',
  'redirectUri',
  'scope',
  'onSignIn',
  'afterSignIn',
  'afterSignOut',
  'timeoutMs',
];

/** @throws ConfigError if one is not of its kind */
export function checkedSignIn(options: OidcSignInOptions): CheckedSignIn {
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw wrong(`takes ${NAMES.join(', ')}; got ${unknown}`);
  const { clientId, clientSecret, onSignIn, afterSignOut } = options;
  const { scope = 'openid', afterSignIn = '/', timeoutMs = 5_000 } = options;
  const provider = providerUrl('oidcSignIn({ issuer })', options.issuer);
  const redirect = providerUrl('oidcSignIn({ redirectUri })', options.redirectUri);
  // The provider adds its own query, and the whole address is compared (RFC 6749, section 3.1.2; RFC 9700, section 2.1).
  if (redirect.search !== '' || redirect.hash !== '') {
    throw wrong(`takes a redirectUri without a query and a fragment; got ${JSON.stringify(redirect.href)}`);
  }
  if (afterSignOut !== undefined) providerUrl('oidcSignIn({ afterSignOut })', afterSignOut);
  if (!isFilled(clientId)) {
    throw wrong(`takes a clientId, as the provider has registered it; got ${JSON.stringify(clientId)}`);
  }
  // The value is not shown: it may be a secret of another kind.
  if (clientSecret !== undefined && !isFilled(clientSecret)) {
    throw wrong('takes a clientSecret that is not empty; leave it out for a public client');
  }
  if (typeof scope !== 'string' || !scope.split(' ').includes('openid')) {
    throw wrong(
      `takes a scope such as 'openid email'; ${JSON.stringify(scope)} lacks 'openid', without which there is no ID token`,
    );
  }
  if (localPath(afterSignIn) === undefined) {
    throw wrong(
      `takes a path of this server as afterSignIn, such as '/orders'; got ${JSON.stringify(afterSignIn)}`,
    );
  }
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) {
    throw wrong(`takes a timeoutMs in milliseconds, more than 0; got ${String(timeoutMs)}`);
  }
  if (onSignIn !== undefined && typeof onSignIn !== 'function') {
    throw wrong(`takes a function as onSignIn; got ${JSON.stringify(onSignIn)}`);
  }
  return { ...options, provider, redirect, scope, afterSignIn, timeoutMs };
}

function isFilled(text: unknown): boolean {
  return typeof text === 'string' && text !== '';
}

function wrong(message: string): ConfigError {
  return new ConfigError('FW_OPTION', `oidcSignIn() ${message}`);
}
