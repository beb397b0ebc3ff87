// Who may call procedures: the guard of a registry, single, in a batch, over REST, and in documents.
import { describe, expect, it } from 'vitest';
import { StaticKeys } from '../auth/api-key/index.js';
import { Jwt } from '../auth/jwt/index.js';
import { App, ConfigError, CurrentUser, provide, requireAuth, requireScope } from '../index.js';
import { RpcMode, RpcRegistry } from '../rpc/index.js';

const secret = 'a secret of at least 32 bytes, really';
const jwt = Jwt.hs256(secret).expiresIn(60);
const optionalJwt = Jwt.hs256(secret).optional().build();
const _store = new StaticKeys().withScopes('machine-key', 'machine', ['orders:read']);

function bearer(scope = ''): Record<string, string> {
  return { authorization: `Bearer ${jwt.sign({ sub: 'u1', scope })}` };
}

async function status(app: App, target: string, headers: Record<string, string> = {}): Promise<number> {
  const [method = 'GET', path = '/'] = target.includes(' ') ? target.split(' ') : ['GET', target];
  return (await app.fetch(new Request(`http://x${path}`, { method, headers }))).status;
}

describe('CurrentUser', () => {
  it.each([undefined, null, false, 0, ''])('lets nobody in for %j', async (found) => {
    const app = new App().use(jwt.build()).get(
      '/',
      CurrentUser(() => found as never),
      () => 'in',
    );
    expect(await status(app, '/', bearer())).toBe(401);
  });
});

