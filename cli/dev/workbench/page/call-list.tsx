// The page about the app: the RPC calls of a request, and how they ended if not well.
import type { JSX } from 'preact';
import { OutcomeBadge } from '../../../../framework/docs-page/parts/badge.js';
import type { RequestSummary } from '../protocol.js';

/** Nothing for other requests. @param most how many calls of a batch are shown; more are counted */
export function CallList({
  request: { label, calls },
  most,
}: {
  readonly request: Pick<RequestSummary, 'label' | 'calls'>;
  readonly most: number;
}): JSX.Element | null {
  if (calls === undefined) {
    return label === undefined || label === 'WebSocket' ? null : <span class="call">{label}</span>;
  }
  const more = calls.length - most;
  return (
    <>
      {calls.slice(0, most).map(({ procedure, outcome, message }, index) => (
        <span class="call" key={index}>
          {` ${procedure || '?'}`}
          {outcome === 'ok' ? null : (
            <>
              {' '}
              <OutcomeBadge outcome={outcome} message={message} />
            </>
          )}
        </span>
      ))}
      {more > 0 ? <span class="call">{` and ${more} more`}</span> : null}
    </>
  );
}
