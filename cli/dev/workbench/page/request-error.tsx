// The page about the app: why a request or a job has failed: its error, or those of the calls of a batch, and the calls to
// other servers that failed before.
import type { JSX } from 'preact';
import { Badge, StatusBadge } from '../../../../framework/docs-page/parts/badge.js';
import { Notice } from '../../../../framework/docs-page/parts/layout.js';
import { isFailedCall, statusOfCall } from '../failed-calls.js';
import type { RequestDetail, TraceStep } from '../protocol.js';
import { ErrorView, SourceLink } from './source-link.js';

/** Also without an error, where the app has answered one after a call to another server had failed. */
export function hasErrorTab({ error, status = 0, steps }: RequestDetail): boolean {
  return error !== undefined || (status >= 400 && steps.some(isFailedCall));
}

export function RequestError({ request }: { readonly request: RequestDetail }): JSX.Element {
  const { error, callErrors, advice = [], steps } = request;
  const failed = steps.filter(isFailedCall);
  if (callErrors === undefined) {
    return error === undefined ? (
      <FailedCalls calls={failed} />
    ) : (
      <ErrorView error={error}>
        <Advice advice={advice} />
        <FailedCalls calls={failed} />
      </ErrorView>
    );
  }
  return (
    <div class="stack">
      <FailedCalls calls={failed} />
      {callErrors.map((one, index) => (
        <section key={index} class="stack">
          <h3>
            Call of <span class="mono">{one.procedure}</span>
          </h3>
          <ErrorView error={one.error} />
        </section>
      ))}
    </div>
  );
}

function Advice({ advice }: { readonly advice: readonly string[] }): JSX.Element | null {
  if (advice.length === 0) return null;
  return (
    <Notice>
      {advice.map((one) => (
        <p key={one}>{one}</p>
      ))}
    </Notice>
  );
}

/** As many as a person reads; the timeline has all. */
const MOST_CALLS = 5;

function FailedCalls({ calls }: { readonly calls: readonly TraceStep[] }): JSX.Element | null {
  if (calls.length === 0) return null;
  const more = calls.length - MOST_CALLS;
  return (
    <Notice tone="amber">
      <strong>
        {calls.length === 1
          ? 'A call to another server failed before'
          : `${calls.length} calls to other servers failed before`}
      </strong>
      <ul class="plain-list">
        {calls.slice(0, MOST_CALLS).map((step, index) => (
          <li key={index}>
            <FailedCall step={step} />
          </li>
        ))}
      </ul>
      {more > 0 ? <span class="dim">and {more} more, which the timeline has</span> : null}
    </Notice>
  );
}

function FailedCall({ step }: { readonly step: TraceStep }): JSX.Element {
  const { name, place, error } = step;
  const status = statusOfCall(step);
  return (
    <>
      {status === undefined ? <Badge tone="red">no response</Badge> : <StatusBadge status={status} />}{' '}
      <span class="mono failed-call">{name}</span>
      {place === undefined ? null : (
        <>
          {' at '}
          <SourceLink place={place} />
        </>
      )}
      {error === undefined ? null : <span class="step-error">{error}</span>}
    </>
  );
}
