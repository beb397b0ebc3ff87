// The one state of a worker process, and which state may follow which.

/**
 * - `idle`: runs without an order, with or without packages
 * - `warming`: imports packages ahead of time
 * - `booting`: has a bundle, and does not listen yet
 * - `active`: the app listens
 * - `retiring`: was told to drain, and has not confirmed it
 * - `draining`: takes nothing new, and finishes its requests
 * - `dead`: has exited, or did not start
 */
export type WorkerState = 'idle' | 'warming' | 'booting' | 'active' | 'retiring' | 'draining' | 'dead';

const TRANSITIONS: Readonly<Record<WorkerState, readonly WorkerState[]>> = {
  idle: ['warming', 'booting', 'retiring', 'dead'],
  warming: ['idle', 'booting', 'retiring', 'dead'],
  booting: ['active', 'retiring', 'dead'],
  active: ['retiring', 'dead'],
  retiring: ['draining', 'dead'],
  draining: ['dead'],
  dead: [],
};

export class WorkerLifecycle {
  #state: WorkerState = 'idle';
  #waiting: (() => void)[] = [];

  get state(): WorkerState {
    return this.#state;
  }

  /** Changes nothing if the state must not follow the current one, as after a message that came late. */
  become(next: WorkerState): void {
    if (!TRANSITIONS[this.#state].includes(next)) return;
    this.#state = next;
    for (const settle of this.#waiting.splice(0)) settle();
  }

  /** Settles when the state is another one than this, with the current state: at once if it is another one already. */
  async after(state: WorkerState): Promise<WorkerState> {
    while (this.#state === state) await new Promise<void>((settle) => this.#waiting.push(settle));
    return this.#state;
  }
}
