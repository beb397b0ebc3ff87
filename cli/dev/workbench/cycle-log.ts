// What `fw dev` has said since its start, for the page about the app, and what the app does now.
import type { AppError } from '../../process/messages.js';
import type { CycleEntry, LiveState, Problem } from './protocol.js';
import { shownError } from './shown-error.js';

/** How many entries are kept. */
const MOST_ENTRIES = 200;

type News = Omit<CycleEntry, 'id' | 'time'>;
type Failure = NonNullable<LiveState['failure']>;

export interface CycleListener {
  entry?(entry: CycleEntry): void;
  state?(state: LiveState): void;
}

export class CycleLog {
  readonly #root: string;
  readonly #entries: CycleEntry[] = [];
  readonly #listeners = new Set<CycleListener>();
  #count = 0;
  #generation = 0;
  #isWorking = false;
  #failure: Failure | undefined;
  #types: readonly Problem[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  get root(): string {
    return this.#root;
  }

  /** The oldest first. */
  get entries(): readonly CycleEntry[] {
    return this.#entries;
  }

  get state(): LiveState {
    const generation = this.#generation;
    const common = { generation, ...(this.#types.length > 0 && { types: this.#types }) };
    if (this.#isWorking) return { ...common, phase: generation === 0 ? 'starting' : 'reloading' };
    if (this.#failure) return { ...common, phase: 'failed', failure: this.#failure };
    return { ...common, phase: generation === 0 ? 'starting' : 'ready' };
  }

  listen(listener: CycleListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A cycle begins, or the last one has ended. */
  working(isWorking: boolean): void {
    if (isWorking === this.#isWorking) return;
    this.#isWorking = isWorking;
    this.#changed();
  }

  ready(what: string, times: NonNullable<CycleEntry['times']>): void {
    this.#generation += 1;
    this.#failure = undefined;
    this.#add({ kind: 'ready', what, times });
    this.#changed();
  }

  buildFailed(what: string, title: string, problems: readonly Problem[], keepsServing: boolean): void {
    this.#failure = { title, problems, keepsServing };
    this.#add({ kind: 'build-failed', what, problems });
    this.#changed();
  }

  appFailed(what: string, error: AppError | undefined, consequence: string, keepsServing: boolean): void {
    const shown = error && { error: shownError(error, this.#root) };
    this.#failure = { title: what, problems: [], keepsServing, ...shown };
    this.#add({ kind: 'app-failed', what, consequence, ...shown });
    this.#changed();
  }

  types(what: string, problems: readonly Problem[]): void {
    this.#types = problems;
    this.#add({ kind: 'types', what, problems });
    this.#changed();
  }

  client(what: string, lines: readonly string[], problems?: readonly Problem[]): void {
    this.#add({ kind: 'client', what, lines, ...(problems && { problems }) });
  }

  note(what: string): void {
    this.#add({ kind: 'note', what });
  }

  #add(news: News): void {
    this.#count += 1;
    const entry = { id: this.#count, time: Date.now(), ...news };
    this.#entries.push(entry);
    if (this.#entries.length > MOST_ENTRIES) this.#entries.shift();
    for (const listener of this.#listeners) listener.entry?.(entry);
  }

  #changed(): void {
    const { state } = this;
    for (const listener of this.#listeners) listener.state?.(state);
  }
}
