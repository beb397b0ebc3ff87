// The page about the app: in a row of a list, what was asked for, and what is remarkable of it: calls of RPC that failed,
// and likely N+1. What there is no room for in its line is below it.
import type { JSX } from 'preact';
import { Badge, OutcomeBadge } from '../../../../framework/docs-page/parts/badge.js';
import type { CallSummary, RequestSummary } from '../protocol.js';
import { failedCalls } from './store.js';

/** More calls of a batch are counted. */
const MOST_CALLS = 5;

type Shown = Pick<RequestSummary, 'target' | 'label' | 'calls' | 'messages' | 'equalReads'>;

export function RowTarget({ request }: { readonly request: Shown }): JSX.Element {
  const { target, label, calls = [], messages = 0, equalReads } = request;
  const failed = failedCalls(request).slice(0, MOST_CALLS);
  const others = calls.filter(({ outcome }) => outcome === 'ok').slice(0, MOST_CALLS - failed.length);
  const more = calls.length - failed.length - others.length;
  const names = request.calls === undefined && label !== 'WebSocket' ? (label ?? '') : namesOf(others);
  return (
    <span class="row-target mono">
      <span class="row-path">
        {target}
        {names === '' ? null : <span class="call">{` ${names}`}</span>}
        {messages > 0 ? <span class="call">{` ${messages} messages`}</span> : null}
      </span>
      {failed.map((call, index) => (
        <FailedCall key={index} call={call} />
      ))}
      {more > 0 ? <span class="call">{` and ${more} more`}</span> : null}
      {equalReads === undefined ? null : (
        <Badge tone="amber" title={`${equalReads} times the same statement in one request: likely N+1`}>
          {`N+1 ×${equalReads}`}
        </Badge>
      )}
    </span>
  );
}

function namesOf(calls: readonly CallSummary[]): string {
  return calls.map(({ procedure }) => procedure || '?').join(' ');
}

function FailedCall({ call: { procedure, outcome, message } }: { readonly call: CallSummary }): JSX.Element {
  return (
    <span class="row-failed">
      <span class="call">{` ${procedure || '?'} `}</span>
      <OutcomeBadge outcome={outcome} message={message} />
    </span>
  );
}
