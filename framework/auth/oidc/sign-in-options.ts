// OIDC: the options of a sign-in with a provider.

import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import type { JwtClaims } from '../../context/principal.js';
import type { SignInOptions } from '../../context/session.js';
import { localPath } from '../../http/request-target.js';
import { checkOptions } from '../../options/check.js';
import {
  callback,
  filled,
  milliseconds,
  type Rule,
  type Rules,
  renamedTo,
  required,
  secret,
  text,
} from '../../options/rules.js';
import { shown } from '../../options/shown.js';
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
export interface SignedInUser extends SignInOptions {
  readonly userId: string;
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
  readonly onSignIn?: (signedIn: SignedIn, ctx: Context) => SignedInUser | Promise<SignedInUser>;
  /** The path after a sign-in that names none; `/` by default. */
  readonly defaultReturnTo?: string;
  /** @deprecated Use `defaultReturnTo`. */
  readonly afterSignIn?: string;
  /** The whole address that the provider sends the browser to after a sign-out, as it is registered there. */
  readonly postLogoutRedirectUri?: string;
  /** @deprecated Use `postLogoutRedirectUri`. */
  readonly afterSignOut?: string;
  /** How long one request to the provider may take, in milliseconds; 5,000 by default. */
  readonly timeoutMs?: number;
}

/** Options that were checked. */
export interface CheckedSignIn extends OidcSignInOptions {
  readonly provider: URL;
  readonly redirect: URL;
  readonly scope: string;
  readonly defaultReturnTo: string;
  readonly timeoutMs: number;
}

/** A path of this server. */
const path: Rule = {
  takes: "a path of this server, such as '/orders'",
  fault(value) {
    const fault = filled.fault(value);
    if (fault !== undefined) return fault;
    return localPath(value as string) === undefined ? { code: 'FW_OPTION_FORM' } : undefined;
  },
};

const RULES: Rules<OidcSignInOptions> = {
  issuer: required(text),
  clientId: required({ ...filled, takes: 'the id that the provider has registered' }),
  // The value is not shown: it may be a secret of another kind.
  clientSecret: secret({ ...filled, takes: 'a text that is not empty; a public client has none' }),
  redirectUri: required(text),
  scope: text,
  onSignIn: callback('a function (signedIn, ctx) => user'),
  defaultReturnTo: path,
  afterSignIn: renamedTo('defaultReturnTo'),
  postLogoutRedirectUri: text,
  afterSignOut: renamedTo('postLogoutRedirectUri'),
  timeoutMs: milliseconds(1),
};

/** @throws ConfigError if one is unknown, missing or not of its kind */
export function checkedSignIn(options: OidcSignInOptions): CheckedSignIn {
  const given = checkOptions('oidcSignIn', options, RULES);
  const { postLogoutRedirectUri, scope = 'openid', defaultReturnTo = '/', timeoutMs = 5_000 } = given;
  const provider = providerUrl('oidcSignIn({ issuer })', given.issuer);
  const redirect = providerUrl('oidcSignIn({ redirectUri })', given.redirectUri);
  // The provider adds its own query, and the whole address is compared (RFC 6749, section 3.1.2; RFC 9700, section 2.1).
  if (redirect.search !== '' || redirect.hash !== '') {
    throw new ConfigError(
      'FW_OIDC_REDIRECT_URI',
      `oidcSignIn: redirectUri is ${shown(redirect.href)}; give it without a query and a fragment`,
    );
  }
  if (postLogoutRedirectUri !== undefined) {
    providerUrl('oidcSignIn({ postLogoutRedirectUri })', postLogoutRedirectUri);
  }
  if (!scope.split(' ').includes('openid')) {
    throw new ConfigError(
      'FW_OIDC_SCOPE',
      `oidcSignIn: scope is ${shown(scope)}, which lacks 'openid', without which there is no ID token; give one such as 'openid email'`,
    );
  }
  return { ...given, provider, redirect, scope, defaultReturnTo, timeoutMs };
}
