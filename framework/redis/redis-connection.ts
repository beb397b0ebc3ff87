// Redis: sends commands that never wait long, and reports once when the server goes away.

import { createHash } from 'node:crypto';
import { checkOptions } from '../options/check.js';
import { milliseconds, type Rules, text } from '../options/rules.js';
import { reportError } from '../tracing/error-channel.js';
import { checkClient, createRedisClient, type RedisClient } from './redis-client.js';

/** Options of everything in `fw/redis`. */
export interface RedisOptions {
  /** What the names of keys and channels begin with. */
  prefix?: string;
  /** How long a command may take before it fails, in milliseconds; 1,000 by default. */
  timeoutMs?: number;
}

const RULES: Rules<RedisOptions> = { prefix: text, timeoutMs: milliseconds(1) };

/** A Lua script, which the server runs as one atomic step. */
export class RedisScript {
  readonly source: string;
  readonly sha1: string;

  constructor(source: string) {
    this.source = source;
    this.sha1 = createHash('sha1').update(source).digest('hex');
  }
}

/** An own connection that has answered nothing for so many time limits is replaced: the server may be elsewhere by now. */
const SILENT_LIMITS = 5;
/** How long a connection is kept at least, in milliseconds. */
const KEPT_MS = 2_000;
/** What a server answers that has become a replica; before version 7 within the error of a script. */
const REPLICA = /(?:^|-)(?:READONLY|MASTERDOWN) /;

/** Replies as the protocol has them, whatever mapping of types the client is set to. */
const PLAIN = { typeMapping: {} };

/** A client and what is known of its connection. While the server is away, commands fail at once. */
export class RedisConnection {
  /** Of the options. */
  readonly prefix: string | undefined;
  readonly #timeoutMs: number;
  readonly #isOwn: boolean;
  #client: RedisClient | undefined;
  /** Until the first command: an app that is only looked at connects to nothing. */
  #make: (() => Promise<RedisClient>) | undefined;
  /** Settles when the own client is connected for the first time, or the time for that is over. */
  #starting: Promise<void> | undefined;
  /** Commands and runs of scripts that are not answered. */
  readonly #pending = new Set<Promise<unknown>>();
  /** Scripts that the server has been given, and those that are on their way. */
  readonly #known = new Set<string>();
  readonly #loading = new Map<string, Promise<unknown>>();
  #isAway = false;
  #isClosed = false;
  /** Since when commands were sent without any answer. */
  #silentSince: number | undefined;
  readonly #copies: RedisClient[] = [];
  #replacedAt = Number.NEGATIVE_INFINITY;

  /** @throws ConfigError if the client or an option is malformed. */
  constructor(who: string, client: RedisClient | string, options: RedisOptions) {
    const { timeoutMs = 1_000, prefix } = checkOptions(who, options, RULES);
    checkClient(client);
    this.prefix = prefix;
    this.#timeoutMs = timeoutMs;
    this.#isOwn = typeof client === 'string';
    if (typeof client === 'string') this.#make = () => createRedisClient(client, timeoutMs);
    else this.#adopt(client);
  }

