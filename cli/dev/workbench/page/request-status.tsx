// The page about the app: how a request or a job has ended.
import type { JSX } from 'preact';
import { Badge, StatusBadge } from '../../../../framework/docs-page/parts/badge.js';
import type { RequestSummary } from '../protocol.js';
import { failedCalls } from './store.js';

type Ended = Pick<
  RequestSummary,
  'status' | 'durationMs' | 'aborted' | 'isJob' | 'hasFailed' | 'hasCrashed' | 'calls'
>;

/** Nothing for a job that went well. */
export function RequestStatus({ request }: { readonly request: Ended }): JSX.Element | null {
  const { status, aborted, isJob, hasFailed, hasCrashed } = request;
  if (hasCrashed === true) {
    return (
      <Badge tone="red" title="its error has ended the process">
        crashed
      </Badge>
    );
  }
  if (hasFailed === true) return <Badge tone="red">failed</Badge>;
  if (isJob === true) return <JobStatus job={request} />;
  return (
    <StatusBadge
      status={aborted === true && status === undefined ? 499 : status}
      hasFailed={failedCalls(request).length > 0}
    />
  );
}

function JobStatus({ job: { aborted, durationMs } }: { readonly job: Ended }): JSX.Element | null {
  if (aborted === true) {
    return (
      <Badge tone="amber" title="the process ended while it ran">
        cut off
      </Badge>
    );
  }
  return durationMs === undefined ? <Badge title="not ended yet">···</Badge> : null;
}
