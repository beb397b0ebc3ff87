// The page about the app: the requests, live, with the detail of the one that is open.
import { useSignal } from '@preact/signals';
import { Component, type JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { MethodBadge, StatusBadge } from '../../../../framework/docs-page/parts/badge.js';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { clock, duration, size } from '../../../../framework/docs-page/parts/format.js';
import { Icon } from '../../../../framework/docs-page/parts/icon.js';
import { Empty, Notice, Split } from '../../../../framework/docs-page/parts/layout.js';
import { SearchField } from '../../../../framework/docs-page/parts/search-field.js';
import type { RequestSummary } from '../protocol.js';
import { CallList } from './call-list.js';
import { forgetRequests, messageOf } from './calls.js';
import { EditDialog } from './edit-dialog.js';
import { linkTo, place } from './place.js';
import { RequestDetailView } from './request-detail.js';
import {
  counted,
  type Filter,
  failedCalls,
  forget,
  hello,
  isPaused,
  problem,
  requests,
  resume,
  shown,
  skipped,
  waiting,
} from './store.js';

const filters: readonly (readonly [filter: Filter, title: string])[] = [
  ['all', 'All'],
  ['failed', 'Failed'],
  ['slow', 'Slow'],
  ['rpc', 'RPC'],
  ['ws', 'WebSocket'],
  ['frontend', 'Frontend'],
];

/** That of the frontend only if there is one. */
function offered(counts: Readonly<Record<Filter, number>>): typeof filters {
  return filters.filter(([one]) => one !== 'frontend' || counts[one] > 0);
}

export function RequestsSection(): JSX.Element {
  const search = useSignal('');
  const filter = useSignal<Filter>('all');
  const isComposing = useSignal(false);
  const id = Number(place.value.item);
  const counts = counted(requests.value);
  const rows = shown(requests.value, filter.value, search.value);
  const list = (
    <>
      <div class="list-tools">
        <SearchField
          label="Search requests"
          value={search.value}
          onInput={(text) => {
            search.value = text;
          }}
        />
        <fieldset class="row filters">
          <legend class="hidden-visually">Filter</legend>
          {offered(counts).map(([one, title]) => (
            <Button
              key={one}
              small
              kind="quiet"
              pressed={filter.value === one}
              onClick={() => {
                filter.value = one;
              }}
            >
              {title} {counts[one]}
            </Button>
          ))}
          <span class="grow" />
          <ListActions
            onCompose={() => {
              isComposing.value = true;
            }}
          />
        </fieldset>
        <Waiting />
      </div>
      {rows.length === 0 ? (
        <NoRequests isFiltered={search.value !== '' || filter.value !== 'all'} />
      ) : (
        <RequestRows rows={rows} open={id} />
      )}
    </>
  );
  return (
    <>
      <Split
        class="requests"
        open={id > 0 ? 'detail' : 'list'}
        list={list}
        listLabel="Requests"
        detailLabel="Request"
        detail={
          id > 0 ? (
            <RequestDetailView key={id} id={id} />
          ) : (
            <Empty title="No request is open">Choose one to see what happened in it.</Empty>
          )
        }
      />
      {isComposing.value ? (
        <EditDialog
          title="New request"
          onClose={() => {
            isComposing.value = false;
          }}
        />
      ) : null}
    </>
  );
}

function ListActions({ onCompose }: { readonly onCompose: () => void }): JSX.Element {
  const clear = (): void => {
    forgetRequests().then(forget, (error: unknown) => {
      problem.value = messageOf(error);
    });
  };
  return (
    <span class="row actions">
      <Button small icon kind="quiet" label="New request" onClick={onCompose}>
        <Icon name="plus" />
      </Button>
      <Button
        small
        icon
        kind="quiet"
        label={isPaused.value ? 'Show new requests' : 'Pause'}
        onClick={() => {
          if (isPaused.value) resume();
          else isPaused.value = true;
        }}
      >
        <Icon name={isPaused.value ? 'play' : 'pause'} />
      </Button>
      <Button small icon kind="quiet" label="Clear the list" onClick={clear}>
        <Icon name="clear" />
      </Button>
    </span>
  );
}

function Waiting(): JSX.Element | null {
  const parts: string[] = [];
  if (isPaused.value) parts.push(`Paused: ${waiting.value.length} new`);
  if (skipped.value > 0) parts.push(`${skipped.value} were too many to record`);
  return parts.length === 0 ? null : <Notice tone="amber">{parts.join(' · ')}</Notice>;
}

function NoRequests({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  if (isFiltered) return <Empty title="No results">No request matches the search and the filter.</Empty>;
  return (
    <Empty title="No requests yet">
      <span>
        They show here as they come. Requests are recorded while this page is open
        {hello.value === undefined ? null : (
          <>
            ; try <a href={hello.value.url}>{hello.value.url}</a>
          </>
        )}
        .
      </span>
    </Empty>
  );
}

/** Arrow keys move between the rows; one of them is in the order of tabs. */
function RequestRows({
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

/** More calls of a batch are counted. */
const MOST_CALLS = 5;

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
            <CallList request={request} most={MOST_CALLS} />
          </span>
          <span class="row-status">
            <StatusBadge
              status={aborted === true && status === undefined ? 499 : status}
              hasFailed={failedCalls(request).length > 0}
            />
          </span>
          <span class="row-time mono">{durationMs === undefined ? '' : duration(durationMs)}</span>
          <span class="row-size mono">{request.size === undefined ? '' : size(request.size)}</span>
          <span class="row-clock mono">{clock(began)}</span>
        </a>
      </li>
    );
  }
}
