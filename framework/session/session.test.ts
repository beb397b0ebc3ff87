import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
import { appWith, NAME } from '../conformance/trial-session-app.js';
import { cors } from '../middleware/cors.js';
import { TestClient } from '../testing/index.js';
import { subscribe } from '../tracing/subscribe.js';
import { MemoryStore } from './memory-store.js';
import { session } from './session.js';
import { SessionConfig, type SessionOptions } from './session-config.js';
import type { SessionStore } from './session-store.js';

describe('a session', () => {
  it('keeps values from request to request, in a cookie for the server alone', async () => {
    const store = new MemoryStore();
    const client = new TestClient(appWith(store));
    const first = await client.post('/count');
    const secret = client.cookie(NAME) ?? '';
    expect(first.header('set-cookie')).toBe(`${NAME}=${secret}; Path=/; HttpOnly; Secure; SameSite=Lax`);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect((await client.post('/count')).assertJson({ count: 2 }).header('set-cookie')).toBeUndefined();
    (await client.get('/')).assertJson({ count: 2, user: null });
    (await new TestClient(appWith(store)).get('/')).assertJson({ count: 0, user: null });
  });

  it.each([[[]], [['a']]])(
    'keeps the scopes %j that its user was given, whatever happens to the list',
    async (given) => {
      const scopes: string[] = [...given];
      const app = new App()
        .use(session(new MemoryStore()))
        .post('/login', (ctx) => {
          ctx.session().signIn('ada', { scopes });
          scopes.push('later');
        })
        .get('/me', (ctx) => ({ ...ctx.principal() }));
      const client = new TestClient(app);
      await client.post('/login');
      (await client.get('/me')).assertJson({ id: 'ada', scopes: given });
    },
  );

  it('is not stored, and has no cookie, before something is set', async () => {
    const store = new MemoryStore();
    const client = new TestClient(appWith(store));
    for (const path of ['/', '/nope', '/me'])
      expect((await client.get(path)).header('set-cookie')).toBeUndefined();
    for (const path of ['/regenerate'])
      expect((await client.post(path)).header('set-cookie')).toBeUndefined();
    expect(store.size).toBe(0);
  });

  it('is not stored if what was set was removed again', async () => {
    const store = new MemoryStore();
    const app = new App().use(session(store)).get('/', (ctx) => {
      ctx.session().set('a', 1);
      ctx.session().delete('a');
    });
    expect((await new TestClient(app).get('/')).header('set-cookie')).toBeUndefined();
    expect(store.size).toBe(0);
  });

  it('keeps what was set before an error, and its cookie goes with the error', async () => {
    const app = appWith(new MemoryStore()).onError((error, ctx) =>
      ctx.json({ seen: (error as Error).message }, 400),
    );
    const client = new TestClient(app);
    (await client.post('/fails')).assertStatus(400).assertJson({ seen: 'no' });
    (await client.get('/')).assertJson({ count: 7, user: null });
  });

  it('keeps a response with its cookie out of caches', async () => {
    const app = new App().use(session(new MemoryStore())).get('/', (ctx) => {
      ctx.session().set('a', 1);
      ctx.header('Cache-Control', 'public, max-age=60');
    });
    const client = new TestClient(app);
    (await client.get('/')).assertHeader('cache-control', 'no-store');
    (await client.get('/')).assertHeader('cache-control', 'public, max-age=60');
  });

  it('works over a socket, where fields of other middleware stay', async () => {
    const app = new App()
      .use(cors())
      .use(session(new MemoryStore()))
      .post('/', (ctx) => ctx.session().set('a', 1));
    const server = await app.listen(0);
    const response = await fetch(server.url, { method: 'POST', headers: { origin: 'https://x.example' } });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    const again = await fetch(server.url, { method: 'POST', headers: { cookie } });
    expect(again.headers.get('set-cookie')).toBeNull();
    await server.close();
  });

  it('says how to install it where it is missing', async () => {
    const errors: unknown[] = [];
    const stop = subscribe(({ fields }) => errors.push((fields.error as Error).message));
    await new TestClient(new App().get('/', (ctx) => ctx.session().get('a') as string)).get('/');
    stop();
    expect(errors).toEqual([expect.stringContaining('app.use(session(store))')]);
  });

  it('describes itself as a security scheme', () => {
    const { describes } = session(new MemoryStore(), { secure: false });
    expect(describes.security).toEqual({ session: { type: 'apiKey', in: 'cookie', name: 'sid' } });
  });
});

