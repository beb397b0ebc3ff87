// Identity: ends what lives longer than a request when what has authenticated the request does not hold any more. The
// one owner of that question, for WebSockets and for streams.
import { isPromise } from '../promises.js';
import type { Credential, CredentialWatch } from './principal.js';

/** The longest time of a timer, in milliseconds; with a longer one, it fires at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** How long a store may take to answer, in milliseconds. */
const ANSWER_MS = 10_000;

/** Callbacks for the creator of the watch. */
export interface AuthorizationEvents {
  /** Called once, with what to tell the client. */
  ended(reason: string): void;
  /** A store failed when it was asked: nothing ends, because it may be back at the next check. */
  failed(error: unknown): void;
}

export class AuthorizationWatch {
  readonly #events: AuthorizationEvents;
  readonly #watches: { readonly credential: Credential; readonly watch: CredentialWatch }[] = [];
  /** The one that expires first. */
  readonly #first: Credential | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  /** A check that is still waiting for its store: another one would wait behind it. */
  #waiting = 0;

  /** Undefined if nothing that the request has shown can end. */
  static begin(
    credentials: readonly Credential[],
    events: AuthorizationEvents,
  ): AuthorizationWatch | undefined {
    const watch = new AuthorizationWatch(credentials, events);
    return watch.#first === undefined && watch.#watches.length === 0 ? undefined : watch;
  }

  private constructor(credentials: readonly Credential[], events: AuthorizationEvents) {
    this.#events = events;
    for (const credential of credentials) {
      const watch = credential.watch?.(() => this.#end(credential));
      if (watch !== undefined) this.#watches.push({ credential, watch });
    }
    this.#first = credentials
      .filter(({ expiresAtMs }) => expiresAtMs !== undefined)
      .sort((one, other) => Number(one.expiresAtMs) - Number(other.expiresAtMs))[0];
    this.#expireLater();
  }

  /** Whether `check` asks something that only the store knows. */
  get asksStores(): boolean {
    return this.#watches.length > 0;
  }

  /** Asks whether everything still holds. @param isUsed whether the client has used what it opened */
  check(isUsed: boolean): void {
    if (this.#isOver || this.#waiting > 0) return;
    for (const { credential, watch } of this.#watches) this.#ask(credential, watch, isUsed);
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const { watch } of this.#watches) this.#stop(watch);
  }

  /** A store may fail at the end too, which is often that of a connection: nothing else would catch it. */
  #stop(watch: CredentialWatch): void {
    const failed = (error: unknown): void => this.#events.failed(error);
    try {
      const stopped: unknown = watch.stop();
      if (isPromise(stopped)) Promise.resolve(stopped).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #ask(credential: Credential, watch: CredentialWatch, isUsed: boolean): void {
    const settle = (holds: boolean): void => {
      if (!holds) this.#end(credential);
    };
    try {
      const holds = watch.check(isUsed);
      if (isPromise(holds)) this.#await(Promise.resolve(holds as Promise<boolean>).then(settle));
      else settle(holds as boolean);
    } catch (error) {
      this.#events.failed(error);
    }
  }

  /** A store that never answers must not keep later checks from asking it again. */
  #await(settled: Promise<void>): void {
    let isWaiting = true;
    const answered = (): void => {
      if (isWaiting) this.#waiting -= 1;
      isWaiting = false;
      clearTimeout(late);
    };
    const late = setTimeout(() => {
      answered();
      if (this.#isOver) return;
      this.#events.failed(new Error(`the store did not answer within ${ANSWER_MS / 1000} s`));
    }, ANSWER_MS);
    late.unref?.();
    this.#waiting += 1;
    settled
      .catch((error: unknown) => {
        if (!this.#isOver) this.#events.failed(error);
      })
      .finally(answered);
  }

  #expireLater(): void {
    const { expiresAtMs } = this.#first ?? {};
    if (this.#first === undefined || expiresAtMs === undefined || this.#isOver) return;
    const credential = this.#first;
    const left = expiresAtMs - Date.now();
    this.#timer = setTimeout(
      () => (Date.now() < expiresAtMs ? this.#expireLater() : this.#end(credential)),
      Math.min(Math.max(left, 0), LONGEST_TIMER_MS),
    );
    this.#timer.unref?.();
  }

  #end({ ending }: Credential): void {
    if (this.#isOver) return;
    this.stop();
    this.#events.ended(ending);
  }
}
