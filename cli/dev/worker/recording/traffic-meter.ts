// Counts what the app answers, second by second, for the charts of the page about the app. While the page is closed, a
// request costs two times and an addition, and nothing is timed, sampled or sent until 60 seconds with requests are
// together; event loop delay and failed calls of RPC are measured only while it is open.
import diagnostics from 'node:diagnostics_channel';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { durationClass, type RawSecond } from '../../../process/traffic.js';
import type { SendNews } from './recorder.js';

/** How many seconds with requests are sent at once while nobody looks. */
const BATCH = 60;
/** Milliseconds between two looks at the event loop; they are part of what is measured. */
const RESOLUTION = 20;
/** More targets that the frontend's dev server is answering are not told apart. */
const MOST_TARGETS = 1000;

interface Second {
  readonly time: number;
  requests: number;
  failed: number;
  failedCalls: number;
  /** How many requests took how long, by the class of their duration. */
  readonly durations: Map<number, number>;
}

export class TrafficMeter {
  readonly #send: SendNews;
  /** The second that runs. */
  #now: Second | undefined;
  #past: RawSecond[] = [];
  #timer: NodeJS.Timeout | undefined;
  #delays: IntervalHistogram | undefined;
  readonly #frontend = new Map<string, number>();

  constructor(send: SendNews) {
    this.#send = send;
  }

  /** Somebody looks, or not any more. */
  switch(on: boolean): void {
    if (on === (this.#timer !== undefined)) return;
    const calls = 'tracing:fw:rpc:asyncEnd';
    if (on) {
      this.#delays = monitorEventLoopDelay({ resolution: RESOLUTION });
      this.#delays.enable();
      diagnostics.subscribe(calls, this.#called);
      this.#timer = setInterval(() => this.#tick(), 1000);
      this.#timer.unref();
    } else {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#delays?.disable();
      this.#delays = undefined;
      diagnostics.unsubscribe(calls, this.#called);
    }
    this.flush();
  }

  /**
   * A request was answered.
   *
   * @param ms undefined for one whose answer goes on as long as its client likes
   */
  ended(target: string | undefined, status: number, ms: number | undefined): void {
    if (this.#frontend.size > 0 && this.#isOfFrontend(target)) return;
    const second = this.#second();
    second.requests += 1;
    if (status >= 500) second.failed += 1;
    if (ms === undefined) return;
    const one = durationClass(ms);
    second.durations.set(one, (second.durations.get(one) ?? 0) + 1);
  }

  /** The frontend's dev server answers a request for this target. */
  ofFrontend(target: string): void {
    if (this.#frontend.size === MOST_TARGETS) this.#frontend.clear();
    this.#frontend.set(target, (this.#frontend.get(target) ?? 0) + 1);
  }

  /** Sends what there is. */
  flush(done?: () => void): void {
    this.#close();
    const seconds = this.#past;
    this.#past = [];
    if (seconds.length > 0) this.#send({ fw: 'seconds', seconds }, done);
    else done?.();
  }

  #isOfFrontend(target: string = ''): boolean {
    const count = this.#frontend.get(target);
    if (count === undefined) return false;
    if (count === 1) this.#frontend.delete(target);
    else this.#frontend.set(target, count - 1);
    return true;
  }

  /** That of now; the one before is closed. */
  #second(): Second {
    const time = Math.floor(Date.now() / 1000);
    if (this.#now?.time === time) return this.#now;
    this.#close();
    if (this.#past.length >= BATCH) this.flush();
    this.#now = { time, requests: 0, failed: 0, failedCalls: 0, durations: new Map() };
    return this.#now;
  }

  #close(): void {
    const second = this.#now;
    if (second === undefined) return;
    this.#now = undefined;
    const { durations, ...counts } = second;
    this.#past.push({
      ...counts,
      durations: [...durations],
      heap: getHeapStatistics().used_heap_size,
      ...this.#delay(),
    });
  }

  #delay(): Pick<RawSecond, 'delayMs'> {
    const delays = this.#delays;
    if (delays === undefined || delays.count === 0) return {};
    const delayMs = Math.max(0, delays.max / 1e6 - RESOLUTION);
    delays.reset();
    return { delayMs };
  }

  /** Also of a second without requests. */
  #tick(): void {
    this.#second();
    this.flush();
  }

  readonly #called = (call: unknown): void => {
    // The outcome of one that did not fail is not asked for.
    if (typeof call !== 'object' || call === null || !('error' in call)) return;
    this.#second().failedCalls += 1;
  };
}
