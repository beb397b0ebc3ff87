// Sessions: what a store of an application answers that is not a session.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../index.js';
import { MemoryStore, session } from './index.js';
import { SessionWatch } from './session-watch.js';

const cookie = `__Host-sid=${'a'.repeat(43)}`;

/** The status, and who is signed in, where the store answers this. */
async function who(loaded: unknown): Promise<[number, unknown]> {
  const store = Object.assign(new MemoryStore(), { load: () => loaded });
  const app = new App().use(session(store as never)).get('/', (ctx) => ({
    user: ctx.session().userId ?? null,
    admin: ctx.principal()?.scopes.includes('admin'),
  }));
  const response = await app.fetch(new Request('http://x/', { headers: { cookie } }));
  return [response.status, await response.json()];
}

const nobody = { user: null };
const stored = (change: object = {}): object => {
  const now = Date.now();
  return {
    values: new Map(),
    user: undefined,
    createdAtMs: now,
    usedAtMs: now,
    expiresAtMs: now + 60_000,
    ...change,
  };
};

afterEach(() => vi.restoreAllMocks());

describe('load() of a store', () => {
  it.each([undefined, null])('may answer %s for nothing', async (nothing) => {
    expect(await who(nothing)).toEqual([200, nobody]);
    expect(await who(Promise.resolve(nothing))).toEqual([200, nobody]);
  });

  it('may answer null for no user', async () => {
    expect(await who(stored({ user: null }))).toEqual([200, nobody]);
  });

  // A text of a number, as drivers of databases give large ones, would keep a session for ever.
  it.each(['createdAtMs', 'usedAtMs', 'expiresAtMs'])('must answer a number for %s', async (name) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const time of [String(Date.now()), Number.NaN, undefined, new Date()]) {
      expect((await who(stored({ [name]: time, user: { id: 'ada', scopes: [] } })))[0]).toBe(503);
    }
    expect(String(error.mock.calls[0])).toContain('whose times are not all numbers');
  });

  it.each([{}, { id: 'ada' }, { id: 7, scopes: [] }, { id: 'ada', scopes: 'not-admin' }, 'ada'])(
    'signs nobody in as %j',
    async (user) => {
      const error = vi.spyOn(console, 'error').mockImplementation(() => {});
      expect((await who(stored({ user })))[0]).toBe(503);
      expect(String(error.mock.calls[0])).toContain('whose user has no id or no list of scopes');
    },
  );

  it('ends what lives longer than the request if it answers null', async () => {
    const now = Date.now();
    const watched = { key: 'k', userId: 'ada', createdAtMs: now, idleMs: 60_000, absoluteMs: 60_000 };
    const store = Object.assign(new MemoryStore(), { load: () => null });
    expect(await new SessionWatch(store as never, watched, () => {}).check(false)).toBe(false);
  });
});

it('signing in takes a list of scopes', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const app = new App()
    .use(session(new MemoryStore()))
    .get('/', (ctx) => ctx.session().signIn('ada', { scopes: 'admin' as never }));
  expect((await app.fetch(new Request('http://x/'))).status).toBe(500);
});

describe('list() of a store', () => {
  const now = Date.now();
  const info = { id: 'a', label: undefined, createdAtMs: now, usedAtMs: now };
  const list = async (listed: unknown): Promise<Response> => {
    const store = Object.assign(new MemoryStore(), {
      load: () => stored({ user: { id: 'ada', scopes: [] } }),
      update: () => true,
      list: () => listed,
    });
    const app = new App().use(session(store as never)).get('/', (ctx) => ctx.session().list());
    return app.fetch(new Request('http://x/', { headers: { cookie } }));
  };

  it('gives the sessions', async () => {
    expect(await (await list([info])).json()).toMatchObject([{ id: 'a', isCurrent: false }]);
  });

  it.each([undefined, null, 'x', 5, {}, [null], [5], [{ ...info, id: 1 }], [{ ...info, usedAtMs: '1' }]])(
    'is an error that says so for %j',
    async (listed) => {
      const error = vi.spyOn(console, 'error').mockImplementation(() => {});
      expect((await list(listed)).status).toBe(503);
      expect(String(error.mock.calls[0])).toContain('list() of the store of sessions returned');
    },
  );
});
