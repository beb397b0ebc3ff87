// What the app stands on: the database, and what several processes share. With Redis and PostgreSQL it is shared by all
// processes, on however many machines; without them it belongs to this one. The app gives it to each of its requests.
import { type Context, type Middleware, PubSub } from 'fw';
import { SqlSessionStore } from 'fw/kysely';
import type { Mailer } from 'fw/mail';
import { MemoryRateLimitStore, type RateLimitStore } from 'fw/middleware';
import { type SignInLimit, signInLimit } from 'fw/password';
import { RedisRateLimitStore, RedisStreamBroker } from 'fw/redis';
import type { SessionStore } from 'fw/session';
import { type CheckPassword, checkPasswords } from './auth/passwords.ts';
import type { Db } from './database/database.ts';
import type { Env } from './env.ts';
import type { Change } from './lists/changes.ts';
import { type MailSettings, mailerOf } from './mail.ts';
import type { Telemetry } from './telemetry.ts';

export interface Services {
  db: Db;
  sessions: SessionStore;
  /** What has changed, by the id of the user. */
  changes: PubSub<Change>;
  telemetry: Telemetry;
  mail: Mailer;
  /** Where people find the app. Links are made of it, and never of the `Host` of a request, which anybody can choose. */
  publicUrl: URL;
  /** Where limits are counted. */
  limits: RateLimitStore;
  /** Counts failures by account and network, but browsers that have signed in before for themselves: nobody locks them out. */
  checkPassword: CheckPassword;
  /** Hashing a password is expensive: this counts sign-ups, whatever comes of them. */
  signUps: SignInLimit;
  /** Nobody should get many mails that they have not asked for. */
  mails: SignInLimit;
  start(): Promise<void>;
  /** Ends everything but the database, which the app closes. */
  close(): Promise<void>;
}

type Settings = MailSettings & Pick<Env, 'CSRF_SECRET' | 'PUBLIC_URL' | 'REDIS_URL' | 'REDIS_PREFIX'>;

/** Nothing of them connects before `start`. */
export function makeServices(
  env: Settings,
  db: Db,
  telemetry: Telemetry,
  mail: Mailer = mailerOf(env),
): Services {
  const { CSRF_SECRET: secret, PUBLIC_URL: publicUrl, REDIS_URL: url, REDIS_PREFIX: prefix } = env;
  // Every key begins with REDIS_PREFIX, so that several apps can share a server.
  const redis = url === undefined ? undefined : new RedisRateLimitStore(url, { prefix: `${prefix}limit:` });
  const broker = url === undefined ? undefined : new RedisStreamBroker(url, { prefix: `${prefix}stream:` });
  const store = redis ?? new MemoryRateLimitStore();
  const changes = new PubSub<Change>({ broker, channel: 'changes' });
  return {
    db,
    sessions: new SqlSessionStore(db),
    changes,
    telemetry,
    mail,
    publicUrl,
    limits: store,
    checkPassword: checkPasswords(signInLimit({ store, secret, secure: publicUrl.protocol === 'https:' })),
    signUps: signInLimit({ store, secret, name: 'sign-up' }),
    mails: signInLimit({
      store,
      secret,
      name: 'mail',
      perAccountAndNetwork: 5,
      perAccount: 10,
      windowSeconds: 3600,
    }),
    async start() {
      await telemetry.start();
      await changes.start();
    },
    async close() {
      await changes.close();
      await Promise.all([redis?.close(), broker?.close()]);
      await mail.close();
      await telemetry.close();
    },
  };
}

const ofRequests = new WeakMap<Context, Services>();

export function withServices(services: Services): Middleware {
  return function withServices(ctx, next) {
    ofRequests.set(ctx, services);
    return next();
  };
}

export function servicesOf(ctx: Context): Services {
  const services = ofRequests.get(ctx);
  if (services === undefined) throw new Error('servicesOf() needs app.use(withServices(…)) before');
  return services;
}
