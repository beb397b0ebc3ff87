// Guards of Apps, registries, groups and routes are all asked, and lists say what is asked.
import { describe, expect, it } from 'vitest';
import { apiKey, StaticKeys } from '../auth/api-key/index.js';
import { Jwt } from '../auth/jwt/index.js';
import {
  App,
  createMiddleware,
  Principal,
  provide,
  requireAllScopes,
  requireAuth,
  requireScope,
  route,
} from '../index.js';
import { openApiFromApp, RpcMode, RpcRegistry } from '../rpc/index.js';
import { MemoryStore, session } from '../session/index.js';

const jwt = Jwt.hs256('a secret of at least 32 bytes, really').expiresIn(3600);
const bearer = (scope = ''): Record<string, string> => ({
  authorization: `Bearer ${jwt.sign({ sub: 'u1', scope })}`,
});
const store = new StaticKeys().insert('plain-key', 'cashier').withScopes('staff-key', 'boss', ['staff']);
const key = { 'x-api-key': 'plain-key' };
const staffKey = { 'x-api-key': 'staff-key' };

async function status(app: App, target: string, headers: Record<string, string> = {}): Promise<number> {
  const [method = 'GET', path = ''] = target.split(' ');
  const body = method === 'POST' ? { body: '{}' } : {};
  const all = { 'content-type': 'application/json', ...headers };
  return (await app.fetch(new Request(`http://x${path}`, { method, headers: all, ...body }))).status;
}

describe('a guard with scopes', () => {
  const rpc = () =>
    RpcRegistry.withMode(RpcMode.Rest)
      .requireAuth()
      .mutationWithTypes('deleteUser', () => 'deleted', '{}', 'string');
  const admin = new App()
    .requireAuth({ scopes: ['staff'] })
    .get('/page', () => 'page')
    .mountRest('/rpc', rpc())
    .get('/key', apiKey({ store }), () => 'key')
    .get(route('/used', { use: [provide({ key: apiKey({ store }) })] }), () => 'used')
    .get('/optional', apiKey({ store, optional: true }), () => 'optional');
  const app = new App().use(jwt.optional().build()).route('/admin', admin);

  it('is asked beside that of a registry', async () => {
    expect(await status(app, 'POST /admin/rpc/deleteUser')).toBe(401);
    expect(await status(app, 'POST /admin/rpc/deleteUser', bearer())).toBe(403);
    expect(await status(app, 'POST /admin/rpc/deleteUser', bearer('staff'))).toBe(200);
  });

  it.each(['/admin/key', '/admin/used', '/admin/optional'])(
    'is asked when a method of the route itself has authenticated: %s',
    async (path) => {
      expect(await status(app, `GET ${path}`)).toBe(401);
      expect(await status(app, `GET ${path}`, key)).toBe(403);
      expect(await status(app, `GET ${path}`, staffKey)).toBe(200);
    },
  );

  it('is in the list for all of them', () => {
    for (const { path, requires } of app.accessList().routes) {
      expect([path, requires.map(({ scopes }) => scopes)]).toEqual([
        path,
        expect.arrayContaining([['staff']]),
      ]);
    }
  });

  it('is asked over JSON-RPC, single and in a batch', async () => {
    const inner = new RpcRegistry().requireAuth({ except: ['open'] }).query('open', () => 1);
    const both = new App()
      .use(jwt.optional().build())
      .requireAuth({ scopes: ['staff'] })
      .mountRpc('/rpc', inner);
    const call = async (body: unknown, headers: Record<string, string>): Promise<number> => {
      const init = { method: 'POST', body: JSON.stringify(body) };
      const type = { 'content-type': 'application/json' };
      return (await both.fetch(new Request('http://x/rpc', { ...init, headers: { ...type, ...headers } })))
        .status;
    };
    const one = { jsonrpc: '2.0', id: 1, method: 'open' };
    for (const body of [one, [one, one]]) {
      expect(await call(body, {})).toBe(401);
      expect(await call(body, bearer())).toBe(403);
      expect(await call(body, bearer('staff'))).toBe(200);
    }
  });

  it('of a group and of the registry that it is merged into are both asked', async () => {
    const group = RpcRegistry.group('users')
      .requireAuth({ scopes: ['users'] })
      .query('list', () => 1);
    const whole = RpcRegistry.withMode(RpcMode.Rest);
    whole.merge(group).requireAuth({ scopes: ['staff'] });
    const merged = new App().use(jwt.optional().build()).mountRest('/api', whole);
    expect(await status(merged, 'GET /api/users.list', bearer('users'))).toBe(403);
    expect(await status(merged, 'GET /api/users.list', bearer('staff'))).toBe(403);
    expect(await status(merged, 'GET /api/users.list', bearer('staff users'))).toBe(200);
    expect(String(merged.accessList())).toContain('scope staff, and users (bearer)');
  });

  it('runs once, and a method of the route once too', async () => {
    let count = 0;
    const counting = {
      validate: (presented: string) => {
        count += 1;
        return store.validate(presented);
      },
    };
    const once = new App().requireAuth().get('/', apiKey({ store: counting }), ({ id }) => id);
    expect(await status(once, 'GET /', key)).toBe(200);
    expect(count).toBe(1);
  });

  it('refuses a scope that nobody can have, and a list without any', () => {
    const refusal = /; give a (?:list of at least one: a )?scope, such as/;
    for (const scopes of [[''], [1], 'staff', []] as never[]) {
      expect(() => new App().requireAuth({ scopes })).toThrow(refusal);
      expect(() => new RpcRegistry().requireAuth({ scopes })).toThrow(refusal);
    }
  });
});

