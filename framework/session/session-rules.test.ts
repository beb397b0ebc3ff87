// Sessions: the rules of single calls, at both sides.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
import { appWith, NAME } from '../conformance/trial-session-app.js';
import type { Session } from '../context/session.js';
import { TestClient } from '../testing/index.js';
import { MemoryStore } from './memory-store.js';
import { session } from './session.js';
import { SessionConfig } from './session-config.js';
import type { SessionStore } from './session-store.js';
import { SessionWatch } from './session-watch.js';

afterEach(() => void vi.useRealTimers());

/** What a handler does with its session; the answer is what it returns, or the error that it throws. */
function handling<Result>(act: (current: Session) => Result, store: SessionStore = new MemoryStore()) {
  const app = new App().use(session(store)).post('/', async (ctx) => {
    try {
      return { result: (await act(ctx.session())) ?? null, id: ctx.session().id ?? null };
    } catch (error) {
      return { error: (error as Error).message };
    }
  });
  return new TestClient(app);
}

const answerOf = async (client: TestClient): Promise<unknown> => (await client.post('/')).json();

describe('an id', () => {
  it('is there as soon as something is set, and gone if that is removed', async () => {
    const ids: (string | undefined)[] = [];
    await answerOf(
      handling((current) => {
        ids.push(current.id);
        current.set('a', 1);
        ids.push(current.id);
        current.set('b', 2);
        current.delete('a');
        ids.push(current.id);
        current.delete('b');
        ids.push(current.id);
      }),
    );
    expect(ids).toEqual([undefined, expect.stringMatching(/^[\w-]+$/), ids[1], undefined]);
  });

  it('stays if a value of a stored session, or of a user, is removed', async () => {
    const client = handling((current) => {
      if (current.get('a') === undefined) current.set('a', 1);
      else current.delete('a');
    });
    const first = (await answerOf(client)) as { id: string };
    expect(await answerOf(client)).toEqual({ result: null, id: first.id });
    const signedIn = handling((current) => {
      current.signIn('ada');
      current.set('a', 1);
      current.delete('a');
    });
    expect(await answerOf(signedIn)).toEqual({ result: null, id: expect.any(String) });
    expect(signedIn.cookie(NAME)).toBeDefined();
  });
});

describe('what is refused', () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);

  it.each<[string, (current: Session) => unknown, string]>([
    [
      'a user that is not a text',
      (one) => one.signIn(7 as never),
      "session.signIn(): the user's id is 7; give a text",
    ],
    [
      'an option that does not exist',
      (one) => one.signIn('ada', { scope: ['admin'] } as never),
      "session.signIn has no option 'scope'; did you mean 'scopes'? there are scopes, label",
    ],
    [
      'options that are none',
      (one) => one.signIn('ada', null as never),
      'session.signIn takes an object of options, got null',
    ],
    ['an empty user', (one) => one.signIn(''), 'session.signIn(): the user\'s id is ""; give a text'],
    [
      'a key that is not a text',
      (one) => one.set(7 as never, 1 as never),
      'session.set(): the key is a number, not a string',
    ],
    [
      'undefined',
      (one) => one.set('a', undefined),
      "session.set('a'): undefined has no JSON form; use delete() to remove it",
    ],
    [
      'a function',
      (one) => one.set('a', () => 1),
      "session.set('a'): a function has no JSON form; use delete()",
    ],
    [
      'a Map',
      (one) => one.set('a', new Map()),
      "session.set('a'): a Map has no JSON form, it would be stored as {};",
    ],
    ['a cycle', (one) => one.set('a', cyclic), 'circular'],
  ])('%s', async (_what, act, message) => {
    expect(await answerOf(handling(act))).toEqual({ error: expect.stringContaining(message) });
  });

  it('values that the schema refuses, with all its reasons', async () => {
    const schema = z.object({ size: z.number().min(5, 'is too small').multipleOf(2, 'is odd') }).partial();
    const sessions = session(new MemoryStore(), { schema });
    const errors: string[] = [];
    const app = new App().use(sessions).post('/', (ctx) => {
      for (const [key, value] of [
        ['size', 3],
        ['other', 1],
      ] as const) {
        try {
          ctx.session().set(key, value as never);
        } catch (error) {
          errors.push((error as Error).message);
        }
      }
      return ctx.session().get('size') ?? null;
    });
    (await new TestClient(app).post('/')).assertJson(null);
    expect(errors).toEqual([
      "session.set('size'): the value does not fit the schema: is too small; is odd",
      "session.set('other'): the schema has no such key",
    ]);
  });
});