  /** A second connection to the same server, which the caller ends. @throws Error if the server is away. */
  async duplicate(): Promise<RedisClient> {
    await this.#begun();
    const copy = this.#usable().duplicate();
    copy.on('error', this.#onError);
    copy.on('ready', this.#onReady);
    try {
      await this.within(copy.connect());
      this.#copies.push(copy);
      return copy;
    } catch (error) {
      copy.destroy();
      throw error;
    }
  }

  /** Sends a command. @throws Error if the server is away, takes too long or refuses it. */
  command(args: readonly string[]): Promise<unknown> {
    return this.#answered(() => this.#send(args));
  }

  /** Runs a script. @throws Error like `command`. */
  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    return this.#answered(() => this.#run(script, [String(keys.length), ...keys, ...args]));
  }

  /** What has begun before the end goes on to its own. */
  async #answered(work: () => Promise<unknown>): Promise<unknown> {
    if (this.#isClosed) throw new Error('the connection to Redis was closed');
    const answer = work();
    this.#pending.add(answer);
    try {
      return await answer;
    } finally {
      this.#pending.delete(answer);
    }
  }

  async #send(args: readonly string[]): Promise<unknown> {
    await this.#begun();
    const client = this.#usable();
    this.#silentSince ??= performance.now();
    const answer = client.sendCommand(args, PLAIN);
    answer.then(this.#onAnswer, this.#onAnswer);
    try {
      return await this.within(answer);
    } catch (error) {
      const silentMs = performance.now() - (this.#silentSince ?? Number.POSITIVE_INFINITY);
      const isReplica = error instanceof Error && REPLICA.test(error.message);
      if (isReplica || silentMs >= SILENT_LIMITS * this.#timeoutMs) this.#replace(client);
      throw error;
    }
  }

  /**
   * Connects again to where the address leads by now. A server that has become a replica keeps its connections, and one
   * whose machine is gone does not close them: the system would wait for a quarter of an hour.
   */
  #replace(client: RedisClient): void {
    const now = performance.now();
    if (!this.#isOwn || this.#isClosed || !client.isReady || now - this.#replacedAt < KEPT_MS) return;
    this.#replacedAt = now;
    for (const one of [client, ...this.#copies]) {
      // One that its owner has ended, or that is connecting, stays as it is.
      if (!one.isReady) continue;
      one.destroy();
      one.connect().catch(this.#onError);
    }
  }

  async #run(script: RedisScript, rest: readonly string[]): Promise<unknown> {
    if (!this.#known.has(script.sha1)) await this.#load(script);
    try {
      return await this.#send(['EVALSHA', script.sha1, ...rest]);
    } catch (error) {
      // The server has forgotten it in a restart.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return this.#send(['EVAL', script.source, ...rest]);
    }
  }

  /** Once, and before all runs of it: those that were sent before the server knows it would run after later ones. */
  async #load({ sha1, source }: RedisScript): Promise<void> {
    const loading = this.#loading.get(sha1) ?? this.#send(['SCRIPT', 'LOAD', source]);
    this.#loading.set(sha1, loading);
    try {
      await loading;
      this.#known.add(sha1);
    } finally {
      this.#loading.delete(sha1);
    }
  }

  /** The answer of the server, if it comes in time. */
  async within<T>(answer: Promise<T>): Promise<T> {
    const ms = this.#timeoutMs;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ms} ms`)), ms);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the own client once its commands are answered; a client that was given stays open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#starting;
    // Each of them has a time limit, which the `close()` of the client has not.
    await Promise.allSettled(this.#pending);
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    client.off('ready', this.#onReady);
    if (!this.#isOwn) client.off('error', this.#onError);
    else if (client.isOpen) client.destroy();
  }

  #begun(): Promise<void> | undefined {
    const make = this.#make;
    this.#make = undefined;
    if (make !== undefined && !this.#isClosed) this.#starting = this.#start(make);
    return this.#starting;
  }

  async #start(make: () => Promise<RedisClient>): Promise<void> {
    try {
      const client = await make();
      if (this.#isClosed) return;
      this.#adopt(client);
      await this.within(client.connect());
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#starting = undefined;
    }
  }

  #adopt(client: RedisClient): void {
    this.#client = client;
    client.on('error', this.#onError);
    client.on('ready', this.#onReady);
  }

  #usable(): RedisClient {
    if (this.#client?.isReady === true) return this.#client;
    throw new Error('Redis is not connected; check that it runs, and its URL');
  }

  readonly #onAnswer = (): void => {
    this.#silentSince = undefined;
  };

  /** A client without a listener for errors ends the process. It emits one for every attempt to connect. */
  readonly #onError = (error: unknown): void => {
    if (this.#isAway || this.#isClosed) return;
    this.#isAway = true;
    reportError({ error, status: 503, method: 'redis', path: '' });
  };

  readonly #onReady = (): void => {
    this.#isAway = false;
  };
}
