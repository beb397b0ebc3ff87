// The public names of `fw/accounts`.
export { type AccountEvent, type AccountFacts, logAccountEvent } from './account-events.js';
export { type ApiKeyInfo, ApiKeys, type ApiKeysOptions, type NewApiKeyOptions } from './api-keys.js';
export { type OneTimeToken, OneTimeTokens, type OneTimeTokensOptions } from './one-time-tokens.js';
export {
  type PasswordCheck,
  type PasswordCheckOptions,
  type PasswordUser,
  passwordCheck,
} from './password-check.js';
export {
  type RefreshToken,
  RefreshTokens,
  type RefreshTokensOptions,
  type SignIn,
  type SignInOptions,
} from './refresh-tokens.js';
export {
  MemoryTokenStore,
  type StoredToken,
  type TokenKind,
  type TokenSelection,
  type TokenStore,
} from './token-store.js';