describe('stored values that a schema refuses', () => {
  const storedBy = async (store: MemoryStore): Promise<string> => {
    const client = handling((current) => {
      current.set('a', 'x');
      current.set('b', 'y');
    }, store);
    await answerOf(client);
    return client.cookie(NAME) ?? '';
  };

  it.each([
    [
      'one',
      (value: unknown) => ({
        issues: Object.hasOwn(value as object, 'a') ? [{ message: 'no', path: ['a'] }] : undefined,
        value,
      }),
      { b: 'y' },
    ],
    [
      'one that is named by an object',
      (value: unknown) => ({
        issues: Object.hasOwn(value as object, 'a') ? [{ message: 'no', path: [{ key: 'a' }] }] : undefined,
        value,
      }),
      { b: 'y' },
    ],
    [
      'all, without saying which',
      (value: unknown) => ({
        issues: Object.keys(value as object).length > 0 ? [{ message: 'no' }] : undefined,
        value,
      }),
      {},
    ],
  ])('are left out: %s', async (_what, validate, left) => {
    const store = new MemoryStore();
    const cookie = `${NAME}=${await storedBy(store)}`;
    const schema = { '~standard': { version: 1, vendor: 'test', validate } } as never;
    const app = new App()
      .use(session(store, { schema }))
      .get('/', (ctx) => ({ a: ctx.session().get('a'), b: ctx.session().get('b') }));
    (await new TestClient(app).get('/', { headers: { cookie } })).assertJson(left);
  });
});

describe('the sessions of a user', () => {
  it('are listed from the one that was used last, and ended only by an id', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const store = new MemoryStore();
    const app = appWith(store)
      .get('/sessions', async (ctx) => (await ctx.session().list()).map(({ id }) => id))
      .delete('/sessions/:id', (ctx) => ctx.session().end(ctx.req.param('id')));
    const clients = ['first', 'second', 'third'].map(() => new TestClient(app));
    for (const client of clients) {
      vi.advanceTimersByTime(1_000);
      await client.post('/login/ada');
    }
    const [first, second, third] = clients as [TestClient, TestClient, TestClient];
    const ids = (await third.get('/sessions')).json() as string[];
    expect(ids).toHaveLength(3);
    vi.advanceTimersByTime(120_000);
    await second.get('/');
    vi.advanceTimersByTime(120_000);
    // The asking one was used last of all.
    expect((await first.get('/sessions')).json()).toEqual([ids[2], ids[1], ids[0]]);
    (await first.delete('/sessions/no-id')).assertJson(false);
    (await new TestClient(app).delete(`/sessions/${ids[0]}`)).assertJson(false);
    (await first.delete(`/sessions/${ids[0]}`)).assertJson(true);
    (await third.get('/me')).assertStatus(401);
  });

  it('all but the current one are ended, and all if there is none', async () => {
    const store = new MemoryStore();
    const given: unknown[] = [];
    const watched: SessionStore = {
      load: (key) => store.load(key),
      create: (key, stored) => store.create(key, stored),
      update: (key, changes) => store.update(key, changes),
      delete: (key) => store.delete(key),
      list: (userId) => store.list(userId),
      end: (userId, id) => store.end(userId, id),
      endAll(userId, options) {
        given.push(options);
        return store.endAll(userId, options);
      },
    };
    const client = handling((current) => {
      current.signIn('ada');
      return current.endOthers();
    }, watched);
    const { id } = (await answerOf(client)) as { id: string };
    expect(given).toEqual([{ except: id }]);
    expect(await answerOf(handling((current) => current.endOthers(), watched))).toMatchObject({ result: 0 });
    expect(given).toHaveLength(1);
  });
});

