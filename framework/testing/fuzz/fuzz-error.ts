// Fuzzing: what a run tells, and the error that has it.
import type { FuzzCheck } from './fuzz-check.js';

/** Something that does not hold, with the smallest request that was found. */
export interface FuzzFailure {
  /** `POST /users/:id`, the name of a procedure, or `WEBSOCKET /rooms/:room`. */
  readonly operation: string;
  /** What does not hold, such as `server error`. */
  readonly check: FuzzCheck;
  readonly message: string;
  /** The name of an identity, `nobody` or `a stranger`. */
  readonly caller: string;
  /** The request as a command for a POSIX shell. Credentials are left out. */
  readonly curl: string;
  /** The request as a test. */
  readonly test: string;
}

/** The requests to one operation. */
export interface FuzzedOperation {
  readonly name: string;
  readonly requests: number;
  /** How many were accepted. */
  readonly accepted: number;
  /** How many answers had each status; of a WebSocket, how its connections ended. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** What a run of the fuzzer found. */
export interface FuzzReport {
  /** Repeats the run, as the option `seed`. */
  readonly seed: number;
  readonly requests: number;
  readonly operations: readonly FuzzedOperation[];
  readonly failures: readonly FuzzFailure[];
  /** What could not be tried, and why: for example, that an identity could not sign in again. */
  readonly notes: readonly string[];
}

/** Something does not hold. The message has all failures, the report too. */
export class FuzzError extends Error {
  override readonly name = 'FuzzError';
  readonly report: FuzzReport;

  /** @internal */
  constructor(message: string, report: FuzzReport) {
    super(message);
    this.report = report;
  }
}