describe('procedures', () => {
  const users = new Map([['u1', { name: 'Ada' }]]);
  const Me = CurrentUser(({ id }) => users.get(id ?? ''));
  function registry(): RpcRegistry {
    const rpc = new RpcRegistry();
    rpc.query('signIn', () => 'token');
    rpc.query('me', { use: [provide({ user: Me })] }, (_: unknown, { user }) => user.name);
    rpc.query('who', { use: [requireAuth()] }, (_: unknown, { principal }) => principal.id ?? '');
    rpc.mutation('write', { use: [requireScope('w')] }, () => 'written');
    rpc.query('hidden', () => 'hidden');
    return rpc.requireAuth({ except: ['signIn'] });
  }
  const app = new App()
    .use(optionalJwt)
    .requireAuth({ except: ['POST /rpc', 'GET /api/signIn'] })
    .mountRpc('/rpc', registry())
    .mountRest('/api', registry());
  const call = async (body: unknown, headers: Record<string, string> = {}): Promise<unknown> => {
    const response = await app.fetch(
      new Request('http://x/rpc', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    );
    return response.json();
  };
  const one = (method: string, id = 1) => ({ jsonrpc: '2.0', method, id });

  it('are guarded but for the named exceptions, single and in a batch', async () => {
    expect(await call(one('signIn'))).toMatchObject({ result: 'token' });
    expect(await call(one('hidden'))).toMatchObject({ error: { message: 'authentication is required' } });
    expect(await call([one('signIn', 1), one('hidden', 2), one('me', 3)])).toMatchObject([
      { id: 1, result: 'token' },
      { id: 2, error: { message: 'authentication is required' } },
      { id: 3, error: {} },
    ]);
    expect(await call([one('hidden', 1), one('me', 2), one('who', 3)], bearer())).toMatchObject([
      { result: 'hidden' },
      { result: 'Ada' },
      { result: 'u1' },
    ]);
    expect(await call(one('write'), bearer())).toMatchObject({
      error: { message: `this needs the scope 'w'` },
    });
    expect(await call(one('write'), bearer('w'))).toMatchObject({ result: 'written' });
  });

  it('are guarded over REST too', async () => {
    expect(await status(app, '/api/signIn')).toBe(200);
    expect(await status(app, '/api/hidden')).toBe(401);
    expect(await status(app, '/api/me', bearer())).toBe(200);
    expect(await status(app, 'POST /api/write', bearer())).toBe(403);
  });

  it('are 401 for an account that is gone', async () => {
    const gone = { authorization: `Bearer ${jwt.sign({ sub: 'u2' })}` };
    expect(await call(one('me'), gone)).toMatchObject({ error: { message: 'this account does not exist' } });
  });

  it('of a group keep its guard when it is merged', async () => {
    const group = RpcRegistry.group('shop').requireAuth({ except: ['list'] });
    group.query('list', () => 'list');
    group.query('buy', () => 'bought');
    const rpc = new RpcRegistry();
    rpc.query('open', () => 'open');
    rpc.merge(group);
    const shop = new App().use(optionalJwt).mountRest('/api', rpc);
    expect(await status(shop, '/api/open')).toBe(200);
    expect(await status(shop, '/api/shop.list')).toBe(200);
    expect(await status(shop, '/api/shop.buy')).toBe(401);
  });

  it('show refusals and security schemes in the document of REST', () => {
    const rpc = RpcRegistry.withMode(RpcMode.Rest);
    rpc.query('signIn', () => 'token');
    rpc.mutation('write', { use: [requireScope('w')] }, () => 'written');
    rpc.requireAuth({ except: ['signIn'] });
    const security = { bearer: { type: 'http', scheme: 'bearer' } } as const;
    const { paths, components } = rpc.generateOpenapi('T', '1', '/api', { security }).toJSON();
    expect(paths['/write']?.post).toMatchObject({
      security: [{ bearer: [] }],
      responses: { 401: { description: 'The request is not authenticated.' }, 403: {}, 200: {} },
    });
    expect(paths['/signIn']?.get).not.toHaveProperty('security');
    expect(components?.securitySchemes).toEqual(security);
  });

  it('show refusals with their body in the documents of both modes, like those of routes', async () => {
    const guarded = async (mode: RpcMode) => {
      const rpc = RpcRegistry.withMode(mode).mutation('write', { use: [requireScope('w')] }, () => 'written');
      const inner =
        mode === RpcMode.Rest ? new App().mountRest('/api', rpc) : new App().mountRpc('/api', rpc);
      const shop = inner
        .useMiddleware(optionalJwt)
        .requireAuth({ scopes: ['r'], except: ['/docs/*', '/docs'] });
      shop.serveDocs('/docs', shop);
      const response = await shop.fetch(new Request('http://x/docs/openapi.json'));
      const { paths } = (await response.json()) as { paths: Record<string, { post: { responses: object } }> };
      return paths[mode === RpcMode.Rest ? '/api/write' : '/api']?.post.responses;
    };
    const content = { 'application/json': { schema: { type: 'object', required: ['error', 'message'] } } };
    expect(await guarded(RpcMode.JsonRpc)).toMatchObject({
      401: { description: 'The request is not authenticated.', content },
      403: { description: "The caller lacks the scopes 'r'.", content },
    });
    expect(await guarded(RpcMode.Rest)).toMatchObject({
      401: { description: 'The request is not authenticated.', content },
      403: { description: expect.stringMatching(/scopes 'r'\. .*'w'\.$/), content },
    });
  });

  it('are not told to everybody by rpc.discover', async () => {
    const body = JSON.stringify(one('rpc.discover'));
    const answer = async (rpc: RpcRegistry): Promise<unknown> => {
      const shop = new App().mountRpc('/rpc', rpc.discoverable({ title: 'T', version: '1' }));
      const headers = { 'content-type': 'application/json' };
      return (await shop.fetch(new Request('http://x/rpc', { method: 'POST', headers, body }))).json();
    };
    expect(await answer(registry())).toMatchObject({ error: { message: 'authentication is required' } });
    const open = new RpcRegistry().requireAuth({ except: ['rpc.discover'] });
    open.query('secret', () => '');
    expect(await answer(open)).toMatchObject({ result: { openrpc: expect.any(String) } });
  });

  it('refuse an exception that is not a procedure', () => {
    const rpc = new RpcRegistry().requireAuth({ except: ['signin'] });
    rpc.query('signIn', () => '');
    expect(() => new App().mountRpc('/rpc', rpc)).toThrow(
      /excepts 'signin', which is not a procedure.*'signIn'/,
    );
    expect(() => new RpcRegistry().requireAuth().requireAuth()).toThrow(ConfigError);
  });

  it('are listed with who may call them', () => {
    expect(String(app.accessList())).toBe(
      [
        'query     /rpc signIn  anyone',
        'query     /rpc me      authenticated (bearer)',
        'query     /rpc who     authenticated (bearer)',
        'mutation  /rpc write   scope w (bearer)',
        'query     /rpc hidden  authenticated (bearer)',
        'GET       /api/signIn  anyone',
        'GET       /api/me      authenticated (bearer)',
        'GET       /api/who     authenticated (bearer)',
        'POST      /api/write   scope w (bearer)',
        'GET       /api/hidden  authenticated (bearer)',
      ].join('\n'),
    );
  });
});