it('is over at the moment of its end, whatever its store gives, which is asked for no id that is not a key', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const now = Date.now();
  const asked: string[] = [];
  let expiresAtMs = now + 1;
  const store: SessionStore = {
    load: () => ({
      values: new Map([['a', '"x"']]),
      user: undefined,
      createdAtMs: now,
      usedAtMs: now,
      expiresAtMs,
    }),
    create: () => {},
    update: () => true,
    delete: () => {},
    list: () => [],
    end: (_, id) => asked.push(id) > 0,
    endAll: () => 0,
  };
  const app = new App()
    .use(session(store))
    .get('/', (ctx) => ctx.session().get('a') ?? 'nothing')
    .post('/end', async (ctx) => {
      ctx.session().signIn('ada');
      return [await ctx.session().end('no-key'), await ctx.session().end('k'.repeat(43))];
    });
  const headers = { cookie: `${NAME}=${'s'.repeat(43)}` };
  (await new TestClient(app).get('/', { headers })).assertText('x');
  expiresAtMs = now;
  (await new TestClient(app).get('/', { headers })).assertText('nothing');
  (await new TestClient(app).post('/end')).assertJson([false, true]);
  expect(asked).toEqual(['k'.repeat(43)]);
});

describe('a session that is ended during the request', () => {
  it.each<[string, (current: Session, other: string) => unknown, unknown]>([
    ['lists no others', (current) => current.list(), []],
    ['ends no other', (current, other) => current.end(other), false],
    ['ends not all others', (current) => current.endOthers(), 0],
  ])('%s', async (_, act, expected) => {
    const store = new MemoryStore();
    let other = '';
    const app = appWith(store)
      .get('/id', (ctx) => ctx.session().id ?? '')
      .post('/ended', async (ctx) => {
        const current = ctx.session();
        store.delete(current.id ?? '');
        return { result: await act(current, other) };
      });
    const [one, two] = [new TestClient(app), new TestClient(app)];
    for (const client of [one, two]) await client.post('/login/ada');
    other = (await two.get('/id')).text();
    (await one.post('/ended')).assertJson({ result: expected });
    (await two.get('/me')).assertStatus(200);
  });
});

describe('signing in', () => {
  it('twice keeps that the values of another user are dropped', async () => {
    const store = new MemoryStore();
    const app = appWith(store).post('/switch', (ctx) => {
      ctx.session().signIn('bob');
      ctx.session().signIn('bob', { label: 'again' });
    });
    const client = new TestClient(app);
    await client.post('/login/ada');
    await client.post('/count');
    await client.post('/login/ada');
    (await client.get('/')).assertJson({ count: 1, user: 'ada' });
    await client.post('/switch');
    (await client.get('/')).assertJson({ count: 0, user: 'bob' });
  });

  it('as another user, or ending the session, forgets what the same request has set before', async () => {
    const store = new MemoryStore();
    const app = appWith(store)
      .post('/switch', (ctx) => {
        ctx.session().set('secret', 'of ada');
        ctx.session().signIn('bob');
        ctx.session().set('note', 'of bob');
      })
      .post('/end', (ctx) => {
        ctx.session().set('secret', 'of ada');
        ctx.session().clear();
        ctx.session().set('note', 'of nobody');
      })
      .get('/values', (ctx) => ['secret', 'note'].map((key) => ctx.session().get(key) ?? null));
    const client = new TestClient(app);
    await client.post('/login/ada');
    await client.post('/switch');
    (await client.get('/values')).assertJson([null, 'of bob']);
    await client.post('/login/ada');
    await client.post('/end');
    (await client.get('/values')).assertJson([null, 'of nobody']);
  });

  it('leaves a principal of another middleware alone when it ends', async () => {
    const other = { id: 'service', scopes: [] };
    const app = new App().use(session(new MemoryStore())).post('/', (ctx) => {
      ctx.session().set('a', 1);
      ctx.replacePrincipal(other);
      ctx.session().clear();
      return ctx.principal()?.id ?? null;
    });
    (await new TestClient(app).post('/')).assertText('service');
  });
});

