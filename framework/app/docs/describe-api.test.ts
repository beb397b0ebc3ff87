// What the page about an API gets of an App, of registries, and of documents that were made of them.
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { schemesOf } from '../../api-model/credentials.js';
import { apiKey, StaticKeys } from '../../auth/api-key/index.js';
import { Path, Query, route, Valid } from '../../index.js';
import { csrf } from '../../middleware/csrf/index.js';
import type { ApiDescription } from '../../rpc/api-description.js';
import { type OpenApiDocument, openApiFromApp, RpcMode, RpcRegistry } from '../../rpc/index.js';
import { TestClient } from '../../testing/index.js';
import { websocket } from '../../websocket/index.js';
import { App } from '../app.js';

interface Shown extends ApiDescription {
  readonly document: {
    readonly info: object;
    readonly servers: readonly { readonly url: string }[];
    readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  };
}

async function shown(app: App, path = '/docs'): Promise<Shown> {
  return (await new TestClient(app).get(`${path}/api.json`)).assertStatus(200).json<Shown>();
}

const tasks = (mode: RpcMode = RpcMode.JsonRpc) =>
  RpcRegistry.withMode(mode)
    .requireAuth({ except: ['list'], scopes: ['write'] })
    .query('list', { description: 'All tasks.', tags: ['tasks'] }, () => [])
    .mutationWithTypes('add', () => 1, '{ title: string }', 'number')
    .subscriptionWithTypes(
      'added',
      async function* () {
        yield 1;
      },
      'void',
      'number',
    );

const keys = apiKey({ store: new StaticKeys().withScopes('k', 'me', ['write']), optional: true });

function shop(): App {
  return new App()
    .use(keys)
    .get('/plain/:id', () => 1)
    .get(route('/hidden', { hidden: true }), () => 1)
    .put(
      route('/users/:id', { tags: ['users'] }),
      Path('id', z.uuid()),
      Valid(z.object({ a: z.string() })),
      () => 1,
    )
    .websocket(
      route('/rooms/:room', { operationId: 'rooms.join', summary: 'Joins.', tags: ['chat'] }),
      Query(z.object({ as: z.string() })),
      websocket({ receives: { say: z.string() }, sends: { said: z.string() }, on: { say() {} } }),
    )
    .websocket('/raw', websocket({ onMessage() {} }, { protocols: ['v1'] }));
}

