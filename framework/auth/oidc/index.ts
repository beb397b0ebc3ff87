// The public names of `fw/oidc`.
export type { JwtClaims } from '../../context/principal.js';
export { Claims } from '../jwt/claims-extractor.js';
export type { JwtSecret } from '../jwt/hs256.js';
export { Jwt } from './jwt.js';
export type { OidcTokens } from './provider-tokens.js';
export type { JwksOptions } from './remote-keys.js';
export { type OidcSignIn, oidcSignIn } from './sign-in.js';
export type { OidcSignInOptions, SignedIn, SignedInUser } from './sign-in-options.js';
