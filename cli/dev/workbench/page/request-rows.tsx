// The page about the app: the rows of the list of requests.
import { Component, type JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { MethodBadge } from '../../../../framework/docs-page/parts/badge.js';
import { clock, duration, size } from '../../../../framework/docs-page/parts/format.js';
import type { FoundRequest, RequestSummary } from '../protocol.js';
import { found } from './deep-search.js';
import { FoundText } from './found-text.js';
import { linkTo } from './place.js';
import { RequestStatus } from './request-status.js';
import { RowTarget } from './row-target.js';

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
            found={found.value.get(request.id)}
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
  /** Where the text of the search is, besides what the row shows. */
  readonly found: FoundRequest | undefined;
  readonly isOpen: boolean;
  readonly isReachable: boolean;
}

/** Made again only if something of it changed, because a list of 1,000 changes many times a second under load. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { props } = this;
    return (['request', 'found', 'isOpen', 'isReachable'] as const).some(
      (name) => props[name] !== next[name],
    );
  }

  render({ request, found, isOpen, isReachable }: RowProps): JSX.Element {
    const { id, method, label, durationMs, began } = request;
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
          <RowTarget request={request} />
          <span class="row-status">
            <RequestStatus request={request} />
          </span>
          <span class="row-time mono">{durationMs === undefined ? '' : duration(durationMs)}</span>
          <span class="row-size mono">{request.size === undefined ? '' : size(request.size)}</span>
          <span class="row-clock mono">{clock(began)}</span>
          {found === undefined ? null : <FoundText found={found} />}
        </a>
      </li>
    );
  }
}