describe('a page about an App', () => {
  it('has its routes, procedures and WebSockets, also those that are registered later', async () => {
    const app = new App().serveDocs('/docs', new App()).get('/a', () => 1);
    expect(Object.keys((await shown(app)).document.paths)).toEqual([]);
    const later = shop();
    later.serveDocs('/docs', later, { title: 'Shop', version: '2.0.0', description: 'A *shop*.' });
    later.mountRpc('/rpc', tasks()).get('/late', () => 1);
    const { document, registries, sockets, access, hasClient } = await shown(later);
    expect(document.info).toEqual({ title: 'Shop', version: '2.0.0', description: 'A *shop*.' });
    expect(Object.keys(document.paths)).toEqual(['/late', '/plain/{id}', '/users/{id}']);
    expect(access['GET /plain/{}']).toMatchObject({ isRequired: false });
    expect(registries).toMatchObject([{ mode: 'jsonrpc', path: '/rpc' }]);
    expect(Object.keys(registries[0]?.types.procedures ?? {})).toEqual(['add', 'added', 'list']);
    expect(registries[0]?.types.procedures.list).toMatchObject({
      description: 'All tasks.',
      tags: ['tasks'],
    });
    expect(registries[0]?.access.add).toEqual({
      isRequired: true,
      scopes: [{ scopes: ['write'], match: 'all' }],
      schemes: [['apiKey']],
    });
    expect(registries[0]?.access.list?.isRequired).toBe(false);
    expect(sockets.map(({ clientName, types }) => [types.path, clientName])).toEqual([
      ['/rooms/:room', 'rooms.join'],
      ['/raw', null],
    ]);
    expect(sockets[0]?.types).toMatchObject({
      tags: ['chat'],
      params: [{ name: 'room' }],
      query: [{ name: 'as' }],
      sends: { fields: [{ name: 'say' }] },
      receives: { fields: [{ name: 'said' }] },
    });
    expect(sockets[1]?.protocols).toEqual(['v1']);
    expect(hasClient).toBe(true);
  });

  it('has the paths, the guards and the middleware of the App that it is mounted on', async () => {
    const inner = shop().mountRest('/api', tasks(RpcMode.Rest));
    inner.serveDocs('/docs', inner);
    const outer = new App()
      .use(csrf({ secret: 'x'.repeat(32), secure: false, headerName: 'X-Own' }))
      .requireAuth({ except: ['/shop/docs/*'] })
      .route('/shop', inner);
    const { document, registries, sockets, access, csrf: names, schemes } = await shown(outer, '/shop/docs');
    expect(Object.keys(document.paths)).toEqual(['/shop/plain/{id}', '/shop/users/{id}']);
    expect(registries).toMatchObject([{ mode: 'rest', path: '/shop/api' }]);
    expect(sockets.map(({ types }) => types.path)).toEqual(['/shop/rooms/:room', '/shop/raw']);
    expect(access['PUT /shop/users/{}']).toEqual({ isRequired: true, scopes: [], schemes: [['apiKey']] });
    expect(schemes.apiKey).toMatchObject({ type: 'apiKey', in: 'header' });
    expect(names).toEqual({ cookie: 'csrf', header: 'X-Own' });
  });

  it('is the same for a document of the App, which has the paths inside of it', async () => {
    const inner = shop().mountRpc('/rpc', tasks());
    inner.serveDocs('/docs', openApiFromApp(inner, { title: 'Shop', version: '1.0.0' }));
    const outer = new App().route('/shop', inner);
    const { document, registries, sockets, access } = await shown(outer, '/shop/docs');
    expect(Object.keys(document.paths)).toEqual(['/users/{id}']);
    expect(document.servers[0]?.url).toBe('http://localhost/shop');
    expect(Object.keys(access)).toContain('PUT /users/{}');
    expect(registries).toMatchObject([{ path: '/shop/rpc' }]);
    expect(sockets[0]?.types.path).toBe('/shop/rooms/:room');
  });

  it('has one document of routes and procedures for other programs, whose types keep apart', async () => {
    const User = z.object({ name: z.string() }).meta({ id: 'User' });
    const rpc = RpcRegistry.withMode(RpcMode.Rest)
      .defineType('User', '{ id: number; friend?: User }')
      .queryWithTypes('find', () => ({ id: 1 }), '{ id: number }', 'User')
      .queryWithTypes('list', () => [], 'void', 'string[]');
    const app = new App()
      .get(route('/users', { operationId: 'list', returns: z.array(User) }), () => [])
      .mountRest('/api', rpc);
    const spec = (
      await new TestClient(app.serveDocs('/docs', app)).get('/docs/openapi.json')
    ).json<OpenApiDocument>();
    expect(Object.keys(spec.paths)).toEqual(['/api/find', '/api/list', '/users']);
    expect(spec.paths['/users']?.get?.operationId).toBe('list');
    expect(spec.paths['/api/list']?.get?.operationId).toBe('rpc.list');
    expect(JSON.stringify(spec.paths['/api/find'])).toContain('"#/components/schemas/RpcUser"');
    expect(spec.components?.schemas).toMatchObject({
      User: { properties: { name: {} } },
      RpcUser: { properties: { id: {}, friend: { $ref: '#/components/schemas/RpcUser' } } },
    });
    expect(await new Validator().validate({ ...spec })).toMatchObject({ valid: true });
  });

  it('tells several registries apart, and keys in different header fields', async () => {
    const version = (headerName: string) =>
      new App()
        .use(apiKey({ store: new StaticKeys(), headerName }))
        .mountRest('/api', tasks(RpcMode.Rest))
        .mountRpc(
          '/rpc',
          new RpcRegistry().queryWithTypes('a', () => 1, 'void', 'number'),
        );
    const admin = apiKey({ store: new StaticKeys(), headerName: 'x-admin' });
    const app = new App().get(route('/admin', {}), admin, () => 1);
    for (const [index, field] of ['x-a', 'x-b', 'x-c', 'x-b'].entries())
      app.route(`/v${index}`, version(field));
    app.serveDocs('/docs', app);
    const spec = (await new TestClient(app).get('/docs/openapi.json')).json<OpenApiDocument>();
    expect(await new Validator().validate({ ...spec })).toMatchObject({ valid: true });
    const operations = Object.values(spec.paths).flatMap((item) => Object.values(item));
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const schemes = spec.components?.securitySchemes as Record<string, { name: string }>;
    const fieldOf = (names: readonly string[]) => names.map((name) => schemes[name]?.name);
    const fields = [0, 1, 2, 3].map((index) =>
      fieldOf(Object.keys(spec.paths[`/v${index}/rpc`]?.post?.security?.[0] ?? {})),
    );
    expect(fields).toEqual([['x-a'], ['x-b'], ['x-c'], ['x-b']]);
    const page = await shown(app, '/docs');
    const known = schemesOf(page);
    expect(known.map(({ field }) => field)).toEqual(['x-admin', 'x-a', 'x-b', 'x-c']);
    const ofPage = [page.access['GET /admin'], ...page.registries.map(({ access }) => access.a)].map((one) =>
      one?.schemes.flat().map((name) => known.find((scheme) => scheme.name === name)?.field),
    );
    expect(ofPage.filter((one) => one !== undefined)).toEqual([
      ['x-admin'],
      ['x-a'],
      ['x-b'],
      ['x-c'],
      ['x-b'],
    ]);
  });

  it('answers 500 if the App cannot be described, and tells why', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = new App()
      .get(route('/a', { operationId: 'same' }), () => 1)
      .get(route('/b', { operationId: 'same' }), () => 1);
    (await new TestClient(app.serveDocs('/docs', app)).get('/docs/openapi.json')).assertStatus(500);
    expect(String(told.mock.calls[0])).toContain("both have the operationId 'same'");
  });
});

