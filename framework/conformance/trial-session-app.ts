// Tests of sessions: an App that counts, signs in and out, and stores that answer later.
import { App } from '../app/app.js';
import { FwError } from '../http/errors.js';
import type { MemoryStore } from '../session/memory-store.js';
import { session } from '../session/session.js';
import type { SessionOptions } from '../session/session-config.js';
import type { SessionStore } from '../session/session-store.js';
import { TestClient } from '../testing/index.js';

export const NAME: string = '__Host-sid';

export function appWith(store: SessionStore, options: SessionOptions = {}): App {
  return new App()
    .use(session(store, options))
    .get('/', (ctx) => ({ count: ctx.session().get('count') ?? 0, user: ctx.session().userId ?? null }))
    .post('/count', (ctx) => {
      const count = ((ctx.session().get('count') as number | undefined) ?? 0) + 1;
      ctx.session().set('count', count);
      return { count };
    })
    .post('/login/:user', (ctx) => ctx.session().signIn(ctx.req.param('user'), { scopes: ['notes'] }))
    .post('/regenerate', (ctx) => ctx.session().regenerate())
    .post('/logout', (ctx) => ctx.session().clear())
    .get('/me', (ctx) => ctx.requireScope('notes'))
    .post('/fails', (ctx) => {
      ctx.session().set('count', 7);
      throw FwError.badRequest('no');
    });
}

/** The value of the session's cookie in a response. */
export function secretIn(setCookie: string | undefined): string {
  return /^__Host-sid=([\w-]{43});/.exec(setCookie ?? '')?.[1] ?? `none in ${setCookie}`;
}

export const withCookie = (value: string, name: string = NAME): { headers: Record<string, string> } => ({
  headers: { cookie: `${name}=${value}` },
});

/** A signed-in session of the user: its secret. */
export async function login(app: App, user = 'ada'): Promise<string> {
  return secretIn((await new TestClient(app).post(`/login/${user}`)).header('set-cookie'));
}

/** The same store with answers that come later. */
export function asynchronous(store: MemoryStore): SessionStore {
  const later = () => new Promise((resolve) => setImmediate(resolve));
  return {
    load: (key) => later().then(() => store.load(key)),
    async create(key, stored) {
      await later();
      store.create(key, stored);
    },
    update: (key, changes) => later().then(() => store.update(key, changes)),
    async delete(key) {
      await later();
      store.delete(key);
    },
    list: (userId) => later().then(() => store.list(userId)),
    end: (userId, id) => later().then(() => store.end(userId, id)),
    endAll: (userId, options) => later().then(() => store.endAll(userId, options)),
  };
}
