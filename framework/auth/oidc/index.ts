// The public names of `fw/oidc`.
export type { JwtClaims } from '../../context/principal.js';
export { Claims } from '../jwt/claims-extractor.js';
export type { Secret } from '../jwt/hs256.js';
export { Jwt } from './jwt.js';
export type { ProviderTokens } from './provider-tokens.js';
export type { KeyCacheOptions } from './remote-keys.js';
export { type OidcSignIn, oidcSignIn } from './sign-in.js';
export type { OidcSignInOptions, SessionUserOf, SignedIn } from './sign-in-options.js';
