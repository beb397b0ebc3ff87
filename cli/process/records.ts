// What a worker tells the supervisor about the requests that its app answers, while somebody looks at them.
import type { LogLevel } from '../../framework/tracing/log-level.js';
import type { SecretPlace } from '../../framework/tracing/secrets.js';
import type { CalledProcedure } from '../../framework/tracing/trace-channel.js';
import type { AppError } from './messages.js';

/** One request, as it was: nothing is masked. */
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
  /** Absent if no mechanism has said anything. */
  readonly secrets?: RawSecrets;
}

/** What mechanisms have said of secrets. */
export interface RawSecrets {
  readonly places: readonly SecretPlace[];
  /** Of this request. */
  readonly values: readonly string[];
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
  readonly fields?: Readonly<Record<string, string>>;
  /** Of a statement; all are masked where a column is named like a secret. */
  readonly parameters?: readonly string[];
  /** `file:line:column`. */
  readonly place?: string;
  readonly error?: string;
}

export interface RawLogLine {
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
  /** `file:line:column`, of a line of `console`. */
  readonly place?: string;
}
