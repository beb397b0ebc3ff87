import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apiKey, StaticKeys } from '../../auth/api-key/index.js';
import { Jwt } from '../../auth/jwt/index.js';
import { App, authenticate, ConfigError, Principal, requireAnyScope, route } from '../../index.js';
import { openApiFromApp } from '../../rpc/index.js';

const secret = 'a secret of at least 32 bytes, really';
const jwt = Jwt.hs256(secret).expiresIn(60);
const optionalJwt = Jwt.hs256(secret).optional().build();
const store = new StaticKeys().withScopes('machine-key', 'machine', ['orders:read']);

function bearer(scope = ''): Record<string, string> {
  return { authorization: `Bearer ${jwt.sign({ sub: 'u1', scope })}` };
}

async function status(app: App, target: string, headers: Record<string, string> = {}): Promise<number> {
  const [method = 'GET', path = '/'] = target.includes(' ') ? target.split(' ') : ['GET', target];
  return (await app.fetch(new Request(`http://x${path}`, { method, headers }))).status;
}

describe('guards on the context', () => {
  const app = new App()
    .use(optionalJwt)
    .get('/auth', (ctx) => ctx.requireAuth().id ?? '')
    .get('/one', (ctx) => ctx.requireScope('a').id ?? '')
    .get('/any', (ctx) => ctx.requireAnyScope(['a', 'b']).id ?? '')
    .get('/all', (ctx) => ctx.requireAllScopes(['a', 'b']).id ?? '')
    .get('/none', (ctx) => ctx.requireAnyScope([]).id ?? '');

  it.each([
    ['/auth', undefined, 401],
    ['/auth', '', 200],
    ['/one', undefined, 401],
    ['/one', 'b', 403],
    ['/one', 'aa A a:b', 403],
    ['/one', 'b a', 200],
    ['/any', undefined, 401],
    ['/any', 'c', 403],
    ['/any', 'b', 200],
    ['/all', undefined, 401],
    ['/all', 'a', 403],
    ['/all', 'b a', 200],
    ['/none', 'a', 403],
  ])('%s with the scopes %j is %i', async (path, scope, expected) => {
    expect(await status(app, path, scope === undefined ? {} : bearer(scope))).toBe(expected);
  });

  it('challenges the client for what runs around the route', async () => {
    const both = new App()
      .use(authenticate(optionalJwt, apiKey({ store, optional: true })))
      .get('/', (ctx) => ctx.requireAuth().id ?? '');
    const response = await both.fetch(new Request('http://x/'));
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer, ApiKey']);
  });
});

describe('authenticate', () => {
  const app = new App()
    .use(authenticate(apiKey({ store }), Jwt.hs256(secret).build()))
    .get('/', (ctx) => ctx.requireAuth().id ?? '');
  const answer = async (headers: Record<string, string>): Promise<string> =>
    (await app.fetch(new Request('http://x/', { headers }))).text();

  it('accepts what one of the methods accepts, the first one first', async () => {
    expect(await answer(bearer())).toBe('u1');
    expect(await answer({ 'x-api-key': 'machine-key' })).toBe('machine');
    expect(await answer({ ...bearer(), 'x-api-key': 'machine-key' })).toBe('machine');
    expect(await answer({ ...bearer(), 'x-api-key': 'wrong' })).toBe('u1');
  });

  it('refuses with the first refusal, and with all challenges', async () => {
    expect(await answer({})).toContain('authentication is required');
    expect(await answer({ 'x-api-key': 'wrong' })).toContain('the API key is not valid');
    const response = await app.fetch(new Request('http://x/'));
    expect(response.headers.get('www-authenticate')).toBe('ApiKey, Bearer');
  });

  it('leaves a request alone that was authenticated before', async () => {
    const stacked = new App()
      .use(Jwt.hs256(secret).optional().build())
      .use(authenticate(apiKey({ store })))
      .get('/', (ctx) => ctx.requireAuth().id ?? '');
    expect(await status(stacked, '/', bearer())).toBe(200);
    expect(await status(stacked, '/')).toBe(401);
  });

  it('lets requests pass if all methods are optional', async () => {
    const open = new App().use(authenticate(optionalJwt)).get('/', () => 'open');
    expect(await status(open, '/')).toBe(200);
  });

  it('refuses what does not authenticate', () => {
    expect(() => authenticate((() => {}) as never)).toThrow(
      /argument 1 of authenticate\(\) does not authenticate/,
    );
    expect(() => authenticate()).toThrow(/at least one/);
  });
});

