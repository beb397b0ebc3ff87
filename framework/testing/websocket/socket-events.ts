// Testing: what a WebSocket of a test sends and receives besides messages, as types.

/** Events of any name, whose data is not known. */
// biome-ignore lint/suspicious/noExplicitAny: data without a declared type, as of JSON.parse
export type UntypedEvents = Record<string, any>;

/** Data that may be undefined can be left out. */
export type EventArguments<Data> = undefined extends Data ? [data?: Data] : [data: Data];

/** An event that was received; `topic` and `id` are those of a topic with a history. */
export type TestSocketEvent<Events extends object> = {
  [Event in keyof Events & string]: {
    readonly event: Event;
    readonly data: Events[Event];
    readonly topic?: string;
    readonly id?: string;
  };
}[keyof Events & string];

/** An event that the server has refused. */
export interface TestSocketRefusal {
  readonly event: string;
  readonly message: string;
  readonly issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
}

/** How a connection was closed; code 1006 if it was cut. */
export interface TestSocketClose {
  readonly code: number;
  readonly reason: string;
}
