// Conformance: one case is an App, a request and what every way into the App must answer.
import type { App } from '../app/app.js';

export interface SentRequest {
  readonly method?: string;
  /** Sent exactly as written. */
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  /** Lower-case names; several fields of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: string;
}

export interface Case {
  readonly name: string;
  readonly app: () => App;
  readonly request: SentRequest;
  readonly status: number;
  /** Fields that must be there with these values; `undefined` ones must be absent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly cookies?: readonly string[];
  /** A string is the whole body; anything else is compared with the body parsed as JSON. */
  readonly body?: unknown;
  /** What must hold besides, once the answer is there. */
  readonly afterwards?: () => Promise<void> | void;
  /** Why a web Request cannot carry the case; it then runs over sockets only. */
  readonly socketsOnly?: string;
}

/** The wire form of an error; `issues` as pairs of path and message. */
export function wireError(
  error: string,
  message: string,
  ...issues: [path: unknown[], message: string][]
): unknown {
  const listed = issues.map(([path, why]) => ({ path, message: why }));
  return { error, message, ...(issues.length > 0 && { issues: listed }) };
}
