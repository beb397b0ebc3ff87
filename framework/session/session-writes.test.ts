import { describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { appWith, asynchronous, login, secretIn, withCookie } from '../conformance/trial-session-app.js';
import { TestClient } from '../testing/index.js';
import { subscribe } from '../tracing/subscribe.js';
import { MemoryStore } from './memory-store.js';
import { session } from './session.js';
import type { SessionStore } from './session-store.js';

describe('concurrent requests of one session', () => {
  /** An App whose handler sets a value when it is told to; and its client. */
  async function concurrent(store: SessionStore) {
    const gates = new Map<string, () => void>();
    const arrived = new Map<string, () => void>();
    const app = appWith(store).post('/slow/:key', async (ctx) => {
      const key = ctx.req.param('key');
      arrived.get(key)?.();
      await new Promise<void>((resolve) => gates.set(key, resolve));
      if (key === 'delete') ctx.session().delete('count');
      else if (key === 'login') ctx.session().signIn('eve');
      else if (key === 'regenerate') ctx.session().regenerate();
      else ctx.session().set(key, key);
    });
    app.get('/all', (ctx) => ['a', 'b', 'count'].map((key) => ctx.session().get(key) ?? null));
    const secret = await login(app);
    const send = async (key: string) => {
      const here = new Promise<void>((resolve) => arrived.set(key, resolve));
      const response = new TestClient(app).post(`/slow/${key}`, withCookie(secret));
      await here;
      return { response, go: () => gates.get(key)?.() };
    };
    return { app, secret, send };
  }
  const stores: [string, () => SessionStore][] = [
    ['a store in memory', () => new MemoryStore()],
    ['an asynchronous store', () => asynchronous(new MemoryStore())],
  ];

  it.each(stores)('write only what they have set, with %s', async (_name, makeStore) => {
    const { app, secret, send } = await concurrent(makeStore());
    await new TestClient(app).post('/count', withCookie(secret));
    const requests = [await send('a'), await send('b'), await send('delete')];
    for (const { go } of requests) go();
    for (const { response } of requests) (await response).assertStatus(204);
    (await new TestClient(app).get('/all', withCookie(secret))).assertJson(['a', 'b', null]);
  });

  it.each(stores)('do not bring back one that was signed out, with %s', async (_name, makeStore) => {
    const store = makeStore();
    const { app, secret, send } = await concurrent(store);
    const requests = [await send('a'), await send('regenerate')];
    await new TestClient(app).post('/logout', withCookie(secret));
    for (const { go } of requests) go();
    for (const { response } of requests)
      expect((await response).assertStatus(204).header('set-cookie')).toBeUndefined();
    expect(await store.list('ada')).toEqual([]);
    (await new TestClient(app).get('/me', withCookie(secret))).assertStatus(401);
  });

  it('drop writes to an id that was given up, and keep the new one', async () => {
    const { app, secret, send } = await concurrent(new MemoryStore());
    const { response, go } = await send('a');
    const renewed = secretIn(
      (await new TestClient(app).post('/regenerate', withCookie(secret))).header('set-cookie'),
    );
    go();
    expect((await response).header('set-cookie')).toBeUndefined();
    (await new TestClient(app).get('/all', withCookie(renewed))).assertJson([null, null, null]);
    (await new TestClient(app).get('/me', withCookie(renewed))).assertStatus(200);
  });

  it('let someone sign in whose old session was ended, without its values', async () => {
    const { app, secret, send } = await concurrent(new MemoryStore());
    await new TestClient(app).post('/count', withCookie(secret));
    const { response, go } = await send('login');
    await new TestClient(app).post('/logout', withCookie(secret));
    go();
    const fresh = secretIn((await response).header('set-cookie'));
    (await new TestClient(app).get('/', withCookie(fresh))).assertJson({ count: 0, user: 'eve' });
  });
});

describe('late writes', () => {
  const late = (act: (current: ReturnType<typeof Object>) => unknown, begin = true) => {
    const app = new App().use(session(new MemoryStore())).get('/', (ctx) => {
      if (begin) ctx.session().set('count', 1);
      return ctx.stream(
        (async function* () {
          // Middleware goes on when the first chunk is there.
          yield '';
          await new Promise((resolve) => setImmediate(resolve));
          yield `${await act(ctx.session())}`;
        })(),
      );
    });
    return app.get('/count', (ctx) => ctx.session().get('count') as number);
  };
  async function errorsOf(work: () => Promise<unknown>): Promise<string[]> {
    const errors: string[] = [];
    const stop = subscribe(({ fields }) => errors.push(String((fields.error as Error | undefined)?.message)));
    await work();
    await new Promise((resolve) => setTimeout(resolve, 1));
    stop();
    return errors;
  }

  it('are stored by save()', async () => {
    const client = new TestClient(
      late(async (current) => {
        current.set('count', 2);
        return current.save();
      }),
    );
    expect(await errorsOf(async () => (await client.get('/')).assertText('true'))).toEqual([]);
    (await client.get('/count')).assertJson(2);
  });

  it('do not overtake each other', async () => {
    const store = asynchronous(new MemoryStore());
    let finishCreation = (): void => {};
    const { create } = store;
    store.create = (key, stored) =>
      new Promise<void>((resolve) => {
        finishCreation = resolve;
      }).then(() => create(key, stored));
    const app = appWith(store).post('/twice', async (ctx) => {
      ctx.session().set('count', 1);
      const first = ctx.session().save();
      ctx.session().set('count', 2);
      const second = ctx.session().save();
      setTimeout(() => finishCreation(), 1);
      return Promise.all([first, second]);
    });
    const client = new TestClient(app);
    (await client.post('/twice')).assertJson([true, true]);
    (await client.get('/')).assertJson({ count: 2, user: null });
  });

  it('are reported without it', async () => {
    const client = new TestClient(late((current) => current.set('count', 2)));
    expect(await errorsOf(() => client.get('/'))).toEqual([
      expect.stringContaining('call save() right after it'),
    ]);
    (await client.get('/count')).assertJson(1);
  });

  it.each([
    ['set', (current: { set(key: string, value: unknown): void }) => current.set('a', 1), false],
    ['signIn', (current: { signIn(user: string): void }) => current.signIn('ada'), true],
    ['regenerate', (current: { regenerate(): void }) => current.regenerate(), true],
  ] as const)('throw if %s would need a cookie', async (_name, act, begin) => {
    const app = late((current) => {
      try {
        act(current);
      } catch (error) {
        return (error as Error).message;
      }
      return 'nothing was thrown';
    }, begin);
    expect((await new TestClient(app).get('/')).text()).toContain('was already made');
  });
});

describe('a store that fails', () => {
  const failing = (...methods: (keyof SessionStore)[]) => {
    const fail = () => Promise.reject(new Error('connection refused'));
    return Object.assign(
      asynchronous(new MemoryStore()),
      Object.fromEntries(methods.map((name) => [name, fail])),
    );
  };

  it('gives 503 with Retry-After to requests with a session, and none of the others notice', async () => {
    const app = appWith(failing('load'));
    (await new TestClient(app).get('/')).assertStatus(200);
    const answer = await new TestClient(app).get('/', withCookie('A'.repeat(43)));
    answer.assertStatus(503).assertHeader('retry-after', '5');
    expect(answer.text()).not.toContain('refused');
  });

  it.each(['create', 'update', 'delete'] as const)(
    'gives 503 if %s fails, and no new cookie',
    async (method) => {
      const good = asynchronous(new MemoryStore());
      const secret = await login(appWith(good));
      const app = appWith(Object.assign(good, { [method]: () => Promise.reject(new Error('refused')) }));
      const path = { create: '/count', update: '/regenerate', delete: '/logout' }[method];
      const answer = await new TestClient(app).post(path, method === 'create' ? {} : withCookie(secret));
      expect(answer.assertStatus(503).header('set-cookie')).toBeUndefined();
    },
  );

  it('gives no cookie of a session that was not stored, if the handler goes on', async () => {
    const app = appWith(failing('create')).post('/goes-on', async (ctx) => {
      ctx.session().set('a', 1);
      return ctx
        .session()
        .save()
        .then(String, () => 'went on');
    });
    const answer = await new TestClient(app).post('/goes-on');
    expect(answer.assertText('went on').header('set-cookie')).toBeUndefined();
  });

  /** A store whose method fails once, when it is told to. */
  const failingOnce = (method: 'create' | 'update' | 'delete') => {
    const store = asynchronous(new MemoryStore());
    const good = store[method].bind(store) as (...args: unknown[]) => unknown;
    let isDue = false;
    const once = async (...args: unknown[]) => {
      const mustFail = isDue;
      isDue = false;
      if (mustFail) throw new Error('no answer in time');
      return good(...args);
    };
    return { store: Object.assign(store, { [method]: once }), fail: () => (isDue = true) };
  };

  it('is asked again for what it has not written, by save() and for the response', async () => {
    const { store, fail } = failingOnce('update');
    const app = appWith(store).post('/twice/:how', async (ctx) => {
      const current = ctx.session();
      current.set('count', 5);
      current.delete('other');
      fail();
      const first = await current.save().then(String, () => 'failed');
      if (ctx.req.param('how') === 'changed') current.set('count', 6);
      return ctx.req.param('how') === 'answer' ? [first] : [first, await current.save()];
    });
    app.post('/other', (ctx) => ctx.session().set('other', 1));
    app.get('/all', (ctx) => ['count', 'other'].map((key) => ctx.session().get(key) ?? null));
    const client = new TestClient(app);
    const secret = await login(app);
    for (const [how, answer, count] of [
      ['save', ['failed', true], 5],
      ['changed', ['failed', true], 6],
      ['answer', ['failed'], 5],
    ] as const) {
      await client.post('/other', withCookie(secret));
      (await client.post(`/twice/${how}`, withCookie(secret))).assertJson(answer);
      (await client.get('/all', withCookie(secret))).assertJson([count, null]);
    }
  });

  it.each(['save', 'answer'])('ends a session that was cleared with the next write, by %s', async (how) => {
    const { store, fail } = failingOnce('delete');
    const app = appWith(store).post('/out', async (ctx) => {
      ctx.session().clear();
      fail();
      const first = await ctx
        .session()
        .save()
        .then(String, () => 'failed');
      return how === 'answer' ? [first] : [first, await ctx.session().save()];
    });
    const secret = await login(app);
    const answer = await new TestClient(app).post('/out', withCookie(secret));
    answer.assertJson(how === 'answer' ? ['failed'] : ['failed', true]);
    expect(await store.list('ada')).toEqual([]);
    (await new TestClient(app).get('/me', withCookie(secret))).assertStatus(401);
  });

  it('does not say that a new session is stored whose cookie is not sent', async () => {
    const store = asynchronous(new MemoryStore());
    const { create } = store;
    let calls = 0;
    store.create = async (...args) => {
      await create(...args);
      calls += 1;
      if (calls === 1) throw new Error('no answer in time');
    };
    const app = appWith(store).post('/in/:again', async (ctx) => {
      const current = ctx.session();
      current.signIn('eve', { scopes: ['notes'] });
      const first = await current.save().then(String, () => 'failed');
      if (ctx.req.param('again') === 'yes') current.signIn('eve', { scopes: ['notes'] });
      return [first, await current.save()];
    });
    const answer = await new TestClient(app).post('/in/no');
    expect(answer.assertJson(['failed', false]).header('set-cookie')).toBeUndefined();
    calls = 0;
    const second = await new TestClient(app).post('/in/yes');
    const secret = secretIn(second.assertJson(['failed', true]).header('set-cookie'));
    (await new TestClient(app).get('/me', withCookie(secret))).assertStatus(200);
  });

  it('gives 503 if it throws at once', async () => {
    const store = new MemoryStore();
    store.create = () => {
      throw new Error('full');
    };
    (await new TestClient(appWith(store)).post('/count')).assertStatus(503);
  });

  it('ends the stream of a response that is not sent', async () => {
    let ended = false;
    const store = failing('create');
    const app = new App().use(session(store)).get('/', (ctx) => {
      ctx.session().set('a', 1);
      return ctx.stream({
        [Symbol.asyncIterator]: () => ({
          next: async () => ({ done: false, value: 'x' }),
          return: async () => {
            ended = true;
            return { done: true, value: undefined };
          },
        }),
      });
    });
    (await new TestClient(app).get('/')).assertStatus(503);
    expect(ended).toBe(true);
  });

  it('does not hide the error of the handler', async () => {
    (await new TestClient(appWith(failing('create'))).post('/fails')).assertStatus(400);
  });
});
