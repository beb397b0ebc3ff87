// What the recorder follows: a request, or a job.
import type { TraceMessage } from '../../../../framework/tracing/trace-channel.js';
import type { AppError } from '../../../process/messages.js';
import type { RawRecord } from '../../../process/records.js';
import type { Steps } from './steps.js';

export interface Recorded {
  readonly seq: number;
  readonly steps: Steps;
  /** By `performance.now()`. */
  readonly began: number;
  readonly isPending: boolean;
  /** How much memory it takes besides its steps, about. */
  readonly kept: number;
  /** Whether the supervisor gets it. */
  readonly isKept: boolean;
  /** Answered by the dev server of the frontend. */
  readonly isOfFrontend: boolean;
  /** Whether the supervisor knows of it as pending. */
  isAnnounced: boolean;
  /** Whether the supervisor knows of it; `dropped` if it never will. */
  fate: 'waiting' | 'told' | 'dropped';
  /** What ended the process. */
  fatal: AppError | undefined;
  /** What was published inside of it, besides the starts of steps. */
  hear(message: TraceMessage): void;
  /** Runs a part of the recorder: a mistake in it must not reach the app. */
  note(part: () => void): void;
  end(state: 'answered' | 'aborted'): void;
  raw(): RawRecord;
}
