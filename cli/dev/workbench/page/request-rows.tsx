// The page about the app: the rows of the list of requests.
import { Component, type JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { MethodBadge, StatusBadge } from '../../../../framework/docs-page/parts/badge.js';
import { clock, duration, size } from '../../../../framework/docs-page/parts/format.js';
import type { RequestSummary } from '../protocol.js';
import { linkTo } from './place.js';

/** Arrow keys move between the rows; one of them is in the order of tabs. */
export function RequestRows({
  rows,
  open,
}: {
  readonly rows: readonly RequestSummary[];
  readonly open: number;
}): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  const reachable = rows.some(({ id }) => id === open) ? open : rows[0]?.id;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const next = links[links.indexOf(document.activeElement as HTMLAnchorElement) + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
    next.click();
  };
  return (
    <div class="scroll">
      <ul class="rows" ref={list} onKeyDown={onKeyDown}>
        {rows.map((request) => (
          <Row
            key={request.id}
            request={request}
            isOpen={request.id === open}
            isReachable={request.id === reachable}
          />
        ))}
      </ul>
    </div>
  );
}

interface RowProps {
  readonly request: RequestSummary;
  readonly isOpen: boolean;
  readonly isReachable: boolean;
}

/** Made again only if something of it changed, because a list of 1,000 changes many times a second under load. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { request, isOpen, isReachable } = this.props;
    return request !== next.request || isOpen !== next.isOpen || isReachable !== next.isReachable;
  }

  render({ request, isOpen, isReachable }: RowProps): JSX.Element {
    const { id, method, target, label, status, durationMs, began, aborted } = request;
    return (
      <li>
        <a
          class="request-row"
          href={linkTo('requests', id)}
          aria-current={isOpen ? 'true' : undefined}
          tabIndex={isReachable ? 0 : -1}
        >
          <span class="row-method">
            <MethodBadge method={label === 'WebSocket' ? 'WEBSOCKET' : method} />
          </span>
          <span class="row-target mono">
            {target}
            {label === undefined || label === 'WebSocket' ? null : <span class="row-label">{label}</span>}
          </span>
          <span class="row-status">
            <StatusBadge status={aborted === true && status === undefined ? 499 : status} />
          </span>
          <span class="row-time mono">{durationMs === undefined ? '' : duration(durationMs)}</span>
          <span class="row-size mono">{request.size === undefined ? '' : size(request.size)}</span>
          <span class="row-clock mono">{clock(began)}</span>
        </a>
      </li>
    );
  }
}
