// The page about an API: the log of a stream or a socket. What arrives together is shown together.
import { type Signal, signal } from '@preact/signals';
import {
  emptyLog,
  type LiveLog,
  type LogEntry,
  MOST_ENTRIES,
  withEntries,
} from '../../../api-model/live-log.js';

/** Faster than anyone reads, and slow enough for thousands of events in a second. */
const SHOW_AFTER_MS = 40;

type NewEntry = Omit<LogEntry, 'number'>;

export class LogState {
  readonly log: Signal<LiveLog> = signal(emptyLog);
  #waiting: NewEntry[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  add(entries: readonly NewEntry[]): void {
    this.#waiting.push(...entries);
    if (this.#waiting.length > MOST_ENTRIES) this.#show();
    else this.#timer ??= setTimeout(() => this.#show(), SHOW_AFTER_MS);
  }

  clear(): void {
    this.#waiting = [];
    this.log.value = emptyLog;
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.log.value = withEntries(this.log.value, this.#waiting);
    this.#waiting = [];
  }
}
