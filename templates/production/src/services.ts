// What the app stands on: the database, and what several processes share. With Redis and PostgreSQL it is shared by all
// processes, on however many machines; without them it belongs to this one.
import { MemoryRateLimitStore, type RateLimitStore } from 'fw/middleware';
import { RedisChannelBroker, RedisRateLimitStore, RedisSessionStore } from 'fw/redis';
import { MemoryStore, type SessionStore } from 'fw/session';
import type { Db } from './database/database.ts';
import type { Env } from './env.ts';
import { type Handlers, Jobs } from './jobs/jobs.ts';
import type { Queue } from './jobs/queue.ts';
import { webhook } from './jobs/webhook.ts';
import { Live } from './live/live.ts';
import type { Log } from './log.ts';
import { Health } from './operations/health.ts';
import { Metrics } from './operations/metrics.ts';

export interface Services {
  db: Db;
  sessions: SessionStore;
  limits: RateLimitStore;
  live: Live;
  jobs: Jobs;
  health: Health;
  metrics: Metrics;
  /** Ends everything but the database, which the app closes. */
  close(): Promise<void>;
}

type Settings = Pick<Env, 'REDIS_URL' | 'REDIS_PREFIX' | 'WEBHOOK_URL' | 'WEBHOOK_SECRET'>;

export async function startServices(env: Settings, db: Db, queue: Queue, log: Log): Promise<Services> {
  const shared = sharedBy(env);
  const live = new Live(shared.broker);
  const metrics = new Metrics();
  const jobs = new Jobs(queue, handlers(env), metrics, log);
  await jobs.start();
  return {
    db,
    ...shared,
    live,
    jobs,
    metrics,
    health: new Health(db, log),
    async close() {
      await jobs.close();
      live.close();
      await shared.close();
      metrics.close();
    },
  };
}

function handlers({ WEBHOOK_URL: url, WEBHOOK_SECRET: secret = '' }: Settings): Handlers {
  return {
    // Events that were added before the webhook was turned off have nobody to go to.
    webhook: url === undefined ? async () => {} : webhook({ url, secret }),
  };
}

/** Every key begins with REDIS_PREFIX, so that several apps can share a server. */
function sharedBy({ REDIS_URL: url, REDIS_PREFIX: prefix }: Settings) {
  if (url === undefined) {
    const [sessions, limits] = [new MemoryStore(), new MemoryRateLimitStore()];
    return { sessions, limits, broker: undefined, close: async () => {} };
  }
  const sessions = new RedisSessionStore(url, { prefix: `${prefix}session:` });
  const limits = new RedisRateLimitStore(url, { prefix: `${prefix}limit:` });
  const broker = new RedisChannelBroker(url, { prefix: `${prefix}channel:` });
  const close = async (): Promise<void> => {
    await Promise.all([sessions.close(), limits.close(), broker.close()]);
  };
  return { sessions, limits, broker, close };
}