describe('the options of a guard', () => {
  it('are refused if they are misspelled, which would ask for less', () => {
    const options = { scope: ['staff'] } as never;
    expect(() => new App().requireAuth(options)).toThrow(
      "requireAuth has no option 'scope'; did you mean 'scopes'? there are except, scopes",
    );
    expect(() => new RpcRegistry().requireAuth(options)).toThrow("no option 'scope'");
  });
});

describe('an optional method as an extractor', () => {
  const list = route('/list', { summary: 'list' });
  const operationOf = (app: App) =>
    openApiFromApp(app, { title: 'T', version: '1' }).toJSON().paths['/list']?.get;
  const optionals = {
    'an API key': apiKey({ store, optional: true }),
    'a token': jwt.optional().build(),
  };

  it.each(Object.entries(optionals))('%s leaves the route open, and says so', async (_, optional) => {
    const app = new App().get(list, optional, (principal) => principal?.id ?? 'anyone');
    expect(await status(app, 'GET /list')).toBe(200);
    expect(await status(app, 'GET /list', { ...key, ...bearer() })).toBe(200);
    expect(await status(app, 'GET /list', { 'x-api-key': 'wrong', authorization: 'Bearer x' })).toBe(200);
    expect(app.accessList().open).toHaveLength(1);
    expect(operationOf(app)?.security).toContainEqual({});
    expect(operationOf(app)?.responses).not.toHaveProperty('401');
  });

  it.each(Object.entries(optionals))('%s opens a guarded route to who has it', async (_, optional) => {
    const app = new App().requireAuth().get(list, optional, (principal) => principal?.id ?? 'anyone');
    expect(await status(app, 'GET /list')).toBe(401);
    expect(await status(app, 'GET /list', { ...key, ...bearer() })).toBe(200);
    expect(app.accessList().open).toHaveLength(0);
    expect(operationOf(app)?.security).not.toContainEqual({});
    expect(operationOf(app)?.responses).toHaveProperty('401');
  });

  it('a session does not open a guarded route', async () => {
    const sessions = session(new MemoryStore());
    const app = new App()
      .use(sessions)
      .requireAuth({ except: ['POST /in'] })
      .post('/in', (ctx) => ctx.session().signIn('ada'))
      .get('/cart', sessions, (own) => own.userId ?? 'nobody');
    expect(await status(app, 'GET /cart')).toBe(401);
    const signedIn = await app.fetch(new Request('http://x/in', { method: 'POST' }));
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await status(app, 'GET /cart', { cookie })).toBe(200);
  });
});

describe('the document of serveDocs', () => {
  const rpc = (isGuarded: boolean, mode: RpcMode = RpcMode.Rest) => {
    const registry = RpcRegistry.withMode(mode).queryWithTypes('me', () => 'me', '{}', 'string');
    return isGuarded ? registry.requireAuth() : registry;
  };
  const app = new App()
    .use(jwt.optional().build())
    .requireAuth({ except: ['/docs', '/docs/*', '/open/me', '/shared'] })
    .mountRest('/rest', rpc(false))
    .mountRest('/guarded', rpc(true))
    .mountRest('/open', rpc(false))
    .mountRpc('/rpc', rpc(true, RpcMode.JsonRpc))
    .mountRpc('/shared', rpc(true, RpcMode.JsonRpc));
  app.serveDocs('/docs', app, { title: 'T' });

  it('says who may call procedures', async () => {
    const response = await app.fetch(new Request('http://x/docs/openapi.json'));
    const { paths, components } = (await response.json()) as {
      paths: Record<string, Record<string, { security?: object[]; responses: object }>>;
      components: { securitySchemes: object };
    };
    expect(components.securitySchemes).toHaveProperty('bearer');
    for (const path of ['/rest/me', '/guarded/me', '/rpc']) {
      const operation = Object.values(paths[path] ?? {})[0];
      expect([path, operation?.security]).toEqual([path, [{ bearer: [] }]]);
      expect(Object.keys(operation?.responses ?? {})).toContain('401');
    }
    expect(paths['/open/me']?.get?.security).toEqual([{ bearer: [] }, {}]);
    expect(paths['/shared']?.post?.security).toEqual([{ bearer: [] }, {}]);
    expect(Object.keys(paths['/shared']?.post?.responses ?? {})).not.toContain('401');
  });
});

