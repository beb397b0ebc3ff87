// The public names of `fw/jwt`.
export type { JwtClaims } from '../../context/principal.js';
export { Claims } from './claims.js';
export type {
  JwtSecret,
  /** @deprecated Use `JwtSecret`. */
  JwtSecret as Secret,
} from './hs256.js';
export { Jwt } from './jwt.js';
