// What a worker tells the supervisor about the requests that its app answers, while somebody looks at them.
import type { LogLevel } from '../../framework/tracing/log-level.js';
import type { SecretPlace } from '../../framework/tracing/secrets.js';
import type { CalledProcedure } from '../../framework/tracing/trace-channel.js';
import type { AppError } from './messages.js';

/** One request or job, as it was: nothing is masked. */
export interface RawRecord {
  /** Counts up in its worker; a later record of the same number replaces an earlier one. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly state: 'pending' | 'answered' | 'aborted';
  readonly method: string;
  readonly target: string;
  /** `http://` or `https://` with the host that was asked for. */
  readonly origin: string;
  readonly isWebSocket: boolean;
  /** Work without a request: `method` is `JOB`, `target` the name of its span, and it has no header fields. */
  readonly isJob?: true;
  /** Answered by the dev server of the frontend. */
  readonly isOfFrontend?: true;
  /** The number of the order, if `fw dev` sent it. */
  readonly order?: number;
  /** The error page that was answered, and asks for this record. */
  readonly page?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly requestHeaders: readonly RawField[];
  readonly requestBody?: RawBody;
  readonly responseHeaders: readonly RawField[];
  readonly responseBody?: RawBody;
  /** Of Apps of `fw`. */
  readonly route?: string;
  /** Of RPC, in the order in which they began. */
  readonly calls?: readonly CalledProcedure[];
  readonly steps: readonly RawStep[];
  readonly log: readonly RawLogLine[];
  readonly error?: AppError;
  /** Those that calls of RPC were answered with, in the order of time; absent without any. */
  readonly callErrors?: readonly RawCallError[];
  /** The error has ended the process. */
  readonly isFatal?: true;
  /** Absent if no mechanism has said anything. */
  readonly secrets?: RawSecrets;
}

/** The error of one call, which its procedure or a middleware around it threw. */
export interface RawCallError extends CalledProcedure {
  readonly error: AppError;
}

/** What mechanisms have said of secrets. */
export interface RawSecrets {
  readonly places: readonly SecretPlace[];
  /** Of this request. */
  readonly values: readonly string[];
}

/** A mail that the app sends, and how that has ended: `state` is `sending` at first. */
export interface RawMail {
  /** Counts up in its worker; a later one of the same number replaces an earlier one. */
  readonly seq: number;
  /** The number of the request or the job that sends it. */
  readonly record?: number;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly state: 'sending' | 'sent' | 'written' | 'failed';
  readonly from: string;
  readonly to: readonly string[];
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** The text or the HTML is longer. */
  readonly isCut?: true;
  /** Of `written`, relative to the project. */
  readonly file?: string;
  readonly error?: AppError;
}

/** Messages of a WebSocket or server-sent events that came since the last ones, of a request that is known. */
export interface RawMessages {
  /** That of the record. */
  readonly seq: number;
  readonly messages: readonly RawMessage[];
  /** How many in front of them are not among them. */
  readonly leftOut: number;
  /** Of a WebSocket; `unwatched` if it is open, and not followed any more. */
  readonly end?: { readonly code: number; readonly reason: string } | 'unwatched';
  /** What a callback of the app threw since the last ones. */
  readonly error?: AppError;
}

export interface RawMessage {
  /** In milliseconds since the request began. */
  readonly at: number;
  /** `failed`: a callback of the app threw; the text says what, and where. */
  readonly direction: 'received' | 'sent' | 'failed';
  /** Bytes of the content, or of the data of an event. */
  readonly size: number;
  /** The begin of it; absent of binary ones. */
  readonly text?: string;
  readonly isCut?: true;
  /** Name and id of a server-sent event. */
  readonly event?: string;
}

export type RawField = readonly [name: string, value: string];

export interface RawBody {
  /** Bytes, also those that were not kept. */
  readonly size: number;
  /** The first bytes in base64. */
  readonly data: string;
}

export interface RawStep {
  readonly kind: 'middleware' | 'extractor' | 'handler' | 'procedure' | 'span' | 'database' | 'outgoing';
  readonly name: string;
  /** In milliseconds since the request began, as `end`. */
  readonly start: number;
  readonly end?: number;
  readonly depth: number;
  /** The place in the list of the step that it runs in; absent for the outermost. */
  readonly parent?: number;
  readonly fields?: Readonly<Record<string, string>>;
  /** Of a statement; all are masked where a column is named like a secret. */
  readonly parameters?: readonly string[];
  /** `file:line:column`. */
  readonly place?: string;
  readonly error?: string;
  /** It threw what a step inside had thrown, which has it as `error`. */
  readonly passesError?: true;
}

export interface RawLogLine {
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
  /** `file:line:column`, of a line of `console`. */
  readonly place?: string;
}
