// What each contender keeps in memory for sessions and for keys of a rate limit, behind requests without a socket.
import cookie from '@fastify/cookie';
import fastifyRateLimit from '@fastify/rate-limit';
import fastifySession from '@fastify/session';
import { rateLimit } from 'express-rate-limit';
import expressSession from 'express-session';
import fastify from 'fastify';
import inject, { type DispatchFunc } from 'light-my-request';
import { App } from '../../../dist/framework/index.js';
import { RateLimitKey, rateLimiter } from '../../../dist/framework/middleware/index.js';
import { MemoryStore, session } from '../../../dist/framework/session/index.js';

/** Sends a request of its own user or key, and gives the status of the answer. */
export type Ask = (key: string) => Promise<number>;

const SECRET = 'a secret of at least thirty-two characters';
const KEY = 'x-api-key';
const HOUR_MS = 3_600_000;

function throughFw(app: App): Ask {
  return async (key) =>
    (await app.fetch(new Request('http://x/', { method: 'POST', headers: { [KEY]: key } }))).status;
}

function through(handler: DispatchFunc): Ask {
  return async (key) =>
    (await inject(handler, { method: 'POST', url: '/', headers: { [KEY]: key } })).statusCode;
}

/** Connect middleware alone: Express around it keeps nothing of a session or a key. */
type Connect = (req: never, res: never, next: () => void) => unknown;

function throughConnect(middleware: Connect, then: (req: never, key: string) => void): Ask {
  return through((req, res) => {
    middleware(req as never, res as never, () => {
      then(req as never, req.headers[KEY] as string);
      res.end('ok');
    });
  });
}

type Values = Record<string, unknown>;

/** A user who is signed in, with one value. */
export const sessions: Readonly<Record<string, () => Promise<Ask>>> = {
  fw: async () =>
    throughFw(
      new App().use(session(new MemoryStore())).post('/', (ctx) => {
        ctx.session().signIn(ctx.req.header(KEY) ?? '');
        ctx.session().set('theme', 'dark');
        return 'ok';
      }),
    ),
  'express-session': async () =>
    throughConnect(
      expressSession({ secret: SECRET, resave: false, saveUninitialized: false }) as never,
      (req: { session: Values }, key) => Object.assign(req.session, { user: key, theme: 'dark' }),
    ),
  '@fastify/session': async () => {
    const app = fastify();
    await app.register(cookie);
    await app.register(fastifySession, {
      secret: SECRET,
      cookie: { secure: false },
      saveUninitialized: false,
    });
    app.post('/', (request) => {
      Object.assign(request.session, { user: request.headers[KEY], theme: 'dark' });
      return 'ok';
    });
    await app.ready();
    return through((req, res) => app.routing(req as never, res as never));
  },
};

/** A key that has made one request of five in an hour. */
export const keys: Readonly<Record<string, () => Promise<Ask>>> = {
  fw: async () =>
    throughFw(
      new App()
        .use(rateLimiter({ max: 5, windowSeconds: HOUR_MS / 1000, key: RateLimitKey.header('X-Api-Key') }))
        .post('/', () => 'ok'),
    ),
  'express-rate-limit': async () =>
    throughConnect(
      rateLimit({
        limit: 5,
        windowMs: HOUR_MS,
        validate: false,
        keyGenerator: (req) => req.headers[KEY] as string,
      }) as never,
      () => {},
    ),
  '@fastify/rate-limit': async () => {
    const app = fastify();
    await app.register(fastifyRateLimit, {
      max: 5,
      timeWindow: HOUR_MS,
      // It forgets the oldest beyond 5,000 by default.
      cache: 1_000_000,
      keyGenerator: (request) => request.headers[KEY] as string,
    });
    app.post('/', () => 'ok');
    await app.ready();
    return through((req, res) => app.routing(req as never, res as never));
  },
};
