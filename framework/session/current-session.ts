// Sessions: the session of one request, what it changed, and how that is written.
import type { Context } from '../context/context.js';
import type { CredentialWatch, PrincipalRecord } from '../context/principal.js';
import type { Session, SessionInfo, SignInOptions } from '../context/session.js';
import type { FwResponse } from '../http/response.js';
import { checkOptions } from '../options/check.js';
import { nameObjects } from '../options/own-objects.js';
import { listOf, type Rules, text } from '../options/rules.js';
import { chained, isPromise } from '../promises.js';
import type { SessionSettings } from './session-config.js';
import { isKey, keyOf, newSecret } from './session-id.js';
import {
  ask,
  listedSessions,
  reportLateChange,
  type SessionStore,
  type SessionUser,
  type StoredSession,
} from './session-store.js';
import { SessionValues } from './session-values.js';
import { SessionWatch } from './session-watch.js';

const RULES: Rules<SignInOptions> = { scopes: listOf(text), label: text };

const nothing: ReadonlyMap<string, string> = new Map();
/** Shared, because a store in memory keeps it for every session. */
const noScopes: readonly string[] = Object.freeze([]);

export class CurrentSession implements Session {
  readonly #ctx: Context;
  readonly #store: SessionStore;
  readonly #settings: SessionSettings;
  readonly #values: SessionValues;
  /** Where the store has it; undefined if it does not. */
  #storedKey: string | undefined;
  /** Where it will be; differs from `storedKey` if it is new or gets a new id. */
  #key: string | undefined;
  /** Of a new id, until its cookie is on the response. */
  #secret: string | undefined = undefined;
  /** Sessions that were cleared and are still in the store. */
  readonly #ended = new Set<string>();
  /** Undoes what a write that fails has noted as done. */
  #giveBack: () => void = () => {};
  /** The last new id could not be stored, so that there is no session. */
  #isUnstored = false;
  #isCleared = false;
  /** Set by `signIn` until it is written. */
  #signedIn: { dropsValues: boolean } | undefined = undefined;
  #user: SessionUser | undefined;
  #principal: PrincipalRecord | undefined = undefined;
  #createdAtMs: number;
  #usedAtMs: number;
  /** The response was made: no cookie can be sent any more. */
  #isAnswered = false;
  #isLateCheckDue = false;
  /** The last write, as long as it lasts: writes must not overtake each other. */
  #writing: Promise<unknown> | undefined = undefined;

