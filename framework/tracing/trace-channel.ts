// Tracing: the steps of a request on the diagnostics channel `fw:trace`, for `fw dev`; without a subscriber, none are
// published.
import diagnostics from 'node:diagnostics_channel';
import type { TracingEvent } from './event.js';
import type { SpanFields } from './span.js';

/** The kinds of steps. */
type StepKind = 'middleware' | 'extractor' | 'handler' | 'procedure' | 'span' | 'database' | 'outgoing';

/** A step begins. It runs in the stores that are bound to the channel, so that a subscriber knows what is around it. */
export interface StepStart {
  readonly type: 'start';
  readonly kind: StepKind;
  /** The name of a function, an extractor or a procedure, the SQL, or the method and the URL. */
  readonly name: string;
  readonly fields?: SpanFields;
  /** Of a statement; they are values of users, for `fw dev` alone. */
  readonly parameters?: readonly unknown[] | undefined;
  /** `file:line:column` in the application. */
  readonly place?: (() => string) | undefined;
}

/** A call of a procedure of RPC, and how it ended. */
export interface CalledProcedure {
  /**
   * The name of the procedure; what the client asked for if no procedure has that name, and an empty text if it asked
   * for nothing that could be a name.
   */
  readonly procedure: string;
  /** `ok`, the name of the declared error, or the code of another error of JSON-RPC, such as `-32602`. */
  readonly outcome: string;
}

/** A message on the channel `fw:trace`. Everything else than a start belongs to the request that runs. */
export type TraceMessage =
  | StepStart
  | { readonly type: 'end'; readonly of: StepStart; readonly thrown?: { readonly error: unknown } }
  /** The route that matches, and the place that registered it. */
  | { readonly type: 'route'; readonly pattern: string; readonly place: () => string }
  | { readonly type: 'log'; readonly event: TracingEvent }
  /** The RPC calls of the request, when it was answered. */
  | { readonly type: 'calls'; readonly calls: readonly CalledProcedure[] }
  | { readonly type: 'secret'; readonly value: string }
  | AnsweredError;

/** An error that was answered with this status. */
export interface AnsweredError {
  readonly type: 'error';
  readonly error: unknown;
  readonly status: number;
  /** Of RPC: the call that it answered, as `CalledProcedure` has it. */
  readonly call?: CalledProcedure | undefined;
}

const channel = diagnostics.channel('fw:trace');

/** Whether there is a subscriber; check it before anything else here is called. */
export function isRecorded(): boolean {
  return isHeard(channel);
}

export function publishTrace(message: TraceMessage): void {
  channel.publish(message);
}

/** Runs a step, and publishes its start and its end. */
export function traceStep<Result>(step: Omit<StepStart, 'type'>, work: () => Result): Result {
  const start: StepStart = { type: 'start', ...step };
  return channel.runStores(start, () => watched(start, work));
}

function watched<Result>(start: StepStart, work: () => Result): Result {
  let result: Result;
  try {
    result = work();
  } catch (error) {
    publishTrace({ type: 'end', of: start, thrown: { error } });
    throw error;
  }
  // Only a plain promise: `then` of a query would run it once more, and members of other kinds would be lost.
  if (result instanceof Promise && result.constructor === Promise) return settled(start, result) as Result;
  publishTrace({ type: 'end', of: start });
  return result;
}

async function settled(start: StepStart, result: Promise<unknown>): Promise<unknown> {
  try {
    const value = await result;
    publishTrace({ type: 'end', of: start });
    return value;
  } catch (error) {
    publishTrace({ type: 'end', of: start, thrown: { error } });
    throw error;
  }
}

/** What is asked of a channel, or of a tracing channel. */
interface Heard {
  readonly hasSubscribers: boolean;
}

/** On Workers, `hasSubscribers` is a method instead of a boolean, and as a value always true. */
export function isHeard(channel: Heard): boolean {
  const heard: boolean | ((this: Heard) => boolean) = channel.hasSubscribers as boolean;
  return heard === true || (heard !== false && (heard as (this: Heard) => boolean).call(channel));
}