describe('signing in', () => {
  it('makes the user the principal, in that request and later', async () => {
    const app = appWith(new MemoryStore()).post('/both', (ctx) => {
      ctx.session().signIn('bob', { scopes: ['a'] });
      return ctx.requireScope('a').id;
    });
    (await new TestClient(app).post('/both')).assertText('bob');
    const client = new TestClient(app);
    await client.post('/login/ada');
    (await client.get('/me')).assertJson({ id: 'ada', scopes: ['notes'] });
    await client.post('/logout');
    (await client.get('/me')).assertStatus(401);
  });

  it('keeps the values of a visitor, but not those of another user', async () => {
    const client = new TestClient(appWith(new MemoryStore()));
    await client.post('/count');
    await client.post('/login/ada');
    (await client.get('/')).assertJson({ count: 1, user: 'ada' });
    await client.post('/login/bob');
    (await client.get('/')).assertJson({ count: 0, user: 'bob' });
  });

  it('of another user hides the values of the first at once', async () => {
    const app = appWith(new MemoryStore()).post('/switch', (ctx) => {
      ctx.session().signIn('bob');
      return { count: ctx.session().get('count') ?? 0 };
    });
    const client = new TestClient(app);
    await client.post('/login/ada');
    await client.post('/count');
    (await client.post('/switch')).assertJson({ count: 0 });
  });

  it('signs out for the rest of the request', async () => {
    const app = appWith(new MemoryStore()).post('/out', (ctx) => {
      ctx.session().clear();
      return { user: ctx.session().userId ?? null, principal: ctx.principal() ?? null };
    });
    const client = new TestClient(app);
    await client.post('/login/ada');
    (await client.post('/out')).assertJson({ user: null, principal: null });
  });

  it('removes no cookie that the request did not carry, as that of a form on another site', async () => {
    const app = appWith(new MemoryStore()).post('/out', (ctx) => ctx.session().clear());
    const cookies = async (headers: Record<string, string>) =>
      (await app.fetch(new Request('https://x/out', { method: 'POST', headers }))).headers.getSetCookie();
    expect(await cookies({})).toEqual([]);
    expect(await cookies({ cookie: `${NAME}=unknown` })).toEqual([expect.stringContaining('Max-Age=0')]);
  });

  it('refuses a user without an id', async () => {
    const app = new App().use(session(new MemoryStore())).post('/', (ctx) => ctx.session().signIn(''));
    (await new TestClient(app).post('/')).assertStatus(500);
  });
});

describe('the sessions of a user', () => {
  const listing = (store: SessionStore) =>
    appWith(store)
      .get('/sessions', (ctx) => ctx.session().list())
      .delete('/sessions/:id', (ctx) => ctx.session().end(ctx.req.param('id')))
      .delete('/sessions', (ctx) => ctx.session().endOthers());

  it('are listed, and ended one by one or all others', async () => {
    const store = new MemoryStore();
    const app = listing(store);
    const make = () => new TestClient(app);
    const [one, two, three, other] = [make(), make(), make(), make()];
    const listOf = async (client: TestClient) =>
      (await client.get('/sessions')).json() as { id: string; isCurrent: boolean }[];
    for (const client of [one, two, three]) await client.post('/login/ada');
    await other.post('/login/bob');
    const list = await listOf(one);
    expect(list.map(({ isCurrent }) => isCurrent).sort()).toEqual([false, false, true]);
    expect(list.map(({ id }) => id)).not.toContain(one.cookie(NAME));
    const [foreign] = await listOf(other);
    (await one.delete(`/sessions/${foreign?.id}`)).assertJson(false);
    (await other.get('/me')).assertStatus(200);
    const second = (await listOf(two)).find(({ isCurrent }) => isCurrent);
    (await one.delete(`/sessions/${second?.id}`)).assertJson(true);
    (await two.get('/me')).assertStatus(401);
    (await one.delete('/sessions')).assertJson(1);
    (await three.get('/me')).assertStatus(401);
    (await one.get('/me')).assertStatus(200);
    expect(await store.endAll('ada')).toBe(1);
    (await one.get('/me')).assertStatus(401);
    (await new TestClient(app).get('/sessions')).assertJson([]);
    (await new TestClient(app).delete('/sessions')).assertJson(0);
  });

  it('can end the current one, like clear()', async () => {
    const client = new TestClient(listing(new MemoryStore()));
    await client.post('/login/ada');
    const [own] = (await client.get('/sessions')).json() as { id: string }[];
    (await client.delete(`/sessions/${own?.id}`)).assertJson(true);
    expect(client.cookie(NAME)).toBeUndefined();
  });
});