  constructor(
    ctx: Context,
    store: SessionStore,
    settings: SessionSettings,
    key: string | undefined,
    stored: StoredSession | undefined,
  ) {
    this.#ctx = ctx;
    this.#store = store;
    this.#settings = settings;
    this.#storedKey = key;
    this.#key = key;
    this.#user = stored?.user;
    this.#createdAtMs = this.#usedAtMs = 0;
    if (stored !== undefined) ({ createdAtMs: this.#createdAtMs, usedAtMs: this.#usedAtMs } = stored);
    this.#values = new SessionValues(stored?.values ?? nothing, settings.schema);
    if (this.#user === undefined) return;
    this.#principal = { id: this.#user.id, scopes: this.#user.scopes };
    ctx.authenticate(this.#principal);
  }

  get id(): string | undefined {
    return this.#key;
  }

  get isSecure(): boolean {
    return this.#settings.secure;
  }

  get userId(): string | undefined {
    return this.#user?.id;
  }

  get(key: string): undefined {
    // The types of values are for callers.
    return this.#values.get(key) as undefined;
  }

  set(key: string, value: unknown): void {
    if (this.#key === undefined) this.#refuseLate('set() starts a session', 'set a value before');
    this.#values.set(key, value);
    if (this.#key === undefined) this.#renew();
    this.#checkLater();
  }

  delete(key: string): void {
    this.#values.delete(key);
    if (this.#storedKey === undefined && this.#user === undefined && !this.#values.hasChanges) {
      this.#key = this.#secret = undefined;
    }
    this.#checkLater();
  }

  signIn(userId: string, options: SignInOptions = {}): void {
    if (typeof userId !== 'string' || userId === '') {
      throw new Error(`session.signIn(): the user's id is ${JSON.stringify(userId)}; give a text`);
    }
    const { scopes = [], label } = checkOptions('session.signIn', options, RULES);
    this.#refuseLate('signIn() gives the session a new id', 'sign in before');
    const dropsValues = this.#user !== undefined && this.#user.id !== userId;
    if (dropsValues) this.#values.drop();
    this.#signedIn = { dropsValues: dropsValues || this.#signedIn?.dropsValues === true };
    this.#user = { id: userId, scopes: scopes.length === 0 ? noScopes : [...scopes], label };
    this.#createdAtMs = Date.now();
    this.#principal = { id: userId, scopes: this.#user.scopes };
    this.#ctx.replacePrincipal(this.#principal);
    this.#renew();
  }

  regenerate(): void {
    this.#refuseLate('regenerate() gives the session a new id', 'call it before');
    if (this.#key !== undefined) this.#renew();
  }

  clear(): void {
    this.#values.drop();
    if (this.#storedKey !== undefined) this.#ended.add(this.#storedKey);
    this.#storedKey = this.#key = this.#secret = this.#user = this.#signedIn = undefined;
    // A page of another site sends no such cookie, but the browser would obey the answer, and remove it.
    this.#isCleared = this.#ctx.cookie(this.#settings.cookieName) !== undefined;
    const isOwn = this.#principal !== undefined && this.#ctx.principal() === this.#principal;
    if (isOwn) this.#ctx.replacePrincipal(undefined);
    this.#principal = undefined;
    this.#checkLater();
  }

  async save(): Promise<boolean> {
    return this.#write();
  }

  async list(): Promise<(SessionInfo & { readonly isCurrent: boolean })[]> {
    const { userId } = this;
    if (userId === undefined || !(await this.#isStill(userId))) return [];
    const sessions = await ask(async () => listedSessions(await this.#store.list(userId)));
    return [...sessions]
      .sort((one, other) => other.usedAtMs - one.usedAtMs)
      .map((info) => ({ ...info, isCurrent: info.id === this.#key }));
  }

  async end(id: string): Promise<boolean> {
    const { userId } = this;
    if (userId === undefined || !isKey(id) || !(await this.#isStill(userId))) return false;
    if (id !== this.#key) return ask(() => this.#store.end(userId, id));
    this.clear();
    return true;
  }

  async endOthers(): Promise<number> {
    const { userId } = this;
    if (userId === undefined || !(await this.#isStill(userId))) return 0;
    const except = this.#key as string;
    return ask(() => this.#store.endAll(userId, { except }));
  }

  /** Writes what has changed. A session that was ended meanwhile, as by its user elsewhere, has no say over the others. */
  async #isStill(userId: string): Promise<boolean> {
    await this.#write();
    return this.userId === userId;
  }

  watch(ended: () => void): CredentialWatch | undefined {
    const key = this.#storedKey;
    const watched = { ...this.#settings, userId: this.userId, createdAtMs: this.#createdAtMs };
    return key === undefined ? undefined : new SessionWatch(this.#store, { ...watched, key }, ended);
  }

  /** Writes what has changed, and puts the cookie on the response. @throws FwError 503 if the store fails. */
  finish(response: FwResponse): FwResponse | Promise<FwResponse> {
    if (!this.#isPending && !this.#isTouchDue && this.#writing === undefined) return this.#answer(response);
    const failed = (error: unknown): never => {
      this.#isAnswered = true;
      response.discard();
      throw error;
    };
    try {
      const written = this.#write();
      return isPromise(written) ? written.then(() => this.#answer(response), failed) : this.#answer(response);
    } catch (error) {
      return failed(error);
    }
  }

  /** Records the use, for a request that ends with an error. @throws FwError 503 if the store fails. */
  touch(): boolean | Promise<boolean> {
    this.#isAnswered = true;
    return this.#isTouchDue ? this.#write() : true;
  }

  /** Whether an error response must carry a cookie, or something is not written yet. */
  get hasNews(): boolean {
    return this.#isPending || this.#secret !== undefined || this.#isCleared;
  }

  get #isPending(): boolean {
    return this.#values.hasChanges || this.#key !== this.#storedKey || this.#ended.size > 0;
  }

  get #isTouchDue(): boolean {
    return this.#storedKey !== undefined && Date.now() - this.#usedAtMs >= this.#settings.touchMs;
  }

  /** Gives the session a new id, also if it is not stored. */
  #renew(): void {
    this.#secret = newSecret();
    this.#key = keyOf(this.#secret);
    this.#isUnstored = false;
  }

  #answer(response: FwResponse): FwResponse {
    this.#isAnswered = true;
    this.#sendCookie(response);
    return response;
  }

  #write(): boolean | Promise<boolean> {
    if (this.#writing !== undefined) {
      const again = (): boolean | Promise<boolean> => this.#write();
      return this.#writing.then(again, again);
    }
    const written = ask(
      () => this.#writeNow(),
      () => this.#giveBack(),
    );
    if (!isPromise(written)) return written;
    const settled = (): void => {
      this.#writing = undefined;
    };
    this.#writing = written.then(settled, settled);
    return written;
  }

  #writeNow(): boolean | Promise<boolean> {
    const ended = [...this.#ended];
    const key = this.#key;
    const from = this.#storedKey;
    const changed = key === undefined ? undefined : this.#values.take();
    this.#giveBack = () => {
      for (const one of ended) this.#ended.add(one);
      if (key === from) changed?.giveBack();
      // Whether there is a session of the new id is unknown, so its cookie must not be sent.
      else if (key !== undefined) this.#isUnstored = this.#lose(key);
    };
    this.#ended.clear();
    const deleted = ended.reduce<void | Promise<void>>(
      (before, one) => chained(before, () => this.#store.delete(one)),
      undefined,
    );
    if (key === undefined || changed === undefined) return chained(deleted, () => !this.#isUnstored);
    const signedIn = this.#signedIn;
    const user = this.#user;
    this.#storedKey = key;
    this.#signedIn = undefined;
    const { set, deleted: removed } = changed;
    const now = Date.now();
    this.#usedAtMs = now;
    if (from === undefined) this.#createdAtMs = signedIn ? this.#createdAtMs : now;
    const createdAtMs = this.#createdAtMs;
    const { idleMs, absoluteMs } = this.#settings;
    const times = { usedAtMs: now, expiresAtMs: Math.min(now + idleMs, createdAtMs + absoluteMs) };
    const create = () =>
      chained(this.#store.create(key, { values: set, user, createdAtMs, ...times }), () => true);
    if (from === undefined) return chained(deleted, create);
    const changes = {
      set,
      deleted: removed,
      ...times,
      ...(key !== from && { newKey: key }),
      ...(signedIn && user && { signedIn: { user, createdAtMs, dropsValues: signedIn.dropsValues } }),
    };
    return chained(this.#store.update(from, changes), (isThere) => {
      if (isThere) return true;
      // It was ended in the meantime. Who has just signed in gets a session without the values of the old one.
      if (signedIn) return create();
      this.#lose(key);
      return false;
    });
  }

  /** There is no such session any more: nothing of it is written again, and no cookie is sent. */
  #lose(key: string): boolean {
    if (this.#key !== key) return false;
    this.#values.drop();
    this.#storedKey = this.#key = this.#secret = this.#user = undefined;
    return true;
  }

  #sendCookie(response: FwResponse): void {
    if (this.#secret !== undefined && this.#key !== undefined) {
      const lifetimeMs = this.#createdAtMs + this.#settings.absoluteMs - Date.now();
      response.headers.append('Set-Cookie', this.#settings.cookie(this.#secret, lifetimeMs));
    } else if (this.#isCleared) {
      response.headers.append('Set-Cookie', this.#settings.removal);
    } else {
      return;
    }
    this.#secret = undefined;
    // A cache must not give the cookie of one client to another.
    response.headers.set('Cache-Control', 'no-store');
  }

  #refuseLate(what: string, remedy: string): void {
    if (!this.#isAnswered) return;
    throw new Error(`session.${what}, and the response with its cookie was already made; ${remedy}`);
  }

  /** Reports a late write that no `save()` follows. */
  #checkLater(): void {
    if (!this.#isAnswered || this.#isLateCheckDue) return;
    this.#isLateCheckDue = true;
    setTimeout(() => {
      this.#isLateCheckDue = false;
      if (this.#isPending) reportLateChange(this.#ctx.req);
    }, 0);
  }
}

nameObjects(CurrentSession, 'the session');