describe('app.requireAuth', () => {
  function guarded(except: readonly string[] = ['POST /sign-in', '/health', '/assets/*']): App {
    const admin = new App().get('/users/:id', () => 'user').get('/', () => 'admin');
    return new App()
      .use(optionalJwt)
      .requireAuth({ except })
      .get('/orders', () => 'orders')
      .post('/sign-in', () => 'token')
      .get('/sign-in', () => 'page')
      .all('/health', () => 'ok')
      .get('/assets/*file', () => 'file')
      .get('/assets-of-staff', () => 'secret')
      .route('/admin', admin)
      .mount('/legacy', () => new Response('legacy'));
  }

  it.each([
    ['/orders', 401],
    ['HEAD /orders', 401],
    ['POST /sign-in', 200],
    ['/sign-in', 401],
    ['/health', 200],
    ['DELETE /health', 200],
    ['/assets/a/b.js', 200],
    ['/assets-of-staff', 401],
    ['/admin', 401],
    ['/admin/users/1', 401],
    ['/legacy', 401],
    ['/legacy/x', 401],
    ['/unknown', 404],
    ['PUT /orders', 405],
    ['OPTIONS /orders', 204],
  ])('answers %s without credentials with %i', async (target, expected) => {
    expect(await status(guarded(), target)).toBe(expected);
  });

  it('lets authenticated requests pass everywhere', async () => {
    for (const path of ['/orders', '/sign-in', '/admin', '/admin/users/1', '/legacy/x']) {
      expect(await status(guarded(), path, bearer())).toBe(200);
    }
  });

  it('guards over a socket as well', async () => {
    const server = await guarded().listen(0);
    try {
      expect((await fetch(`${server.url}/orders`)).status).toBe(401);
      expect((await fetch(`${server.url}/orders`, { headers: bearer() })).status).toBe(200);
    } finally {
      await server.close();
    }
  });

  it('runs before extractors, so that a refusal says nothing about the body', async () => {
    const app = new App().use(optionalJwt).requireAuth();
    let wasCalled = false;
    app.get('/', { extract: () => (wasCalled = true) }, () => 'x');
    expect(await status(app, '/')).toBe(401);
    expect(wasCalled).toBe(false);
  });

  it('asks for scopes', async () => {
    const app = new App()
      .use(optionalJwt)
      .requireAuth({ scopes: ['admin'] })
      .get('/', () => 'x');
    expect(await status(app, '/')).toBe(401);
    expect(await status(app, '/', bearer('other'))).toBe(403);
    expect(await status(app, '/', bearer('admin'))).toBe(200);
  });

  it('applies to the App that has it, and adds up where Apps are mounted', async () => {
    const staff = new App().requireAuth({ scopes: ['staff'], except: ['/hello', '/'] });
    staff
      .get('/hello', () => 'x')
      .get('/secret', () => 'x')
      .get('/', () => 'x');
    const app = new App()
      .use(optionalJwt)
      .get('/open', () => 'x')
      .route('/staff', staff);
    expect(await status(app, '/open')).toBe(200);
    expect(await status(app, '/staff/hello')).toBe(200);
    expect(await status(app, '/staff')).toBe(200);
    expect(await status(app, '/staff/secret', bearer())).toBe(403);
    const outer = new App()
      .use(optionalJwt)
      .requireAuth()
      .route('/api', new App().route('/staff', staffAgain()));
    expect(await status(outer, '/api/staff/hello')).toBe(401);
    expect(await status(outer, '/api/staff/hello', bearer())).toBe(200);
    expect(await status(outer, '/api/staff/secret', bearer())).toBe(403);
  });

  function staffAgain(): App {
    const staff = new App().requireAuth({ scopes: ['staff'], except: ['/hello'] });
    return staff.get('/hello', () => 'x').get('/secret', () => 'x');
  }

  it('leaves a route to what authenticates on it', async () => {
    const app = new App().requireAuth().get('/', apiKey({ store }), ({ id }) => id ?? '');
    expect(await status(app, '/', { 'x-api-key': 'machine-key' })).toBe(200);
    expect(await status(app, '/')).toBe(401);
  });

  it('fails at the start for an exception that is not a route', async () => {
    const app = new App().requireAuth({ except: ['/helth'] }).get('/health', () => 'ok');
    await expect(app.listen(0)).rejects.toThrow(/excepts '\/helth', which is not a route/);
    const method = new App().requireAuth({ except: ['PUT /health'] }).get('/health', () => 'ok');
    await expect(method.listen(0)).rejects.toThrow(ConfigError);
  });

  it('refuses malformed exceptions, and a second guard', () => {
    for (const text of ['health', 'get /health', 'GET  /health', '', 7 as never]) {
      expect(() => new App().requireAuth({ except: [text] })).toThrow(
        /except\[0\] is .*; give a route, such as/,
      );
    }
    expect(() => new App().requireAuth().requireAuth()).toThrow(
      /has a guard already \(requireAuth at .*access\.test/,
    );
  });
});

describe('app.accessList and documents', () => {
  const app = new App()
    .use(authenticate(Jwt.hs256(secret).optional().build(), apiKey({ store, optional: true })))
    .requireAuth({ except: ['/open', 'POST /sign-in'] })
    .get(route('/open', { summary: 'Open' }), () => 'open')
    .post('/sign-in', () => 'token')
    .get('/me', Principal, ({ id }) => ({ id }))
    .get(
      route('/orders', { use: [requireAnyScope(['orders:read', 'admin'])], returns: z.string() }),
      () => 'x',
    );
  const machine = new App().get('/usage', apiKey({ store }), ({ id }) => ({ id }));
  const whole = new App().route('/api', app).route('/machines', machine);

  it('tells who may call each route', () => {
    expect(String(whole.accessList())).toBe(
      [
        'GET   /api/open        anyone',
        'POST  /api/sign-in     anyone',
        'GET   /api/me          authenticated (bearer or apiKey)',
        'GET   /api/orders      scope orders:read or admin (bearer or apiKey)',
        'GET   /machines/usage  authenticated (apiKey)',
      ].join('\n'),
    );
    expect(whole.accessList().open.map(({ path }) => path)).toEqual(['/api/open', '/api/sign-in']);
    expect(whole.accessList().routes[2]).toMatchObject({
      who: 'authenticated',
      methods: ['bearer', 'apiKey'],
      place: expect.stringMatching(/access\.test\.ts:\d+:\d+$/),
    });
  });

  it('shows refusals and security schemes in the OpenAPI document', () => {
    const { paths, components } = openApiFromApp(whole, { title: 'T', version: '1' }).toJSON();
    expect(paths['/api/open']?.get).toMatchObject({ security: [{ bearer: [] }, { apiKey: [] }, {}] });
    expect(paths['/api/open']?.get?.responses).not.toHaveProperty('401');
    expect(paths['/api/me']?.get).toMatchObject({
      security: [{ bearer: [] }, { apiKey: [] }],
      responses: { 401: { description: 'The request is not authenticated.' } },
    });
    expect(paths['/api/orders']?.get?.responses).toMatchObject({
      403: { description: `The caller lacks one of the scopes 'orders:read', 'admin'.` },
    });
    expect(paths['/machines/usage']?.get).toMatchObject({ security: [{ apiKey: [] }] });
    expect(Object.keys(components?.securitySchemes ?? {})).toEqual(['apiKey', 'bearer']);
  });
});