describe('a page about a registry', () => {
  it.each([RpcMode.JsonRpc, RpcMode.Rest])(
    'has its procedures in mode %s, wherever it is mounted',
    async (mode) => {
      const rpc = tasks(mode);
      const docs = new App().serveDocs('/', rpc, { title: 'Tasks' });
      const inner = mode === RpcMode.Rest ? new App().mountRest('/v1', rpc) : new App().mountRpc('/v1', rpc);
      const outer = new App().route('/api', inner).route('/docs', docs);
      const { document, registries } = await shown(outer);
      expect(registries).toMatchObject([{ mode, path: '/api/v1' }]);
      expect(document.paths).toEqual({});
      const paths = (await new TestClient(outer).get('/docs/openapi.json')).json<Shown['document']>().paths;
      expect(Object.keys(paths)).toEqual(
        mode === RpcMode.Rest ? ['/api/v1/add', '/api/v1/added', '/api/v1/list'] : ['/api/v1'],
      );
    },
  );

  it('is the same for its document, whose other paths stay', async () => {
    const rpc = tasks();
    const spec = rpc
      .generateOpenapi('Tasks', '1.0.0', '')
      .addEndpoint('/health', 'GET', 'Health', undefined, 'string');
    const { document, registries } = await shown(new App().mountRpc('/rpc', rpc).serveDocs('/docs', spec));
    expect(registries).toMatchObject([{ path: '/rpc' }]);
    expect(Object.keys(document.paths)).toEqual(['/health']);
  });

  it('tells that it is mounted nowhere', async () => {
    expect((await shown(new App().serveDocs('/docs', tasks()))).registries).toMatchObject([{ path: null }]);
  });
});
