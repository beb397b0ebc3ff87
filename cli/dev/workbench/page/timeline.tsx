// The page about the app: what happened in a request, as a waterfall.
import type { JSX } from 'preact';
import { Badge, type Tone } from '../../../../framework/docs-page/parts/badge.js';
import { duration } from '../../../../framework/docs-page/parts/format.js';
import type { LogLine, RequestDetail, TraceStep } from '../protocol.js';
import { SourceLink } from './source-link.js';

const kinds: Readonly<Record<TraceStep['kind'], readonly [text: string, tone: Tone]>> = {
  middleware: ['middleware', 'plain'],
  extractor: ['extractor', 'teal'],
  handler: ['handler', 'green'],
  procedure: ['procedure', 'green'],
  span: ['span', 'violet'],
  database: ['database', 'blue'],
  outgoing: ['call', 'amber'],
};

export function Timeline({ request }: { readonly request: RequestDetail }): JSX.Element {
  const { totalMs, rows } = waterfall(request);
  return (
    <table class="timeline">
      <caption class="hidden-visually">What happened in the request, in the order of time</caption>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col" class="timeline-time">
            Time
          </th>
          <th scope="col" class="timeline-bars">
            <span class="row">
              <span class="grow">0 ms</span>
              <span>{duration(totalMs)}</span>
            </span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <TimelineRow key={index} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function TimelineRow({ row }: { readonly row: WaterfallRow }): JSX.Element {
  const { step, log, depth, at, durationMs, from, width } = row;
  const kind = step === undefined ? `log-${log?.level}` : step.kind;
  const isOpenEnded = step !== undefined && step.end === undefined;
  return (
    <tr class={step?.error === undefined ? '' : 'failed'}>
      <td class="timeline-name" style={{ paddingLeft: `${8 + Math.min(depth, 12) * 14}px` }}>
        {step === undefined ? log && <LogText line={log} /> : <StepText step={step} />}
      </td>
      <td class="timeline-time mono">
        {durationMs === undefined ? `at ${duration(at)}` : isOpenEnded ? 'not ended' : duration(durationMs)}
      </td>
      <td class="timeline-bars">
        <div
          class={`bar ${kind}`}
          style={{ marginLeft: `${from * 100}%`, width: `max(3px, ${Math.min(width, 1 - from) * 100}%)` }}
        />
      </td>
    </tr>
  );
}

function StepText({ step }: { readonly step: TraceStep }): JSX.Element {
  const [text, tone] = kinds[step.kind];
  const name = step.name === '' ? '(anonymous)' : step.name;
  return (
    <>
      <Badge tone={tone}>{text}</Badge>{' '}
      <span class={step.kind === 'database' ? 'mono one-line' : 'mono'} title={name}>
        {step.place === undefined ? name : <SourceLink place={step.place}>{name}</SourceLink>}
      </span>
      {step.kind === 'span' ? null : <Fields fields={step.fields} />}
      {step.error === undefined ? null : <span class="step-error">{step.error}</span>}
    </>
  );
}

function LogText({ line }: { readonly line: LogLine }): JSX.Element {
  const tone =
    line.level === 'error' || line.level === 'fatal' ? 'red' : line.level === 'warn' ? 'amber' : 'plain';
  return (
    <>
      <Badge tone={tone}>{line.level}</Badge>{' '}
      {line.place === undefined ? line.message : <SourceLink place={line.place}>{line.message}</SourceLink>}
      <Fields fields={line.fields} />
    </>
  );
}

function Fields({
  fields,
}: {
  readonly fields: Readonly<Record<string, string>> | undefined;
}): JSX.Element | null {
  const entries = Object.entries(fields ?? {});
  if (entries.length === 0) return null;
  return <span class="step-fields mono">{entries.map(([name, value]) => `${name}=${value}`).join(' ')}</span>;
}

/** One row. `from` and `width` are shares of the whole time, from 0 to 1. */
interface WaterfallRow {
  readonly step?: TraceStep;
  readonly log?: LogLine;
  readonly depth: number;
  readonly at: number;
  /** Without the steps inside; undefined for log lines. */
  readonly durationMs?: number;
  readonly from: number;
  readonly width: number;
}

/** Steps and log lines in the order of their times. */
export function waterfall({ steps, log, durationMs }: Pick<RequestDetail, 'steps' | 'log' | 'durationMs'>): {
  readonly totalMs: number;
  readonly rows: readonly WaterfallRow[];
} {
  const ends = [...steps.map(({ start, end }) => end ?? start), ...log.map(({ at }) => at)];
  const totalMs = Math.max(durationMs ?? 0, ...ends, 0.001);
  const rows: WaterfallRow[] = steps.map((step) => {
    const end = step.end ?? totalMs;
    return {
      step,
      depth: step.depth,
      at: step.start,
      durationMs: end - step.start,
      from: step.start / totalMs,
      width: (end - step.start) / totalMs,
    };
  });
  for (const line of log) {
    rows.push({ log: line, depth: depthAt(steps, line.at), at: line.at, from: line.at / totalMs, width: 0 });
  }
  // Stable: of two steps that began at once, the outer one was recorded first.
  return { totalMs, rows: rows.sort((a, b) => a.at - b.at) };
}

/** One more than that of the innermost step that ran then. */
function depthAt(steps: readonly TraceStep[], at: number): number {
  const around = steps.filter(({ start, end }) => start <= at && (end ?? Number.POSITIVE_INFINITY) >= at);
  return around.reduce((deepest, { depth }) => Math.max(deepest, depth + 1), 0);
}
