// Hostile dialogues: routes behind sessions, keys, tokens, forgery protection and limits, whose stores may misbehave.
import { apiKey } from '../../auth/api-key/index.js';
import { Jwt } from '../../auth/jwt/index.js';
import { App, type AuthMiddleware } from '../../index.js';
import { csrf } from '../../middleware/csrf/index.js';
import { RateLimitKey, rateLimiter, rateLimitState } from '../../middleware/index.js';
import { type SessionMiddleware, type SessionStore, session } from '../../session/index.js';
import { type WebSocketTickets, websocketTickets } from '../../websocket/index.js';
import { at } from './misbehaviour.js';

const HOUR = 3_600_000;

/** Knows every session, of a user. */
const store: SessionStore = {
  load: () =>
    at('session load', () => ({
      values: new Map([['visits', '1']]),
      user: { id: 'ada', scopes: [], label: undefined },
      createdAtMs: Date.now() - HOUR / 2,
      usedAtMs: Date.now() - HOUR / 2,
      expiresAtMs: Date.now() + HOUR,
    })),
  create: () => at('session create', () => {}),
  update: () => at('session update', () => true),
  delete: () => at('session delete', () => {}),
  list: () => at('session list', () => []),
  end: () => at('session end', () => true),
  endAll: () => at('session endAll', () => 1),
  watch: () => at('session watch', () => () => at('session unwatch', () => {})),
};

export const sessions: SessionMiddleware = session(store, { secure: false });
export const keys: AuthMiddleware = apiKey({
  store: { validate: () => at('key validate', () => ({ id: 'machine', scopes: [] })) },
});
const jwt = Jwt.hs256('a secret of at least 32 bytes, really').expiresIn(3_600);
export const tickets: WebSocketTickets = websocketTickets({
  secret: 'a secret of at least 32 characters, too',
});

/** Adds the routes to an App. */
export function addAccess(app: App): App {
  const withSession = new App()
    .use(sessions)
    .get('/read', (ctx) => ctx.session().get('visits') ?? 'none')
    .get('/write', (ctx) => ctx.session().set('visits', 2))
    .get('/in', (ctx) => ctx.session().signIn('ada'))
    .get('/out', (ctx) => ctx.session().clear())
    .get('/list', () => store.list('ada'))
    .get('/end', async () => [await store.end('ada', 'x'), await store.endAll('ada')])
    .get('/stream', (ctx) => {
      ctx.requireAuth();
      return ctx.stream(ReadableStream.from(['a', 'b', 'c']));
    });
  const withCsrf = new App()
    .use(
      csrf({
        secret: 'a secret of at least 32 characters, for forms',
        except: () => at('exemption of csrf', () => true),
      }),
    )
    .post('/', () => 'posted');
  const limit = { max: 1_000_000, windowSeconds: 60 };
  const asStored = { max: limit.max, windowMs: limit.windowSeconds * 1000 };
  const limited = new App()
    .use(
      rateLimiter({
        ...limit,
        key: (ctx) => at('key of limits', () => ctx.req.path),
        store: { take: () => at('limit take', () => rateLimitState(true, 0, asStored)) },
      }),
    )
    .use(rateLimiter({ ...limit, key: RateLimitKey.header('x-api-key') }))
    .get('/', () => 'within limits');
  return app
    .route('/session', withSession)
    .route('/csrf', withCsrf)
    .route('/limited', limited)
    .get('/key', keys, ({ id }) => id ?? 'nobody')
    .get('/key/stream', keys, () => new Response(ReadableStream.from([new Uint8Array(9)])))
    .get('/token', jwt.build(), () => 'with a token');
}
