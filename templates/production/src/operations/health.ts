// Health: whether the process lives, and whether it should get requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { App, Context, describeRoute } from 'fw';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../database/database.ts';
import type { Log } from '../log.ts';

const Ok = z.object({ status: z.literal('ok') });
const Away = z.object({ status: z.literal('unavailable') });

/**
 * What balancers and orchestrators ask. An orchestrator restarts a process that is not alive, so that must not depend
 * on the database: restarting all processes does not bring it back. A balancer sends no requests to one that is not
 * ready. Why it is not ready is in the log, not in the answer, which everybody may see.
 */
export class Health {
  readonly #db: Db;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  readonly #timeoutMs: number;
  #isDraining = false;
  #isReady = true;
  #checking: Promise<boolean> | undefined;

  /** @param timeoutMs how long the database may take to answer: less than a balancer waits */
  constructor(db: Db, log: Pick<Log, 'info' | 'warn'>, timeoutMs = 2000) {
    this.#db = db;
    this.#log = log;
    this.#timeoutMs = timeoutMs;
  }

  /** From now on the process is not ready: it finishes what it has begun, and others get the new requests. */
  drain(): void {
    this.#isDraining = true;
  }

  routes(): App {
    const app = App.withoutDefaults();
    app.get(describeRoute('/live', { returns: Ok, summary: 'The process is alive' }), () => ({
      status: 'ok' as const,
    }));
    app.get(
      describeRoute('/ready', {
        // Not an error that is thrown: the log of an outage would be full of probes.
        returns: { 200: Ok, 503: Away },
        summary: 'The process can answer requests',
      }),
      Context,
      async (ctx) => {
        const isReady = !this.#isDraining && (await this.#check());
        return isReady ? ctx.json({ status: 'ok' }, 200) : ctx.json({ status: 'unavailable' }, 503);
      },
    );
    return app;
  }

  /** Requests at the same time share one query: everybody may ask, and that must not be a way to burden the database. */
  #check(): Promise<boolean> {
    this.#checking ??= this.#query().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #query(): Promise<boolean> {
    const waiting = new AbortController();
    const late = sleep(this.#timeoutMs, undefined, { ref: false, signal: waiting.signal }).then(() => {
      throw new Error(`no answer within ${this.#timeoutMs} ms`);
    });
    try {
      await Promise.race([sql`select 1`.execute(this.#db), late]);
      if (!this.#isReady) this.#log.info({}, 'ready: the database is back');
      this.#isReady = true;
    } catch (err) {
      if (this.#isReady) this.#log.warn({ err }, 'not ready: the database is away');
      this.#isReady = false;
    } finally {
      waiting.abort();
      late.catch(() => {});
    }
    return this.#isReady;
  }
}
