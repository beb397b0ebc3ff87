// Work of the app that runs without a request: an outermost span, with what happens inside.
import type { SecretPlace } from '../../../../framework/tracing/secrets.js';
import type { StepStart, TraceMessage } from '../../../../framework/tracing/trace-channel.js';
import { describeError } from '../../../process/app-error.js';
import type { AppError } from '../../../process/messages.js';
import type { RawRecord } from '../../../process/records.js';
import type { Recorded } from './recorded.js';
import { RequestSecrets } from './request-secrets.js';
import { Steps } from './steps.js';

/** What a job tells the recorder. */
export interface JobEvents {
  ended(job: Job): void;
  /** The recorder itself made a mistake. */
  failed(error: unknown): void;
}

const LONGEST_NAME = 4000;

export class Job implements Recorded {
  readonly seq: number;
  readonly steps: Steps = new Steps();
  readonly began: number = performance.now();
  readonly kept = 0;
  readonly isKept = true;
  readonly isOfFrontend = false;
  isAnnounced = false;
  fate: Recorded['fate'] = 'waiting';
  fatal: AppError | undefined;
  /** What its span threw. */
  thrown: { readonly error: unknown } | undefined;
  readonly #secrets: RequestSecrets;
  readonly #events: JobEvents;
  #start: StepStart | undefined;
  #state: RawRecord['state'] = 'pending';
  #ended: number | undefined;
  #isOff = false;

  constructor(seq: number, events: JobEvents, places: readonly SecretPlace[] = []) {
    this.seq = seq;
    this.#events = events;
    this.#secrets = new RequestSecrets(places);
  }

  get isPending(): boolean {
    return this.#state === 'pending';
  }

  /** Its span begins. Returns the place of the span in the list of steps. */
  begin(start: StepStart): number | undefined {
    this.#start = start;
    return this.steps.begin(start, 0, undefined);
  }

  hear(message: TraceMessage): void {
    if (message.type === 'secret') this.#secrets.note(message.value);
    else if (message.type === 'log') this.steps.log(message.event);
    else if (message.type === 'end') {
      this.steps.end(message.of, message.thrown);
      if (message.of !== this.#start) return;
      this.thrown = message.thrown;
      this.end('answered');
    }
  }

  note(part: () => void): void {
    if (this.#isOff) return;
    try {
      part();
    } catch (error) {
      this.#isOff = true;
      this.#events.failed(error);
    }
  }

  end(state: 'answered' | 'aborted'): void {
    if (!this.isPending) return;
    this.#state = state;
    this.#ended = performance.now();
    this.#events.ended(this);
  }

  raw(): RawRecord {
    const error = this.fatal ?? (this.thrown && describeError(this.thrown.error));
    const secrets = this.#secrets.raw();
    return {
      seq: this.seq,
      began: performance.timeOrigin + this.began,
      state: this.#state,
      isJob: true,
      method: 'JOB',
      target: this.#start?.name.slice(0, LONGEST_NAME) ?? '',
      origin: '',
      isWebSocket: false,
      requestHeaders: [],
      responseHeaders: [],
      ...this.steps.raw(this.began),
      ...(this.#ended !== undefined && { durationMs: this.#ended - this.began }),
      ...(error !== undefined && { error }),
      ...(this.fatal !== undefined && { isFatal: true as const }),
      ...(secrets !== undefined && { secrets }),
    };
  }
}
