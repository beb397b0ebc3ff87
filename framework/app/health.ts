// Health: what balancers and orchestrators ask, whether a process lives and whether it should get requests.
import type { Context } from '../context/context.js';
import type { RouteHandler } from '../context/handlers.js';
import type { FwResponse } from '../http/response.js';
import { checkOptions, checkValue } from '../options/check.js';
import { callback, milliseconds, type Rules, record } from '../options/rules.js';
import { isTraced, publishEvent } from '../tracing/event.js';
import { shownText } from '../tracing/inspected.js';
import { messageOf } from '../tracing/thrown.js';

/**
 * Something that the process needs. It has failed if it throws, rejects, gives `false` or takes too long; then its signal
 * aborts. Requests share a check that runs.
 */
export type HealthCheck = (signal: AbortSignal) => unknown;

/** Checks by their names, which the log shows and responses do not. */
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

/** Options of `app.health`. */
export interface HealthOptions {
  /** How long a check may take, in milliseconds: less than a balancer waits. 2,000 by default. */
  timeoutMs?: number;
}

const RULES: Rules<HealthOptions> = { timeoutMs: milliseconds(1) };
const CHECKS = record('an object of checks by their names, such as { database: () => … }');
const CHECK = callback('a function (signal) => …');

/** The handlers of `app.health`. @throws ConfigError if a check is not a function, or an option is wrong */
export function healthHandlers(
  checks: HealthChecks,
  options: HealthOptions,
): { readonly ready: RouteHandler; readonly live: RouteHandler } {
  checkValue('health', 'the checks', checks, CHECKS);
  const { timeoutMs = 2000 } = checkOptions('health', options, RULES);
  const running = Object.entries(checks).map(
    ([name, check]) =>
      new RunningCheck(name, checkValue('health', `the check '${name}'`, check, CHECK), timeoutMs),
  );
  return {
    async ready(ctx) {
      if (ctx.scope.settings.lifeCycle.isDraining) return answer(ctx, false);
      const passed = await Promise.all(running.map((one) => one.passes()));
      // The drain may have begun meanwhile.
      return answer(ctx, passed.every(Boolean) && !ctx.scope.settings.lifeCycle.isDraining);
    },
    live: (ctx) => answer(ctx, true),
  };
}

/** Not an error that is thrown: the log of an outage would be full of probes. */
function answer(ctx: Context, isOk: boolean): FwResponse {
  ctx.header('Cache-Control', 'no-store');
  return isOk ? ctx.json({ status: 'ok' }) : ctx.json({ status: 'unavailable' }, 503);
}

/** A check that has not ended after so many of its times never will, as one that waits for a lost connection. */
const TIMES_UNTIL_LOST = 10;

class RunningCheck {
  readonly #name: string;
  readonly #check: HealthCheck;
  readonly #timeoutMs: number;
  /** Shared: everybody may ask, and that must not be a way to burden a database, nor one that hangs. */
  #running: Promise<string | undefined> | undefined;
  #startedAt = 0;
  #hasFailed = false;

  constructor(name: string, check: HealthCheck, timeoutMs: number) {
    this.#name = name;
    this.#check = check;
    this.#timeoutMs = timeoutMs;
  }

  async passes(): Promise<boolean> {
    const failure = await this.#inTime(this.#shared());
    this.#log(failure);
    return failure === undefined;
  }

  /** The run that has not ended, or a new one. */
  #shared(): Promise<string | undefined> {
    const now = performance.now();
    const isLost = now - this.#startedAt > this.#timeoutMs * TIMES_UNTIL_LOST;
    if (this.#running !== undefined && !isLost) return this.#running;
    this.#startedAt = now;
    const running = this.#run().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  /** Gives why it has failed; never rejects. */
  async #run(): Promise<string | undefined> {
    try {
      const result = await this.#check(AbortSignal.timeout(this.#timeoutMs));
      return result === false ? 'the check gave false' : undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  async #inTime(running: Promise<string | undefined>): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(`no result within ${this.#timeoutMs} ms`), this.#timeoutMs);
    });
    try {
      return await Promise.race([running, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Only changes: probes come every few seconds. */
  #log(failure: string | undefined): void {
    const hasFailed = failure !== undefined;
    if (hasFailed === this.#hasFailed) return;
    this.#hasFailed = hasFailed;
    const message = hasFailed
      ? `not ready: the check '${this.#name}' failed: ${failure}`
      : `ready: the check '${this.#name}' passes again`;
    if (isTraced()) publishEvent(hasFailed ? 'warn' : 'info', message, { check: this.#name });
    else if (hasFailed) console.warn(`warning: ${shownText(message)}`);
  }
}
