// Fuzzing: who calls: the client of an identity, with what proves that it is allowed to, or of nobody.
import { setTimeout as wait } from 'node:timers/promises';
import type { Scheme } from '../../api-model/credentials.js';
import type { RequestPlan } from '../../api-model/request-plan.js';
import type { ApiCsrf } from '../../rpc/api-description.js';
import { type Testable, TestClient } from '../test-client.js';
import { type FuzzAnswer, isEventStream, readAnswer } from './fuzz-answer.js';

/** The caller who has no credentials. */
export const NOBODY = 'nobody';
/** The caller whose credentials are made up. */
export const STRANGER = 'a stranger';

/**
 * Makes the client somebody who is signed in, and returns header fields for its requests if it needs any. It is called
 * again when a request has ended that: it should make somebody new then, if an account may be gone.
 */
export type FuzzIdentity = (
  client: TestClient,
) => Promise<Readonly<Record<string, string>> | undefined> | Readonly<Record<string, string>> | undefined;

/** What callers have in common. */
export interface CallerSettings {
  readonly target: Testable | string;
  readonly csrf: ApiCsrf | null;
  readonly timeoutMs: number;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends no token against CSRF. */
  readonly isTokenless?: boolean;
  readonly method?: string;
}

/** How often, and after how many milliseconds each, a server that does not listen is tried: it may be replaced. */
const TRIES = 20;
const TRY_AFTER_MS = 100;

export class Caller {
  readonly name: string;
  readonly #settings: CallerSettings;
  readonly #identity: FuzzIdentity | undefined;
  /** Made up, of somebody who is not known. */
  readonly #credentials: Readonly<Record<string, string>>;
  #client: TestClient;
  #headers: Record<string, string> = {};
  #isReady = false;

  constructor(
    name: string,
    settings: CallerSettings,
    identity?: FuzzIdentity,
    credentials: Readonly<Record<string, string>> = {},
  ) {
    this.name = name;
    this.#settings = settings;
    this.#identity = identity;
    this.#credentials = credentials;
    this.#client = new TestClient(settings.target);
  }

  get isIdentity(): boolean {
    return this.#identity !== undefined;
  }

  /** Whether cookies tell who it is, which browsers send by themselves. */
  get hasCookies(): boolean {
    return this.isIdentity && this.#hasOtherCookies;
  }

  #hasOtherCookies = false;

  /** @throws what the function of the identity throws */
  async signIn(): Promise<void> {
    await this.#client.close();
    await this.#begin();
  }

  /**
   * Signs in again, so that there is what a sign-in leaves. Who cannot do so any more stays who it is.
   *
   * @returns why it cannot; undefined if it has
   */
  async signInAgain(): Promise<string | undefined> {
    const [client, headers, hasOtherCookies] = [this.#client, this.#headers, this.#hasOtherCookies];
    try {
      await this.#begin();
      await client.close();
      return undefined;
    } catch (error) {
      // A request may have changed its password.
      await this.#client.close();
      [this.#client, this.#headers, this.#hasOtherCookies] = [client, headers, hasOtherCookies];
      return error instanceof Error ? error.message : String(error);
    }
  }

  async #begin(): Promise<void> {
    this.#client = new TestClient(this.#settings.target);
    await this.#fetchToken();
    const headers = await this.#identity?.(this.#client);
    const { cookie, ...others } = lowerCased(headers ?? {});
    this.#headers = { ...this.#credentials, ...others };
    this.#hasOtherCookies = Object.keys(this.#headers).length === 0 || cookie !== undefined;
    if (cookie !== undefined) {
      // Like those of a browser, with the token that belongs to their session.
      this.#client.keepCookies(cookie);
      await this.#fetchToken();
    }
    this.#isReady = true;
  }

  async send(plan: RequestPlan, options: SendOptions = {}): Promise<FuzzAnswer> {
    for (let tries = 1; ; tries++) {
      // Neither a sign-in nor a request that was refused has reached anybody.
      const answer = await this.#trySend(plan, options).catch(brokenOff);
      if (answer.kind !== 'refused' || tries === TRIES) return answer;
      await wait(TRY_AFTER_MS);
    }
  }

  async #trySend(plan: RequestPlan, options: SendOptions): Promise<FuzzAnswer> {
    if (!this.#isReady) await this.signIn();
    const { timeoutMs } = this.#settings;
    const path = plan.url.slice(new URL(plan.url).origin.length);
    const signal = AbortSignal.timeout(timeoutMs);
    const request = {
      headers: this.headersOf(plan, options),
      signal,
      ...bodyOf(plan),
    };
    const answered = this.#client.stream(path, { method: options.method ?? plan.method, ...request });
    const stream = await withinTime(answered, signal);
    if (stream === undefined) return { kind: 'late', timeoutMs };
    if (!this.isIdentity && this.#hasSignedIn(stream.headers)) this.#isReady = false;
    return readAnswer(stream, isEventStream(stream.headers), signal, timeoutMs);
  }

  /** What is sent with the request, but for cookies. */
  headersOf(plan: RequestPlan, { headers = {}, isTokenless = false }: SendOptions): Record<string, string> {
    const { csrf } = this.#settings;
    const token = csrf === null ? undefined : this.#client.cookie(csrf.cookie);
    return {
      ...this.#headers,
      ...(csrf !== null && token !== undefined && !isTokenless && { [csrf.header]: token }),
      ...Object.fromEntries(plan.headers),
      ...headers,
    };
  }

  /** The header fields of a handshake of a WebSocket. */
  async handshakeHeaders(path: string): Promise<Record<string, string>> {
    if (!this.#isReady) await this.signIn();
    const cookie = this.#client.cookieHeader(path);
    return { ...this.#headers, ...(cookie !== undefined && { cookie }) };
  }

  /** Whoever signs up is somebody from then on. */
  #hasSignedIn(headers: Headers): boolean {
    const token = this.#settings.csrf?.cookie;
    return headers.getSetCookie().some((cookie) => cookie.split('=', 1)[0] !== token);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** As in a browser, the first answer brings the token. */
  async #fetchToken(): Promise<void> {
    if (this.#settings.csrf !== null) await this.#client.get('/');
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Credentials that nobody has, by the schemes of the API. */
export function madeUpCredentials(schemes: readonly Scheme[]): Record<string, string> {
  const fields = schemes.flatMap(({ kind, field, prefix }): [string, string][] => {
    if (kind === 'query') return [];
    if (kind === 'cookie') return [['cookie', `${field}=fuzz`]];
    return [[field.toLowerCase(), `${prefix}${kind === 'basic' ? 'ZnV6ejpmdXp6' : 'fuzz'}`]];
  });
  return Object.fromEntries(fields);
}

function bodyOf({ body }: RequestPlan): { body?: string; form?: FormData } {
  if (body === undefined) return {};
  if (body.kind === 'text') return { body: body.text };
  const form = new FormData();
  const parts = body.kind === 'form' ? body.parts : [['file', body.file] as const];
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value);
  }
  return { form };
}

/** A server at an address may end, or send what is not HTTP. @throws everything else */
function brokenOff(error: unknown): FuzzAnswer {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof Error && code === 'ECONNREFUSED') return { kind: 'refused', reason: error.message };
  if (error instanceof Error && /^(?:ECONN|EPIPE|HPE_)/.test(code))
    return { kind: 'broken', reason: error.message };
  throw error;
}

/** Undefined if it took too long. */
async function withinTime<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  try {
    const late = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    return await Promise.race([promise, late]);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
