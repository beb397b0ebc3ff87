// Arguments that somebody expects of other packages, and options that are undefined by mistake, which would be ignored in
// silence.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StaticKeys } from '../auth/api-key/index.js';
import { Jwt } from '../auth/jwt/index.js';
import { App, ConfigError, Cookie, requireAuth, requireScope } from '../index.js';
import { Compression } from '../middleware/compression/index.js';
import { Csrf } from '../middleware/csrf/index.js';
import { Cors, cors, logger, MemoryRateLimitStore, poweredBy, SecurityHeaders } from '../middleware/index.js';
import { RpcRegistry } from '../rpc/index.js';
import { MemoryStore, SessionConfig } from '../session/index.js';
import { websocket } from '../websocket/index.js';

const more = (value: unknown): never => value as never;
const given = (call: () => unknown, value: unknown) => (call as (value: unknown) => unknown)(value);
const step = more((_ctx: unknown, next: () => unknown) => next());
const secret = 's'.repeat(32);

const calls: readonly [string, () => unknown][] = [
  ['new App', () => new App(more({ logger: true }))],
  ['App.withoutDefaults', () => App.withoutDefaults(more({ logger: true }))],
  ['App.use', () => new App().use(step, step)],
  ['App.useMiddleware', () => new App().useMiddleware(step, step)],
  ['App.listen with a host', () => new App().listen(0, more('0.0.0.0'))],
  [
    'App.listen with a callback',
    () =>
      new App().listen(
        0,
        more(() => {}),
      ),
  ],
  ['RpcRegistry.use', () => (new RpcRegistry().use as (...steps: never[]) => unknown)(step, step)],
  ['requireAuth', () => given(requireAuth, { scopes: ['admin'] })],
  ['requireScope', () => requireScope('read', more('write'))],
  ['Jwt.hs256', () => Jwt.hs256(secret, more({ issuer: 'https://issuer.example' }))],
  ['new StaticKeys', () => new StaticKeys(more({ key: 'ada' }))],
  ['new MemoryStore', () => new MemoryStore(more({ maxSessions: 5 }))],
  ['new MemoryRateLimitStore', () => new MemoryRateLimitStore(more({ max: 5 }))],
  ['new SessionConfig', () => new SessionConfig(more({ sameSite: 'Strict' }))],
  ['new Cors', () => new Cors(more({ origin: 'https://app.example' }))],
  ['new SecurityHeaders', () => new SecurityHeaders(more({ csp: "default-src 'self'" }))],
  ['new Compression', () => new Compression(more({ minSize: 5 }))],
  ['new Csrf', () => new Csrf(secret, more({ headerName: 'X-Token' }))],
  ['new Cookie', () => new Cookie('a', 'b', more({ httpOnly: true }))],
  ['logger', () => given(logger, { level: 'debug' })],
  ['poweredBy', () => given(poweredBy, 'Express')],
];

describe('an argument too much', () => {
  it.each(calls)('of %s is refused', async (_, call) => {
    await expect((async () => call())()).rejects.toThrow(ConfigError);
  });
});

describe('an option that closes something', () => {
  const unset = more(undefined);

  it.each<[string, () => unknown, string]>([
    [
      'cors',
      () => cors({ origin: unset }),
      "cors: origin is undefined, as of a variable that is not set; give '*'",
    ],
    ['new Cors', () => new Cors().allowOrigin(unset).build(), 'cors: origin is undefined'],
    ['websocket', () => websocket({}, { allowedOrigins: unset }), 'websocket: allowedOrigins is undefined'],
    ['App.requireAuth', () => new App().requireAuth({ scopes: unset }), 'requireAuth: scopes is undefined'],
    [
      'RpcRegistry.requireAuth',
      () => new RpcRegistry().requireAuth({ scopes: unset }),
      'scopes is undefined',
    ],
  ])('of %s is not left out by undefined', (_, call, message) => expect(call).toThrow(message));

  it('may be left out', () => {
    cors({});
    websocket({}, {});
    new App().requireAuth({});
    new RpcRegistry().requireAuth({});
  });
});

afterEach(() => vi.restoreAllMocks());

it.each([logger, poweredBy])('of middleware that was not called is refused by the request', async (made) => {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  const app = new App().use(made as never).get('/', () => 'in');
  expect((await app.fetch(new Request('http://x/'))).status).toBe(500);
  expect(String(error.mock.calls[0])).toContain(`write app.use(${made.name}())`);
});

it('of ctx.requireScope lets nobody in', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const read = Jwt.hs256(secret).expiresIn(60);
  const app = new App()
    .use(cors())
    .use(read.build())
    .get('/', (ctx) => (ctx.requireScope as (...scopes: string[]) => object).call(ctx, 'read', 'write'));
  const headers = { Authorization: `Bearer ${read.sign({ sub: 'ada', scope: 'read' })}` };
  expect((await app.fetch(new Request('http://x/', { headers }))).status).toBe(500);
});

it.each(['/path', new URL('http://x/'), undefined, null, {}])('app.fetch takes no %s', async (request) => {
  const app = new App().get('/', () => 'in');
  for (const call of [app.fetch, (given: Request) => app.oneshot(given)]) {
    await expect(call(more(request))).rejects.toThrow('give a Request, such as');
  }
});