/** Numbers from 0 to 1 that are the same for a seed: mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('random nestings of guards and methods', () => {
  const SCOPES = ['a', 'b', 'c'];
  const keys = new StaticKeys();
  const subsets = [[], ['a'], ['b'], ['a', 'b'], ['a', 'b', 'c']];
  for (const scopes of subsets) keys.withScopes(`key-${scopes.join('')}`, 'machine', scopes);
  const credentials: { names: string[]; scopes: readonly string[]; headers: Record<string, string> }[] = [
    { names: [], scopes: [], headers: {} },
    ...subsets.flatMap((scopes) => [
      { names: ['bearer'], scopes, headers: bearer(scopes.join(' ')) },
      { names: ['apiKey'], scopes, headers: { 'x-api-key': `key-${scopes.join('')}` } },
      {
        names: ['bearer', 'apiKey'],
        scopes,
        headers: { ...bearer(scopes.join(' ')), 'x-api-key': `key-${scopes.join('')}` },
      },
    ]),
  ];

  /** An App with guards and methods in all places, and a route of each kind. */
  function make(next: () => number): App {
    const maybe = (chance: number) => next() < chance;
    const some = () => SCOPES.filter(() => maybe(0.3));
    const guardOptions = () => {
      const scopes = some();
      return scopes.length === 0 ? {} : { scopes };
    };
    const method = () => {
      if (maybe(0.5)) return apiKey({ store: keys, optional: maybe(0.5) });
      return maybe(0.5) ? jwt.optional().build() : jwt.build();
    };
    const step = () => {
      const scopes = some();
      const kinds = [
        () => createMiddleware((_, go) => go()),
        () => requireAuth(),
        () => requireScope(SCOPES[Math.floor(next() * 3)] ?? 'a'),
        () => (scopes.length === 0 ? requireAuth() : requireAllScopes(scopes)),
        () => provide({ who: method() }),
        () => provide({ me: Principal }),
      ];
      return (kinds[Math.floor(next() * kinds.length)] as () => ReturnType<typeof requireAuth>)();
    };
    const steps = () => Array.from({ length: Math.floor(next() * 3) }, step);
    const registry = (mode: RpcMode) => {
      const rpc = RpcRegistry.withMode(mode);
      if (maybe(0.3)) rpc.use(step());
      if (maybe(0.4)) rpc.requireAuth({ ...guardOptions(), ...(maybe(0.4) && { except: ['g.one'] }) });
      const group = RpcRegistry.group('g');
      if (maybe(0.3)) group.use(step());
      group.query('one', { use: steps() }, () => 1).query('two', { use: steps() }, () => 2);
      if (maybe(0.4)) group.requireAuth({ ...guardOptions(), ...(maybe(0.4) && { except: ['two'] }) });
      return rpc.merge(group);
    };
    const level = (inner: App | undefined): App => {
      const app = new App();
      if (maybe(0.5)) app.use(method());
      if (maybe(0.5)) app.requireAuth({ ...guardOptions(), ...(maybe(0.4) && { except: ['/plain'] }) });
      app.get('/plain', () => 'plain');
      app.get('/own', ...(Array.from({ length: Math.floor(next() * 3) }, method) as [never]), () => 'own');
      app.get(
        route('/used', { use: steps() }),
        ...((maybe(0.3) ? [Principal] : []) as [never]),
        () => 'used',
      );
      app.mountRest('/rest', registry(RpcMode.Rest)).mountRpc('/rpc', registry(RpcMode.JsonRpc));
      return inner === undefined ? app : app.route('/in', inner);
    };
    return level(level(maybe(0.5) ? level(undefined) : undefined));
  }

  async function isAnswered(app: App, method: string, path: string, headers: Record<string, string>) {
    if (method === 'GET')
      return (await app.fetch(new Request(`http://x${path}`, { headers }))).status === 200;
    const [at, name] = path.split(' ');
    const response = await app.fetch(
      new Request(`http://x${at}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: name }),
      }),
    );
    return response.status === 200 && 'result' in ((await response.json()) as object);
  }

  it('are answered as the list says', async () => {
    const first = Number(process.env.FW_SEED ?? Date.now() % 1_000_000);
    for (let seed = first; seed < first + 60; seed += 1) {
      const app = make(random(seed));
      for (const { method, path, who, requires, methods } of app.accessList().routes) {
        for (const { names, scopes, headers } of credentials) {
          const isPresented = methods.some((one) => one.split(' and ').every((name) => names.includes(name)));
          const hasScopes = requires.every(({ scopes: needed = [], match }) =>
            match === 'any'
              ? needed.some((one) => scopes.includes(one))
              : needed.every((one) => scopes.includes(one)),
          );
          const says = who === 'anyone' || (isPresented && hasScopes);
          const answered = await isAnswered(app, method, path, headers);
          expect([`FW_SEED=${seed}`, method, path, names, scopes, answered]).toEqual([
            `FW_SEED=${seed}`,
            method,
            path,
            names,
            scopes,
            says,
          ]);
        }
      }
    }
  });
});
