// A model of an API: what has arrived of a stream or a socket, the last of it.

/** Older entries are dropped. */
export const MOST_ENTRIES = 500;
/** Longer texts are cut. */
const LONGEST_TEXT = 100_000;

export interface LogEntry {
  readonly number: number;
  readonly at: number;
  readonly direction: 'in' | 'out' | 'state';
  /** The name of an event; empty without one. */
  readonly name: string;
  /** The id of an event; empty without one. */
  readonly id: string;
  readonly text: string;
}

export interface LiveLog {
  readonly entries: readonly LogEntry[];
  /** How many there were, dropped ones included. */
  readonly count: number;
}

export const emptyLog: LiveLog = { entries: [], count: 0 };

export function withEntries(log: LiveLog, added: readonly Omit<LogEntry, 'number'>[]): LiveLog {
  const numbered = added.map((one, index) => ({
    ...one,
    text: one.text.length > LONGEST_TEXT ? `${one.text.slice(0, LONGEST_TEXT)}…` : one.text,
    number: log.count + index + 1,
  }));
  return { entries: [...log.entries, ...numbered].slice(-MOST_ENTRIES), count: log.count + added.length };
}
