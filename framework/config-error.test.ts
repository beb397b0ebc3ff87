// The codes of configuration errors: mistakes that cause them, where they are thrown, and their page.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer as httpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { StaticKeys } from './auth/api-key/index.js';
import { Jwt, oidcSignIn } from './auth/oidc/index.js';
import { App, authenticate, ConfigError, type ConfigErrorCode, Json, Path, route } from './index.js';
import { csrf } from './middleware/csrf/index.js';
import { cors, fromConnect, IpFilter } from './middleware/index.js';
import { checkOptions } from './options/check.js';
import { filled, headerName, listOf, oneOf, type Rules, required, whole } from './options/rules.js';
import { RedisSessionStore } from './redis/index.js';
import { clientFromApp, OpenApiSpec, openApiFromApp, RpcMode, RpcRegistry } from './rpc/index.js';
import { MemoryStore, session } from './session/index.js';
import { kyselyFromUrl } from './sql/kysely/index.js';
import { ChannelManager, websocket } from './websocket/index.js';

const handler = () => 'ok';

const given = { lists: ['a'] as readonly string[], size: 1, mode: 'a', name: 'a' };
const rules: Rules<Partial<typeof given>> = {
  lists: listOf(filled, 1),
  size: whole(1, 9),
  mode: oneOf('a', 'b'),
  name: headerName,
};
const check = (options: object, who = rules) => checkOptions('part', options, who);

