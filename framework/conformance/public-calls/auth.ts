// Calls of what authenticates, and of sessions.
import {
  ApiKeys,
  logAccountEvent,
  MemoryTokenStore,
  OneTimeTokens,
  passwordCheck,
  RefreshTokens,
} from '../../auth/accounts/index.js';
import { ApiKey, apiKey, generateApiKey, hashApiKey, StaticKeys } from '../../auth/api-key/index.js';
import { Jwt } from '../../auth/jwt/index.js';
import { Jwt as OidcJwt, oidcSignIn, protectedResource } from '../../auth/oidc/index.js';
import { signInLimit } from '../../auth/password/index.js';
import { authenticate, CurrentUser, requireAllScopes, requireAnyScope, requireScope } from '../../index.js';
import { Csrf, csrf } from '../../middleware/csrf/index.js';
import { MemoryStore, session } from '../../session/index.js';
import { websocketTickets } from '../../websocket/index.js';
import { type Call, OPTIONAL } from './call.js';

const secret = 'x'.repeat(32);
const tokens = new MemoryTokenStore();
const oneTime = new OneTimeTokens({ store: tokens, purpose: 'x' });
const refresh = new RefreshTokens({ store: tokens });
const keys = new ApiKeys({ store: tokens, prefix: 'x' });

export const auth: readonly Call[] = [
  ['authenticate', (value) => authenticate(value)],
  ['CurrentUser', (value) => CurrentUser(value), ['function']],
  ['requireScope', (scope) => requireScope(scope), ['text']],
  ['requireAnyScope', (scopes) => requireAnyScope(scopes)],
  ['requireAllScopes', (scopes) => requireAllScopes(scopes)],
  ['apiKey', (options) => apiKey(options)],
  ['new ApiKey', (store) => new ApiKey(store)],
  ['new ApiKey: options', (options) => new ApiKey(new StaticKeys(), options), OPTIONAL],
  ['ApiKey.headerName', (name) => new ApiKey(new StaticKeys()).headerName(name).build(), ['undefined']],
  ['ApiKey.fromQuery', (name) => new ApiKey(new StaticKeys()).fromQuery(name).build(), ['undefined', 'text']],
  ['StaticKeys.insert: key', (key) => new StaticKeys().insert(key, 'a'), ['text']],
  ['StaticKeys.insert: id', (id) => new StaticKeys().insert('key', id), ['text']],
  ['StaticKeys.withScopes', (scopes) => new StaticKeys().withScopes('key', 'a', scopes)],
  ['hashApiKey', (key) => hashApiKey(key), ['text']],
  ['generateApiKey', (prefix) => generateApiKey(prefix)],
  ['Jwt.hs256', (value) => Jwt.hs256(value)],
  ['Jwt.expiresIn', (seconds) => Jwt.hs256(secret).expiresIn(seconds)],
  ['Jwt.leeway', (seconds) => Jwt.hs256(secret).leeway(seconds)],
  ['Jwt.issuer', (issuer) => Jwt.hs256(secret).issuer(issuer), ['text']],
  ['Jwt.audience', (audience) => Jwt.hs256(secret).audience(audience), ['text']],
  ['Jwt.fromCookie', (name) => Jwt.hs256(secret).fromCookie(name)],
  ['Jwt.oidc', (issuer) => OidcJwt.oidc(issuer)],
  ['Jwt.oidc: options', (options) => OidcJwt.oidc('https://a.example', options), OPTIONAL],
  ['Jwt.jwks', (url) => OidcJwt.jwks(url)],
  ['Jwt.jwksFromSet', (set) => OidcJwt.jwksFromSet(set)],
  ['Jwt.algorithms', (names) => OidcJwt.jwks('https://a.example').algorithms(names)],
  ['protectedResource', (options) => protectedResource(options)],
  ['oidcSignIn', (options) => oidcSignIn(options)],
  ['signInLimit', (options) => signInLimit(options), OPTIONAL],
  ['new OneTimeTokens', (options) => new OneTimeTokens(options)],
  ['OneTimeTokens.issue', (userId) => oneTime.issue(userId), ['text']],
  ['OneTimeTokens.issue: data', (data) => oneTime.issue('a', data), ['undefined', 'text']],
  ['OneTimeTokens.revokeAll', (userId) => oneTime.revokeAll(userId), ['text']],
  ['new RefreshTokens', (options) => new RefreshTokens(options)],
  ['RefreshTokens.issue', (userId) => refresh.issue(userId), ['text']],
  ['RefreshTokens.issue: options', (options) => refresh.issue('a', options), OPTIONAL],
  ['RefreshTokens.list', (userId) => refresh.list(userId), ['text']],
  ['RefreshTokens.end: user', (userId) => refresh.end(userId, 'a'), ['text']],
  ['RefreshTokens.end: id', (id) => refresh.end('a', id), ['text']],
  ['RefreshTokens.endAll', (userId) => refresh.endAll(userId), ['text']],
  ['new ApiKeys', (options) => new ApiKeys(options)],
  ['ApiKeys.create', (userId) => keys.create(userId), ['text']],
  ['ApiKeys.create: options', (options) => keys.create('a', options), OPTIONAL],
  ['ApiKeys.list', (userId) => keys.list(userId), ['text']],
  ['ApiKeys.revoke: user', (userId) => keys.revoke(userId, 'a'), ['text']],
  ['ApiKeys.revoke: id', (id) => keys.revoke('a', id), ['text']],
  ['ApiKeys.revokeAll', (userId) => keys.revokeAll(userId), ['text']],
  ['new MemoryTokenStore', (value) => new MemoryTokenStore(value as never)],
  ['passwordCheck', (options) => passwordCheck(options)],
  ['logAccountEvent: event', (event) => logAccountEvent({} as never, event), ['text']],
  ['logAccountEvent: facts', (facts) => logAccountEvent({} as never, 'a', facts), OPTIONAL],
  ['session', (store) => session(store)],
  ['session: options', (options) => session(new MemoryStore(), options), OPTIONAL],
  ['MemoryStore.withMaxSessions', (value) => MemoryStore.withMaxSessions(value)],
  ['csrf', (options) => csrf(options)],
  ['new Csrf', (value) => new Csrf(value).build()],
  ['Csrf.headerName', (name) => new Csrf(secret).headerName(name).build(), ['undefined']],
  ['websocketTickets', (options) => websocketTickets(options)],
];
