// The page about the app: the statements of a request to the database; equal ones are counted.
import { type Signal, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Badge } from '../../../../framework/docs-page/parts/badge.js';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { Code } from '../../../../framework/docs-page/parts/code.js';
import { duration } from '../../../../framework/docs-page/parts/format.js';
import { Notice } from '../../../../framework/docs-page/parts/layout.js';
import { type EqualStatements, equalStatements, isLikelyLoop } from '../equal-statements.js';
import type { TraceStep } from '../protocol.js';
import { SourceLink } from './source-link.js';
import { sqlLines, sqlSummary } from './sql-text.js';

/** They are values of users: a person asks for them, once for all requests. */
const hasParameters: Signal<boolean> = signal(false);

export function Statements({ steps }: { readonly steps: readonly TraceStep[] }): JSX.Element {
  const groups = equalStatements(steps);
  const total = groups.reduce((sum, { totalMs }) => sum + totalMs, 0);
  const isAskable = steps.some(({ parameters }) => parameters !== undefined);
  return (
    <div class="stack">
      <div class="row">
        <p class="dim grow">
          {steps.length} {steps.length === 1 ? 'statement' : 'statements'} in {duration(total)}
          {groups.length < steps.length ? `, ${groups.length} different` : ''}
        </p>
        {isAskable ? (
          <Button
            small
            kind="quiet"
            pressed={hasParameters.value}
            onClick={() => {
              hasParameters.value = !hasParameters.value;
            }}
          >
            {hasParameters.value ? 'Hide parameters' : 'Show parameters'}
          </Button>
        ) : null}
      </div>
      {groups.map((group, index) => (
        <Group key={index} group={group} label={`statement ${index + 1}`} />
      ))}
    </div>
  );
}

function Group({ group, label }: { readonly group: EqualStatements; readonly label: string }): JSX.Element {
  const { steps, totalMs, slowestMs, place } = group;
  const [first] = steps;
  const error = steps.find((one) => one.error !== undefined)?.error;
  return (
    <div class="stack statement">
      <span class="dim">
        {steps.length === 1 ? null : (
          <>
            <Badge tone={isLikelyLoop(group) ? 'amber' : 'plain'}>{`×${steps.length}`}</Badge>{' '}
          </>
        )}
        {first?.end === undefined ? 'not ended' : duration(totalMs)}
        {steps.length === 1 ? null : `, the slowest ${duration(slowestMs)}`} · at{' '}
        {duration(first?.start ?? 0)}
        {place === undefined ? null : (
          <>
            {' · '}
            <SourceLink place={place} />
          </>
        )}
        {error === undefined ? null : <span class="step-error">{error}</span>}
      </span>
      <Code code={sqlLines(first?.name ?? '')} language="sql" label={label} />
      {hasParameters.value ? <Parameters steps={steps} label={label} /> : null}
    </div>
  );
}

/** More runs of one statement are counted. */
const MOST_RUNS = 50;

function Parameters({
  steps,
  label,
}: {
  readonly steps: readonly TraceStep[];
  readonly label: string;
}): JSX.Element | null {
  const lines = steps.flatMap(({ parameters }) => (parameters === undefined ? [] : [parameters.join(', ')]));
  if (lines.length === 0) return null;
  const more = lines.length - MOST_RUNS;
  const text = [...lines.slice(0, MOST_RUNS), ...(more > 0 ? [`… ${more} more`] : [])].join('\n');
  return <Code code={text} label={`parameters of ${label}`} copy={false} />;
}

/** Says which statement a request has run again and again; nothing if there is none. */
export function RepeatedStatements({ steps }: { readonly steps: readonly TraceStep[] }): JSX.Element | null {
  const loops = equalStatements(steps).filter(isLikelyLoop);
  if (loops.length === 0) return null;
  return (
    <>
      {loops.map(({ steps: runs, totalMs, place, sql }, index) => (
        <Notice key={index} tone="amber">
          {runs.length} times the same statement in one request, {duration(totalMs)} in all: likely N+1
          {place === undefined ? null : (
            <>
              {', run by '}
              <SourceLink place={place} />
            </>
          )}
          <div class="mono notice-sql">{sqlSummary(sql)}</div>
        </Notice>
      ))}
    </>
  );
}
