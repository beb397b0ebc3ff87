// The page about the app: what happened in a request, as a waterfall.
import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { Badge, StatusBadge, type Tone } from '../../../../framework/docs-page/parts/badge.js';
import { Code } from '../../../../framework/docs-page/parts/code.js';
import { duration } from '../../../../framework/docs-page/parts/format.js';
import { likelyLoop } from '../equal-statements.js';
import { isFailedCall, statusOfCall } from '../failed-calls.js';
import type { LogLine, RequestDetail, TraceStep } from '../protocol.js';
import { SourceLink } from './source-link.js';
import { sqlLines, sqlSummary } from './sql-text.js';
import { type WaterfallRow, waterfall } from './waterfall.js';

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
      <caption class="hidden-visually">
        What happened in the {request.isJob === true ? 'job' : 'request'}, in the order of time
      </caption>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col" class="timeline-time" title="With the steps inside">
            Total
          </th>
          <th scope="col" class="timeline-time self" title="While no step inside ran">
            Self
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
        {rows.map((row, index) =>
          row.runs === undefined ? (
            <TimelineRow key={index} row={row} />
          ) : (
            <RunRows key={index} row={row} runs={row.runs} />
          ),
        )}
      </tbody>
    </table>
  );
}

/** Equal statements: one row for all, and each of them on demand. */
function RunRows({
  row,
  runs,
}: {
  readonly row: WaterfallRow;
  readonly runs: readonly WaterfallRow[];
}): JSX.Element {
  const isOpen = useSignal(false);
  const isLoop = likelyLoop(runs.flatMap(({ step }) => step ?? [])) !== undefined;
  return (
    <>
      <TimelineRow
        row={row}
        mark={<Badge tone={isLoop ? 'amber' : 'plain'}>{`×${runs.length}`}</Badge>}
        more={
          <button
            type="button"
            class="runs-toggle"
            aria-expanded={isOpen.value}
            onClick={() => {
              isOpen.value = !isOpen.value;
            }}
          >
            {isOpen.value ? 'Show as one' : 'Show each'}
          </button>
        }
      />
      {isOpen.value ? runs.map((one, index) => <TimelineRow key={index} row={one} isInRun />) : null}
    </>
  );
}

function TimelineRow({
  row,
  isInRun = false,
  mark,
  more,
}: {
  readonly row: WaterfallRow;
  /** One of equal statements, below the row of all. */
  readonly isInRun?: boolean;
  /** In front of the name of the step. */
  readonly mark?: ComponentChildren;
  /** Behind it. */
  readonly more?: ComponentChildren;
}): JSX.Element {
  const { step, log, at, durationMs, selfMs } = row;
  const depth = row.depth + (isInRun ? 1 : 0);
  const isOpenEnded = step !== undefined && step.end === undefined;
  return (
    <tr class={step !== undefined && hasFailed(step) ? 'failed' : ''}>
      <td class="timeline-name" style={{ paddingLeft: `calc(8px + ${Math.min(depth, 12)} * var(--indent))` }}>
        {step === undefined ? log && <LogText line={log} /> : <StepText step={step} mark={mark} />}
        {more}
      </td>
      <td class="timeline-time mono">
        {durationMs === undefined ? `at ${duration(at)}` : isOpenEnded ? 'not ended' : duration(durationMs)}
      </td>
      <td class="timeline-time mono self">{selfMs === undefined ? '' : duration(selfMs)}</td>
      <td class="timeline-bars">
        <Bar row={row} />
      </td>
    </tr>
  );
}

function hasFailed(step: TraceStep): boolean {
  return step.error !== undefined || step.passesError === true || isFailedCall(step);
}

/** The whole time is faint, and what is the step's own is strong. */
function Bar({ row: { step, log, from, width, own } }: { readonly row: WaterfallRow }): JSX.Element {
  const kind = step === undefined ? `log-${log?.level}` : step.kind;
  const share = (part: number): string => `${part * 100}%`;
  return (
    <div class={`bar ${kind}${step !== undefined && isFailedCall(step) ? ' failed' : ''}`}>
      <span
        class="bar-all"
        style={{ left: share(from), width: `max(3px, ${share(Math.min(width, 1 - from))})` }}
      />
      {own.map(([begin, end], index) => (
        <span
          key={index}
          class="bar-own"
          style={{ left: share(begin), width: `max(1px, ${share(end - begin)})` }}
        />
      ))}
    </div>
  );
}

function StepText({
  step,
  mark,
}: {
  readonly step: TraceStep;
  readonly mark: ComponentChildren;
}): JSX.Element {
  const [text, tone] = kinds[step.kind];
  return (
    <>
      <Badge tone={tone}>{text}</Badge> {mark}
      {mark === undefined ? null : ' '}
      <StepContent step={step} />
      {step.error === undefined ? null : <span class="step-error">{step.error}</span>}
      {step.passesError === true ? <span class="step-passed">passes the error on</span> : null}
    </>
  );
}

function StepContent({ step }: { readonly step: TraceStep }): JSX.Element {
  if (step.kind === 'database') return <SqlText step={step} />;
  if (step.kind === 'outgoing') return <CallText step={step} />;
  return (
    <>
      <StepName step={step} />
      {step.kind === 'span' ? null : <Fields fields={step.fields} />}
    </>
  );
}

/** A call to another server, with its status. */
function CallText({ step }: { readonly step: TraceStep }): JSX.Element {
  const status = statusOfCall(step);
  return (
    <>
      <span class="mono">{step.name}</span> {status === undefined ? null : <StatusBadge status={status} />}
      <StepPlace place={step.place} />
    </>
  );
}

/** A function without a name is called by its place. */
function StepName({ step: { name, place } }: { readonly step: TraceStep }): JSX.Element {
  if (place !== undefined) return <SourceLink place={place}>{name === '' ? undefined : name}</SourceLink>;
  return <span class="mono">{name === '' ? '(anonymous)' : name}</span>;
}

/** What matters in a line; the whole statement on demand. */
function SqlText({ step: { name, place } }: { readonly step: TraceStep }): JSX.Element {
  return (
    <>
      <details class="sql">
        <summary class="mono">{sqlSummary(name)}</summary>
        <Code code={sqlLines(name)} language="sql" label="statement" />
      </details>
      <StepPlace place={place} />
    </>
  );
}

/** The line of the app that ran it. */
function StepPlace({ place }: { readonly place: TraceStep['place'] }): JSX.Element | null {
  if (place === undefined) return null;
  return (
    <span class="step-place">
      <SourceLink place={place} />
    </span>
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
