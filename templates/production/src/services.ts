// What the app stands on: the database, and what several processes share. With Redis and PostgreSQL it is shared by all
// processes, on however many machines; without them it belongs to this one.
import type { Mailer } from 'fw/mail';
import { MemoryRateLimitStore, type RateLimitStore } from 'fw/middleware';
import { RedisRateLimitStore, RedisStreamBroker } from 'fw/redis';
import type { Db } from './database/database.ts';
import type { Env } from './env.ts';
import { Jobs, queueOf } from './jobs/jobs.ts';
import { webhook } from './jobs/webhook.ts';
import { Live } from './live/live.ts';
import { type MailSettings, mailerOf } from './mail.ts';
import type { Telemetry } from './telemetry.ts';

export interface Services {
  db: Db;
  limits: RateLimitStore;
  live: Live;
  jobs: Jobs;
  mail: Mailer;
  telemetry: Telemetry;
  /** Begins to work on jobs. Their queue needs the tables of the migrations. */
  start(): Promise<void>;
  /** Ends everything but the database, which the app closes. */
  close(): Promise<void>;
}

type Settings = MailSettings &
  Pick<Env, 'DATABASE_URL' | 'REDIS_URL' | 'REDIS_PREFIX' | 'WEBHOOK_URL' | 'WEBHOOK_SECRET'>;

/** Nothing of them connects, and no job runs, before `start`. */
export function makeServices(
  env: Settings,
  db: Db,
  telemetry: Telemetry,
  mail: Mailer = mailerOf(env),
): Services {
  const { REDIS_URL: url, REDIS_PREFIX: prefix, WEBHOOK_URL, WEBHOOK_SECRET = '' } = env;
  // Every key begins with REDIS_PREFIX, so that several apps can share a server.
  const redis = url === undefined ? undefined : new RedisRateLimitStore(url, { prefix: `${prefix}limit:` });
  const broker = url === undefined ? undefined : new RedisStreamBroker(url, { prefix: `${prefix}stream:` });
  const live = new Live(broker);
  // Events that were added before the webhook was turned off have nobody to go to.
  const handler =
    WEBHOOK_URL && webhook({ url: WEBHOOK_URL, secret: WEBHOOK_SECRET, traces: telemetry.traces });
  const jobs = new Jobs(queueOf(env, db), { webhook: handler || (async () => {}) }, telemetry);
  return {
    db,
    limits: redis ?? new MemoryRateLimitStore(),
    live,
    jobs,
    mail,
    telemetry,
    async start() {
      await telemetry.start();
      await jobs.start();
    },
    async close() {
      await jobs.close();
      live.close();
      await Promise.all([redis?.close(), broker?.close()]);
      await mail.close();
      await telemetry.close();
    },
  };
}
