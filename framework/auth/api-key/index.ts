// The public names of `fw/api-key`.
export type { ApiKeyIdentity } from '../../context/principal.js';
export { ApiKey, type ApiKeyOptions, apiKey } from './api-key.js';
export { type ApiKeyStore, generateApiKey, hashApiKey, StaticKeys } from './static-keys.js';