const text = { '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) } } as const;
const rpc = () => new RpcRegistry();
const oidc = { issuer: 'https://a.example', clientId: 'a', redirectUri: 'https://b.example/callback' };
const broker = { publish: async () => {}, subscribe: async () => async () => {}, close: async () => {} };
const named = (name: string) => route('/a', { operationId: name });

/** Mistakes of options are those of every part; each other code is that of one mistake. */
const mistakes: Partial<Record<ConfigErrorCode, () => unknown>> = {
  FW_OPTION_UNKNOWN: () => check({ sizes: 1 }),
  FW_OPTION_MISSING: () => check({}, { ...rules, size: required(rules.size) }),
  FW_OPTION_TYPE: () => check({ size: '1' }),
  FW_OPTION_RANGE: () => check({ size: 10 }),
  FW_OPTION_CHOICE: () => check({ mode: 'c' }),
  FW_OPTION_FORM: () => check({ name: 'a b' }),
  FW_OPTION_EMPTY: () => IpFilter.allow([]),
  FW_ROUTE_CONFLICT: () => new App().get('/a/:id', handler).get('/a/:name', handler),
  FW_ROUTE_PATTERN: () => new App().get('no-slash', handler),
  FW_ROUTE_RETURNS: () => new App().get(route('/a', { returns: {} }), handler as never),
  FW_HANDLER: () => new App().get('/a', 'handler' as never),
  FW_MIDDLEWARE: () => new App().useMiddleware('logger' as never),
  FW_CONNECT_ERROR_HANDLER: () =>
    fromConnect(((_e: unknown, _q: unknown, _s: unknown, _n: unknown) => {}) as never),
  FW_EXTRACTOR: () => new App().post('/a', {} as never, handler),
  FW_EXTRACTOR_COUNT: () =>
    new App().get('/:id', ...(Array(9).fill(Path('id', text)) as [never]), handler as never),
  FW_PATH_PARAMETER: () => new App().get('/:id', Path('name', text) as never, handler),
  FW_SCHEMA: () => Json({} as never),
  FW_MOUNT: () => new App().route('/a', {} as never),
  FW_MOUNT_ITSELF() {
    const app = new App();
    app.route('/a', app);
  },
  FW_MOUNT_SETTING: () => new App().route('/a', new App().trustProxy(true)),
  FW_MOUNT_PREFIX: () => new App().route('/a/', new App()),
  FW_MOUNT_HANDLER: () => new App().mount('/a', {} as never),
  FW_MOUNT_REGISTRY: () => new App().mountRpc('/rpc', {} as never),
  FW_DOCS_SOURCE: () => new App().serveDocs('/docs', {}),
  FW_REGISTERED_TOO_LATE() {
    const app = new App();
    void app.fetch(new Request('http://localhost/'));
    app.get('/late', handler);
  },
  FW_GUARD_TWICE: () => new App().requireAuth().requireAuth(),
  FW_GUARD_EXCEPTION: () => new App().requireAuth({ except: ['/none'] }).listen(0),
  FW_AUTHENTICATE: () => authenticate(handler as never),
  FW_SECRET: () => Jwt.hs256('short'),
  FW_API_KEY_TWICE: () => new StaticKeys().insert('key', 'a').insert('key', 'b'),
  FW_JWKS: () => Jwt.jwksFromSet({} as never),
  FW_JWT_NOT_BOUND: () => Jwt.jwks('https://a.example').build(),
  FW_PROVIDER_ADDRESS: () => Jwt.jwks('http://a.example'),
  FW_OIDC_REDIRECT_URI: () => oidcSignIn({ ...oidc, redirectUri: 'https://b.example/?a' }),
  FW_OIDC_SCOPE: () => oidcSignIn({ ...oidc, scope: 'email' }),
  FW_COOKIE: () => csrf({ secret: 'x'.repeat(32), cookieName: '__Host-a', secure: false }),
  FW_SESSION_SCHEMA_ASYNC: () => session(new MemoryStore(), { schema: schema(async (value) => ({ value })) }),
  FW_SESSION_SCHEMA_EMPTY: () =>
    session(new MemoryStore(), { schema: schema(() => ({ issues: [{ message: 'no' }] })) }),
  FW_CORS_WILDCARD_WITH_CREDENTIALS: () => cors({ credentials: true }),
  FW_NETWORK_BITS: () => IpFilter.allow(['10.0.0.1/8']),
  FW_ADDRESS: () => new App().listen('localhost'),
  FW_ADDRESS_PATH: () => new App().listen({ path: `/${'x'.repeat(200)}` }),
  FW_ADDRESS_PORT: () => new App().listen(65_536),
  FW_LISTENER: () => new App().serveWithShutdown(createServer(), Promise.resolve()),
  FW_LISTENER_KIND: () => new App().serveWithShutdown(httpServer(), Promise.resolve()),
  FW_STATIC_PATH: () => new App().serveStatic('/a', ''),
  FW_STATIC_MISSING: () => new App().serveStatic('/a', `${tmpdir()}/fw-none`),
  FW_STATIC_KIND: () => new App().serveStatic('/a', new URL(import.meta.url).pathname),
  FW_DATABASE: () => new App().withKysely({} as never),
  FW_DATABASE_URL: () => kyselyFromUrl('mongodb://a'),
  FW_REDIS_CLIENT: () => new RedisSessionStore('http://a'),
  FW_WEBSOCKET_ROUTE: () => new App().websocket('/a', {} as never),
  FW_WEBSOCKET_RETURNS: () => new App().websocket(route('/a', { returns: text }) as never, websocket({})),
  FW_WEBSOCKET_EVENT: () => websocket({ receives: {}, on: { say() {} } } as never),
  FW_WEBSOCKET_EVENT_HANDLER: () => websocket({ receives: { say: text }, on: {} } as never),
  FW_WEBSOCKET_NO_EVENTS: () => websocket({ on: {} } as never),
  FW_CHANNEL_HISTORY: () => new ChannelManager({ broker, history: { messages: 1 } }),
  FW_CHANNEL_PRESENCE: () => new ChannelManager({ broker, presence: true }),
  FW_RPC_CONSTRUCTOR: () => new RpcRegistry(RpcMode.Rest as never),
  FW_RPC_MODE: () => new App().mountRpc('/rpc', RpcRegistry.withMode(RpcMode.Rest)),
  FW_RPC_NAME: () => rpc().query('', handler),
  FW_RPC_NAME_TWICE: () => rpc().query('a', handler).query('a', handler),
  FW_RPC_NAME_AND_GROUP: () => rpc().query('a', handler).query('a.b', handler),
  FW_RPC_GROUP_NAME: () => RpcRegistry.group(''),
  FW_RPC_REST_NAME: () => RpcRegistry.withMode(RpcMode.Rest).query('a/b', handler),
  FW_RPC_TYPE: () => rpc().queryWithTypes('a', handler, 'void', 'Unknown').types(),
  FW_RPC_TYPE_SYNTAX: () => rpc().defineType('User', '{'),
  FW_RPC_TYPE_NAME: () => rpc().defineType('a b', 'string'),
  FW_RPC_TYPE_TWICE: () => rpc().defineType('User', 'number').defineType('User', 'string'),
  FW_RPC_INPUT_SCALAR: () => rpc().queryWithTypes('a', handler, 'string', 'string'),
  FW_RPC_INPUT_FILE: () => rpc().queryWithTypes('a', handler, '{ file: File }', 'string'),
  FW_RPC_INPUT_QUERY: () =>
    RpcRegistry.withMode(RpcMode.Rest).queryWithTypes('a', handler, '{ a: { b: {} } }', 'string'),
  FW_RPC_OUTPUT_FILE: () => rpc().queryWithTypes('a', handler, 'void', 'File'),
  FW_RPC_MERGE() {
    const registry = rpc();
    registry.merge(registry);
  },
  FW_RPC_MERGE_SETTING: () => rpc().merge(rpc().maxBatch(1)),
  FW_RPC_MERGE_MODE: () => rpc().merge(RpcRegistry.withMode(RpcMode.Rest)),
  FW_RPC_MERGE_GROUP: () => RpcRegistry.group('users').merge(RpcRegistry.group('posts')),
  FW_RPC_ERROR_NAME: () => rpc().query('a', { errors: { NotFound: {} } }, handler),
  FW_RPC_ERROR_STATUS: () => rpc().query('a', { errors: { gone: { status: 500 } } }, handler),
  FW_RPC_ERROR_CODE: () => rpc().query('a', { errors: { gone: { code: -32_600 } } }, handler),
  FW_RPC_CONTRACT: () => rpc().useContract({ version: 0 }),
  FW_CLIENT_NAMES: () => clientFromApp(new App().get(named('constructor'), handler)),
  FW_CLIENT_QUERIES: () =>
    rpc().query('a.queryKey', handler).generateClientFile('/dev/null/a.ts', { queryOptions: true }),
  FW_OPENAPI_INFO: () => new OpenApiSpec('', '1'),
  FW_OPENAPI_METHOD: () => new OpenApiSpec('A', '1').addOperation('/a', 'CONNECT', { responses: {} }),
  FW_OPENAPI_PATH: () => new OpenApiSpec('A', '1').addOperation('a', 'GET', { responses: {} }),
  FW_OPENAPI_OPERATION_TWICE: () =>
    new OpenApiSpec('A', '1')
      .addOperation('/a', 'GET', { responses: {} })
      .addOperation('/a', 'GET', { responses: {} }),
  FW_OPENAPI_OPERATION_ID: () =>
    openApiFromApp(new App().get(named('a'), handler).post(named('a'), handler), {
      title: 'A',
      version: '1',
    }),
  FW_OPENAPI_SCHEMA_NAME: () => new OpenApiSpec('A', '1').addSchema('a b', { type: 'string' }),
};

function schema(validate: (value: unknown) => unknown): never {
  return { '~standard': { version: 1, vendor: 'x', validate } } as never;
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const codesIn = (source: string, form: RegExp) =>
  [...source.matchAll(form)].map(([, code = '']) => code).sort();
const codes = codesIn(read('config-error.ts'), /^ {2}\| '(FW_\w+)'/gm);

describe('the codes of configuration errors', () => {
  it.each(Object.entries(mistakes))('%s is thrown for a mistake', async (code, mistake) => {
    const thrown = await new Promise<unknown>((resolve) => {
      Promise.resolve().then(mistake).then(resolve, resolve);
    });
    expect(thrown).toBeInstanceOf(ConfigError);
    expect(thrown).toMatchObject({ code, name: 'ConfigError' });
  });

  it('are all listed on their page with a cause and a remedy, and no others', () => {
    expect(codes.length).toBeGreaterThan(90);
    expect(codesIn(read('docs/error-codes.md'), /^\| `(FW_\w+)` \| \S[^|]* \| \S[^|]* \|$/gm)).toEqual(codes);
  });

  it('are each thrown somewhere', () => {
    const files = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' });
    const sources = files.filter(
      (file) => /\.ts$/.test(file) && !/(?:\.test|\.test-d|^config-error)\.ts$/.test(file),
    );
    const thrown = new Set(sources.flatMap((file) => codesIn(read(file), /'(FW_\w+)'/g)));
    expect(codes.filter((code) => !thrown.has(code))).toEqual([]);
  });
});
