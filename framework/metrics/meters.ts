// Metrics: what is measured, and what an adapter of a library must be able to do.

/** What a metric is, in the terms of OpenTelemetry's semantic conventions. */
export interface Instrument {
  /** With dots, such as `http.server.request.duration`. */
  readonly name: string;
  /** What it says, in a few words. */
  readonly description: string;
  /** In UCUM: `s`, `By`, `1`, or in braces what is counted. */
  readonly unit: string;
  /** The names of its labels, with dots. */
  readonly labels: readonly string[];
  /** What processes of one service show together; the sum by default. */
  readonly together?: 'sum' | 'max' | 'average';
}

/** The values of labels by their names, with dots. */
export type Labels = Readonly<Record<string, string>>;

/** Notes a value: of a duration or size, or how many more. */
export type Note = (value: number, labels: Labels) => void;

/** Makes instruments in a library: `prometheus(client)` or `openTelemetry(meter)`, or an object of your own. */
export interface Meters {
  /** A number that only grows. */
  counter(of: Instrument): Note;
  /** A number that goes up and down. */
  upDownCounter(of: Instrument): Note;
  /** How values are distributed. @param buckets their upper bounds */
  histogram(of: Instrument, buckets: readonly number[]): Note;
  /** A number that is asked for when the metrics are read. */
  gauge(of: Instrument, read: () => number): void;
  /** Ends what the instruments hold, such as their names in a registry. */
  close(): void;
}
