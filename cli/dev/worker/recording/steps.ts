// The steps and log lines of one request, in the order in which they began.
import { isUint8Array } from 'node:util/types';
import type { Statement } from '../../../../framework/sql/database-errors.js';
import type { TracingEvent } from '../../../../framework/tracing/event.js';
import { inspected } from '../../../../framework/tracing/inspected.js';
import type { StepStart } from '../../../../framework/tracing/trace-channel.js';
import { describeError, isAppFrame } from '../../../process/app-error.js';
import type { RawLogLine, RawStep } from '../../../process/records.js';
import { isSecretName, MASKED } from '../../../process/secret-names.js';

/** A loop over statements must not fill the memory. */
const MOST_STEPS = 500;
const MOST_LINES = 200;
const MOST_STACKS = 100;
/** Frames of the framework and of a query builder lie in front of that of the app. */
const STACK_LIMIT = 50;
const LONGEST_TEXT = 4000;
const LONGEST_FIELD = 1000;

interface Step {
  readonly start: StepStart;
  readonly began: number;
  readonly depth: number;
  /** Undefined for the outermost. */
  readonly parent: number | undefined;
  /** Of a statement, or a call to another server. */
  readonly stack: { readonly stack?: string } | undefined;
  ended?: number;
  thrown?: { readonly error: unknown };
}

interface Line {
  readonly at: number;
  readonly event: TracingEvent;
  /** Of a line of `console`. */
  readonly place: (() => string) | undefined;
}

export class Steps {
  /** Where the route was registered. */
  handlerPlace: (() => string) | undefined;
  readonly #list: Step[] = [];
  #stacks = 0;
  readonly #lines: Line[] = [];

  /**
   * @param parent what this method returned for the step around it
   * @returns the place of the step in the list; undefined if there are too many
   */
  begin(start: StepStart, depth: number, parent: number | undefined): number | undefined {
    if (this.#list.length >= MOST_STEPS) return undefined;
    const stack = start.kind === 'database' || start.kind === 'outgoing' ? this.#stack() : undefined;
    return this.#list.push({ start, depth, parent, stack, began: performance.now() }) - 1;
  }

  /** What ran the statement or made the call; not of all, because it takes time. */
  #stack(): { readonly stack?: string } | undefined {
    this.#stacks += 1;
    if (this.#stacks > MOST_STACKS) return undefined;
    const holder: { stack?: string } = {};
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = STACK_LIMIT;
    Error.captureStackTrace(holder, this.begin);
    Error.stackTraceLimit = limit;
    return holder;
  }

  end(start: StepStart, thrown: { readonly error: unknown } | undefined): void {
    // The last one that began is most often the one that ends.
    const step = this.#list.findLast((one) => one.start === start);
    if (step === undefined) return;
    step.ended = performance.now();
    if (thrown !== undefined) step.thrown = thrown;
  }

  log(event: TracingEvent, place?: () => string): void {
    if (this.#lines.length < MOST_LINES) this.#lines.push({ at: performance.now(), event, place });
  }

  /** @param began when the request began, by `performance.now()` */
  raw(began: number): { steps: RawStep[]; log: RawLogLine[] } {
    const passing = passingSteps(this.#list);
    return {
      steps: this.#list.map((step) => rawStep(step, began, this.handlerPlace, passing.has(step))),
      log: this.#lines
        .filter((line) => !isReport(line))
        .map(({ at, event, place }) => ({
          at: at - began,
          level: event.level,
          message: event.message.slice(0, LONGEST_TEXT),
          fields: shownFields({ ...event.span, ...event.fields }),
          ...(place !== undefined && { place: place() }),
        })),
    };
  }
}

/** The error of the request, which the framework has printed: it is shown with its code already. */
function isReport({ event, place }: Line): boolean {
  const isOfError = event.level === 'error' && event.message.includes(' → ');
  return isOfError && place !== undefined && !isAppFrame(`at ${place()}`);
}

/** Those that threw what a step directly inside had thrown. */
function passingSteps(list: readonly Step[]): ReadonlySet<Step> {
  const passing = new Set<Step>();
  for (const { parent, thrown } of list) {
    const around = parent === undefined ? undefined : list[parent];
    if (thrown === undefined || around?.thrown === undefined) continue;
    if (Object.is(around.thrown.error, thrown.error)) passing.add(around);
  }
  return passing;
}

function rawStep(
  { start, began: from, depth, parent, stack, ended, thrown }: Step,
  began: number,
  handlerPlace: (() => string) | undefined,
  isPassing: boolean,
): RawStep {
  const { kind, name, fields, parameters } = start;
  const place = kind === 'handler' ? handlerPlace?.() : (start.place?.() ?? appPlaceIn(stack?.stack));
  return {
    kind,
    name: name.slice(0, LONGEST_TEXT),
    start: from - began,
    depth,
    ...(parent !== undefined && { parent }),
    ...(ended !== undefined && { end: ended - began }),
    ...(fields !== undefined && { fields: shownFields(fields) }),
    ...(parameters !== undefined && parameters.length > 0 && { parameters: texts(name, parameters) }),
    ...(place !== undefined && { place }),
    ...(isPassing
      ? { passesError: true }
      : thrown && { error: describeError(thrown.error).title.slice(0, LONGEST_FIELD) }),
  };
}

function shownFields(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const shown: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'string' ? value : inspected(value, true);
    shown[name] = text.slice(0, LONGEST_FIELD);
  }
  return shown;
}

function texts(sql: string, parameters: readonly unknown[]): string[] {
  return shownParameters({ sql, parameters }).map((one) =>
    (typeof one === 'string' ? one : inspected(one, true)).slice(0, LONGEST_FIELD),
  );
}

/** `file:line:column` of the first frame of the app; undefined if there is none. */
export function appPlaceIn(stack: string | undefined): string | undefined {
  const frames = (stack ?? '').split('\n').slice(1);
  const frame = frames.map((one) => one.replace(/^ +/, '')).find(isAppFrame);
  if (frame === undefined) return undefined;
  const plain = frame.replace(/^at (?:async )?/, '');
  // `name (place)` or only the place.
  return plain.endsWith(')') ? plain.slice(plain.indexOf(' (') + 2, -1) : plain;
}

/** Characters. */
const LONGEST_PARAMETER = 200;
const MOST_PARAMETERS = 50;

/** Names that are secrets in a database, such as those of stored sessions, and harmless elsewhere. */
const SECRET_COLUMN = /session|hash|cookie|verifier|nonce|salt|^key$|^code$/i;

/**
 * Parameters as people may see them, in development only: they are values of users. Where a column or a table is named
 * like a secret, none is shown: which parameter belongs to it cannot be told of all SQL.
 */
export function shownParameters({ sql, parameters = [] }: Statement): unknown[] {
  const names = sql.match(/[A-Za-z_][\w-]*/g) ?? [];
  const isSecret = names.some((name) => isSecretName(name) || SECRET_COLUMN.test(name));
  const shown = parameters.slice(0, MOST_PARAMETERS).map((value) => (isSecret ? MASKED : shortened(value)));
  if (parameters.length > MOST_PARAMETERS) shown.push(`… ${parameters.length - MOST_PARAMETERS} more`);
  return shown;
}

function shortened(value: unknown): unknown {
  if (typeof value !== 'string') return isUint8Array(value) ? `${value.length} bytes` : value;
  return value.length > LONGEST_PARAMETER ? `${value.slice(0, LONGEST_PARAMETER)}…` : value;
}
