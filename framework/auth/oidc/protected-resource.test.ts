import { expect, it } from 'vitest';
import { App, FwError } from '../../index.js';
import { apiKey, StaticKeys } from '../api-key/index.js';
import { Jwt } from '../jwt/index.js';
import { protectedResource } from './index.js';

const secret = 'a secret of at least 32 bytes, really';
const options = {
  resource: 'https://api.example.com/mcp',
  authorizationServers: ['https://login.example.com'],
  scopes: ['tasks:read'],
  name: 'Tasks',
  documentation: 'https://example.com/docs',
};
const metadata = 'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp"';
const get = (app: App, path: string, headers = {}) => app.fetch(new Request(`http://x${path}`, { headers }));

it('has a document at the address that the resource decides', async () => {
  const app = new App().use(protectedResource(options)).use(Jwt.hs256(secret).build());
  const response = await get(app, '/.well-known/oauth-protected-resource/mcp');
  expect(response.status).toBe(200);
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(await response.json()).toEqual({
    resource: 'https://api.example.com/mcp',
    authorization_servers: ['https://login.example.com'],
    scopes_supported: ['tasks:read'],
    bearer_methods_supported: ['header'],
    resource_name: 'Tasks',
    resource_documentation: 'https://example.com/docs',
  });
  expect((await get(app, '/.well-known/oauth-protected-resource')).status).toBe(401);
  const root = new App().use(protectedResource({ ...options, resource: 'https://api.example.com' }));
  expect((await get(root, '/.well-known/oauth-protected-resource')).status).toBe(200);
});

it('says nothing in the document that it was not given', async () => {
  const { resource, authorizationServers } = options;
  const app = new App().use(protectedResource({ resource, authorizationServers }));
  const response = await get(app, '/.well-known/oauth-protected-resource/mcp');
  expect(await response.json()).toEqual({
    resource,
    authorization_servers: authorizationServers,
    bearer_methods_supported: ['header'],
  });
});

it('tells the head of the document too, and leaves other methods to the App', async () => {
  const app = new App().use(protectedResource(options)).use(Jwt.hs256(secret).build());
  const ask = (method: string) =>
    app.fetch(new Request('http://x/.well-known/oauth-protected-resource/mcp', { method }));
  const head = await ask('HEAD');
  expect([head.status, head.headers.get('Content-Type'), head.headers.get('Cache-Control')]).toEqual([
    200,
    'application/json',
    'public, max-age=300',
  ]);
  expect((await ask('POST')).status).toBe(401);
});

it('names its address where a token is missing, not valid or not enough', async () => {
  const jwt = Jwt.hs256(secret).expiresIn(60);
  const app = new App()
    .use(protectedResource(options))
    .use(jwt.build())
    .get('/', () => 'in')
    .get('/admin', (ctx) => ctx.requireScope('admin').id ?? '');
  const challenge = async (path: string, token?: string) => {
    const response = await get(app, path, token === undefined ? {} : { authorization: `Bearer ${token}` });
    return [response.status, response.headers.get('WWW-Authenticate')];
  };
  expect(await challenge('/')).toEqual([401, `Bearer ${metadata}`]);
  expect(await challenge('/', 'x')).toEqual([401, `Bearer ${metadata}, error="invalid_token"`]);
  const token = jwt.sign({ sub: 'u' });
  expect(await challenge('/', token)).toEqual([200, null]);
  expect(await challenge('/admin', token)).toEqual([
    403,
    `Bearer ${metadata}, error="insufficient_scope", scope="admin"`,
  ]);
});

it('adds a challenge beside those of others', async () => {
  const store = new StaticKeys().withScopes('a-key', 'a', []);
  const app = new App()
    .use(protectedResource(options))
    .use(apiKey({ store }))
    .get('/', () => 'in');
  const own = (await get(app, '/')).headers.get('WWW-Authenticate');
  expect(own).toMatch(new RegExp(`Bearer ${metadata}$`));
  const refusing = (challenge: string | undefined, status = 401) =>
    new App().use(protectedResource(options)).get('/', () => {
      const headers = challenge === undefined ? {} : { headers: { 'WWW-Authenticate': challenge } };
      throw status === 401 ? FwError.unauthorized('no', headers) : FwError.forbidden('no', headers);
    });
  const added = async (app: App) => (await get(app, '/')).headers.get('WWW-Authenticate');
  expect(await added(refusing('Basic realm="a, Bearer b"'))).toBe(
    `Basic realm="a, Bearer b", Bearer ${metadata}`,
  );
  expect(await added(refusing('Basic realm="a", bearer'))).toBe(`Basic realm="a", Bearer ${metadata}`);
  // Once is enough.
  expect(await added(refusing('Bearer realm="a", Bearer realm="b"'))).toBe(
    `Bearer ${metadata}, realm="a", Bearer realm="b"`,
  );
  expect(await added(refusing(undefined))).toBe(`Bearer ${metadata}`);
  expect(await added(refusing(undefined, 403))).toBeNull();
});

it.each([
  [{ ...options, resource: 'api.example.com' }, /resource is 'api.example.com'; give an address/],
  [{ ...options, resource: 'https://a.example/"x' }, /resource is/],
  [{ ...options, authorizationServers: [] }, /authorizationServers is an empty list|authorizationServers/],
  [{ resource: options.resource }, /authorizationServers is missing/],
  [{ ...options, scope: [] }, /did you mean 'scopes'/],
])('refuses the options %j', (wrong, why) => {
  expect(() => protectedResource(wrong as never)).toThrow(why);
});
