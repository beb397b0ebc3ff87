// The public names of `fw/oidc`.
export type { JwtClaims } from '../../context/principal.js';
export { Claims } from '../jwt/claims.js';
export type {
  JwtSecret,
  /** @deprecated Use `JwtSecret`. */
  JwtSecret as Secret,
} from '../jwt/hs256.js';
export { Jwt } from './jwt.js';
export { type ProtectedResourceOptions, protectedResource } from './protected-resource.js';
export type {
  OidcTokens,
  /** @deprecated Use `OidcTokens`. */
  OidcTokens as ProviderTokens,
} from './provider-tokens.js';
export type {
  JwksOptions,
  /** @deprecated Use `JwksOptions`. */
  JwksOptions as KeyCacheOptions,
} from './remote-keys.js';
export { type OidcSignIn, oidcSignIn } from './sign-in.js';
export type {
  OidcSignInOptions,
  SignedIn,
  SignedInUser,
  /** @deprecated Use `SignedInUser`. */
  SignedInUser as SessionUserOf,
} from './sign-in-options.js';