describe('a change after the response', () => {
  const late = (act: (current: Session) => unknown) => {
    const done: unknown[] = [];
    const app = new App().use(session(new MemoryStore())).post('/', (ctx) => {
      const current = ctx.session();
      setImmediate(() => {
        try {
          act(current);
          done.push('done');
        } catch (error) {
          done.push((error as Error).message);
        }
      });
    });
    return async () => {
      await new TestClient(app).post('/');
      await expect.poll(() => done).toHaveLength(1);
      return done[0];
    };
  };

  it.each<[string, (current: Session) => unknown, string]>([
    [
      'set',
      (one) => one.set('a', 1),
      'session.set() starts a session, and the response with its cookie was already made; set a value before',
    ],
    [
      'signIn',
      (one) => one.signIn('ada'),
      'session.signIn() gives the session a new id, and the response with its cookie was already made; sign in before',
    ],
    [
      'regenerate',
      (one) => one.regenerate(),
      'session.regenerate() gives the session a new id, and the response with its cookie was already made; call it before',
    ],
  ])('by %s is refused if it needs a cookie', async (_what, act, message) => {
    expect(await late(act)()).toBe(message);
  });
});

describe('the watch of a session', () => {
  const stored = { usedAtMs: 0, createdAtMs: 0, values: new Map(), user: undefined };
  const watching = (expiresAtMs: number | undefined, update = vi.fn(() => true)) => {
    const store = {
      ...new MemoryStore(),
      load: () => (expiresAtMs === undefined ? undefined : { ...stored, expiresAtMs }),
      update,
    } as never;
    const session = { key: 'k', userId: 'ada', createdAtMs: 0, idleMs: 100, absoluteMs: 1_000 } as never;
    return { watch: new SessionWatch(store, session, () => {}), update };
  };

  it.each([
    [999, 1_500, true],
    [1_000, 1_500, false],
    [500, 501, true],
    [500, 500, false],
    [500, undefined, false],
  ])('at %d ms, of one that ends at %s: %s', async (now, expiresAtMs, isThere) => {
    vi.useFakeTimers({ now });
    expect(await watching(expiresAtMs).watch.check(false)).toBe(isThere);
  });

  it('prolongs one that is used, up to its end', async () => {
    vi.useFakeTimers({ now: 500 });
    const { watch, update } = watching(1_500);
    expect(await watch.check(true)).toBe(true);
    vi.setSystemTime(950);
    await watch.check(true);
    const changes = { set: new Map(), deleted: [] };
    expect(update.mock.calls).toEqual([
      ['k', { ...changes, usedAtMs: 500, expiresAtMs: 600 }],
      ['k', { ...changes, usedAtMs: 950, expiresAtMs: 1_000 }],
    ]);
  });
});

it('is kept by the store no longer than it lives in all, however it is used', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  const store = new MemoryStore();
  const settings = new SessionConfig().idleMs(600_000).absoluteMs(1_000_000).build();
  const client = new TestClient(appWith(store, settings));
  await client.post('/login/ada');
  const [info] = store.list('ada');
  const endsAt = () => store.load(info?.id ?? '')?.expiresAtMs;
  expect(endsAt()).toBe(600_000);
  vi.advanceTimersByTime(399_999);
  await client.get('/');
  expect(endsAt()).toBe(999_999);
  vi.advanceTimersByTime(200_000);
  await client.get('/');
  expect(endsAt()).toBe(1_000_000);
  const long = new TestClient(
    appWith(store, new SessionConfig().idleMs(1_000_000).absoluteMs(1_000).build()),
  );
  await long.post('/login/eve');
  expect(store.load(store.list('eve')[0]?.id ?? '')?.expiresAtMs).toBe(Date.now() + 1_000);
});

it.each([
  [600_000, 30_000],
  [1_800_000, 60_000],
])('of an idle time of %d ms, a use is written once in %d ms', async (idleMs, touchMs) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const store = new MemoryStore();
  const client = new TestClient(appWith(store, new SessionConfig().idleMs(idleMs).build()));
  await client.post('/login/ada');
  const usedAt = (): number => [...store.list('ada')][0]?.usedAtMs ?? 0;
  const start = usedAt();
  vi.advanceTimersByTime(touchMs - 1);
  await client.get('/');
  expect(usedAt()).toBe(start);
  vi.advanceTimersByTime(1);
  await client.get('/');
  expect(usedAt()).toBe(start + touchMs);
});
