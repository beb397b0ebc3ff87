// The steps and log lines of one request, as the framework traces them.
import type { TracingEvent } from '../../../../framework/tracing/event.js';
import { inspected } from '../../../../framework/tracing/inspected.js';
import type { StepStart } from '../../../../framework/tracing/trace-channel.js';
import { describeError } from '../../../process/app-error.js';
import type { RawLogLine, RawStep } from '../../../process/records.js';

/** A loop over statements must not fill the memory. */
const mostSteps = 500;
const mostLines = 200;
const longestText = 4000;
const longestField = 1000;

interface Step {
  readonly start: StepStart;
  readonly began: number;
  readonly depth: number;
  ended?: number;
  thrown?: { readonly error: unknown };
}

export class Steps {
  /** Where the route was registered. */
  handlerPlace: (() => string) | undefined;
  readonly #list: Step[] = [];
  readonly #lines: { at: number; event: TracingEvent }[] = [];

  begin(start: StepStart, depth: number): void {
    if (this.#list.length < mostSteps) this.#list.push({ start, depth, began: performance.now() });
  }

  end(start: StepStart, thrown: { readonly error: unknown } | undefined): void {
    // The last one that began is most often the one that ends.
    const step = this.#list.findLast((one) => one.start === start);
    if (step === undefined) return;
    step.ended = performance.now();
    if (thrown !== undefined) step.thrown = thrown;
  }

  log(event: TracingEvent): void {
    if (this.#lines.length < mostLines) this.#lines.push({ at: performance.now(), event });
  }

  /** @param began when the request began, by `performance.now()` */
  raw(began: number): { steps: RawStep[]; log: RawLogLine[] } {
    return {
      steps: this.#list.map((step) => rawStep(step, began, this.handlerPlace)),
      log: this.#lines.map(({ at, event }) => ({
        at: at - began,
        level: event.level,
        message: event.message.slice(0, longestText),
        fields: shownFields({ ...event.span, ...event.fields }),
      })),
    };
  }
}

function rawStep(
  { start, began: from, depth, ended, thrown }: Step,
  began: number,
  handlerPlace: (() => string) | undefined,
): RawStep {
  const { kind, name, fields } = start;
  const place = kind === 'handler' ? handlerPlace : start.place;
  return {
    kind,
    name: name.slice(0, longestText),
    start: from - began,
    depth,
    ...(ended !== undefined && { end: ended - began }),
    ...(fields !== undefined && { fields: shownFields(fields) }),
    ...(place !== undefined && { place: place() }),
    ...(thrown !== undefined && { error: describeError(thrown.error).title.slice(0, longestField) }),
  };
}

function shownFields(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const shown: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'string' ? value : inspected(value, true);
    shown[name] = text.slice(0, longestField);
  }
  return shown;
}