describe('values', () => {
  const Data = z
    .object({ cart: z.array(z.string()), since: z.coerce.date(), size: z.number().default(1) })
    .partial();

  it('are typed and checked by a schema, also as an extractor', async () => {
    const sessions = session(new MemoryStore(), { schema: Data });
    const app = new App()
      .use(sessions)
      .post('/', sessions, (current) => {
        current.set('cart', ['a']);
        current.set('since', new Date(0));
        return [current.get('cart')?.length, current.get('since')?.getTime()];
      })
      .get('/', sessions, (current) => [current.get('cart'), current.get('since'), current.get('size')])
      .post('/wrong', (ctx) => ctx.session().set('cart', 'b'))
      .post('/unknown', (ctx) => ctx.session().set('other', 'b'));
    const client = new TestClient(app);
    (await client.post('/')).assertJson([1, 0]);
    (await client.get('/')).assertJson([['a'], '1970-01-01T00:00:00.000Z', 1]);
    for (const path of ['/wrong', '/unknown']) (await client.post(path)).assertStatus(500);
    (await client.get('/')).assertJson([['a'], '1970-01-01T00:00:00.000Z', 1]);
  });

  it('that do not fit after a change of the schema are left out', async () => {
    const store = new MemoryStore();
    const before = new TestClient(
      new App().use(session(store)).post('/', (ctx) => {
        ctx.session().set('cart', 'one, two');
        ctx.session().set('size', 3);
      }),
    );
    await before.post('/');
    const sessions = session(store, { schema: Data });
    const after = new App()
      .use(sessions)
      .get('/', sessions, (current) => [current.get('cart') ?? 'none', current.get('size')]);
    const cookie = `${NAME}=${before.cookie(NAME)}`;
    (await new TestClient(after).get('/', { headers: { cookie } })).assertJson(['none', 3]);
  });

  it('are JSON, of any key', async () => {
    const app = new App()
      .use(session(new MemoryStore()))
      .post('/', (ctx) => {
        ctx.session().set('__proto__', { a: 1 });
        ctx.session().set('', null);
      })
      .get('/', (ctx) => [
        ctx.session().get('__proto__'),
        ctx.session().get(''),
        ctx.session().get('constructor') ?? 0,
      ])
      .post('/wrong', (ctx) => ctx.session().set('a', undefined));
    const client = new TestClient(app);
    await client.post('/');
    (await client.get('/')).assertJson([{ a: 1 }, null, 0]);
    (await client.post('/wrong')).assertStatus(500);
  });
});

describe('options', () => {
  it('are taken from a builder', async () => {
    const config = new SessionConfig()
      .secure(false)
      .cookieName('app')
      .sameSite('Strict')
      .idleMs(1_000)
      .absoluteMs(5_000)
      .persistent(true);
    const set = await new TestClient(appWith(new MemoryStore(), config.build())).post('/count');
    expect(set.header('set-cookie')).toMatch(
      /^app=[\w-]{43}; Max-Age=5; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const sessions = session(
      new MemoryStore(),
      new SessionConfig().schema(z.object({ a: z.number().optional() })),
    );
    const app = new App()
      .use(sessions)
      .get('/', sessions, (current) => current.get('a')?.toFixed() ?? 'none');
    (await new TestClient(app).get('/')).assertText('none');
  });

  it.each([
    [{ idleMs: 0 }, 'session: idleMs is 0; give a whole number of milliseconds, 1 or more'],
    [{ absoluteMs: Number.POSITIVE_INFINITY }, 'absoluteMs is Infinity'],
    [{ cookieName: 'a b' }, "invalid cookie name 'a b'"],
    [{ cookieName: '__Host-a', secure: false }, 'its prefix needs Secure'],
    [{ sameSite: 'None', secure: false }, 'SameSite=None needs Secure'],
    [{ sameSite: 'lax' as never }, "sameSite is 'lax'; give 'Strict' or 'Lax' or 'None'"],
    [{ schema: {} as never }, 'takes a Standard Schema'],
    [{ schema: z.object({ a: z.number() }) }, 'make every key optional'],
    [{ schema: z.object({}).refine(async () => true) }, 'the schema is asynchronous'],
  ] satisfies [SessionOptions, string][])('are refused if malformed: %#', (options, message) => {
    expect(() => session(new MemoryStore(), options)).toThrow(message);
  });
});
