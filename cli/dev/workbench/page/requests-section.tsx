// The page about the app: the requests, live, with the detail of the one that is open.
import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { Icon } from '../../../../framework/docs-page/parts/icon.js';
import { Empty, Notice, Split } from '../../../../framework/docs-page/parts/layout.js';
import { SearchField } from '../../../../framework/docs-page/parts/search-field.js';
import { forgetRequests, messageOf } from './calls.js';
import { found, isSearching, LONGEST_SEARCH, search, searchAlong, searchProblem } from './deep-search.js';
import { EditDialog } from './edit-dialog.js';
import { ErrorGroupView, ErrorRows, matchingErrors } from './error-list.js';
import { kept } from './kept.js';
import { matching, PinnedList, SavedList } from './kept-lists.js';
import { place } from './place.js';
import { RequestDetailView } from './request-detail.js';
import { RequestRows } from './request-rows.js';
import {
  counted,
  errors,
  type Filter,
  forget,
  hello,
  isPaused,
  problem,
  requests,
  resume,
  SLOW,
  shown,
  skipped,
  waiting,
} from './store.js';

const filters: readonly (readonly [filter: Filter, title: string, meaning: string])[] = [
  ['all', 'All', 'All requests and jobs of the app'],
  ['failed', 'Failed', 'Status 400 and higher, failed calls and jobs, and clients that left'],
  ['slow', 'Slow', `Slower than ${SLOW} ms`],
  ['rpc', 'RPC', 'Calls of procedures'],
  ['ws', 'WebSocket', 'Connections of WebSockets'],
  ['jobs', 'Jobs', 'Work without a request'],
  ['frontend', 'Frontend', "What the frontend's dev server has answered"],
];

/** What the list shows. */
type List = Filter | 'errors' | 'pinned' | 'saved';

/** Kinds of requests only if there are some. */
function offered(counts: Readonly<Record<Filter, number>>, now: List): typeof filters {
  return filters.filter(([one]) => /^(?:all|failed|slow)$/.test(one) || one === now || counts[one] > 0);
}

export function RequestsSection(): JSX.Element {
  const { item } = place.value;
  const isError = item.startsWith('e');
  const filter = useSignal<List>(isError ? 'errors' : item.startsWith('pin-') ? 'pinned' : 'all');
  const isComposing = useSignal(false);
  useEffect(searchAlong, []);
  const list = (
    <>
      <ListTools
        list={filter}
        onCompose={() => {
          isComposing.value = true;
        }}
      />
      <Rows list={filter.value} open={item} />
    </>
  );
  return (
    <>
      <Split
        class="requests"
        open={item === '' ? 'list' : 'detail'}
        list={list}
        listLabel="Requests"
        detailLabel="Request"
        detail={isError ? <ErrorGroupView item={item} /> : <Detail item={item} />}
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

/** The search, and what the list shows. */
function ListTools({
  list,
  onCompose,
}: {
  readonly list: Signal<List>;
  readonly onCompose: () => void;
}): JSX.Element {
  const counts = counted(requests.value);
  return (
    <div class="list-tools">
      <SearchField
        label="Search requests"
        value={search.value}
        onInput={(text) => {
          search.value = text.slice(0, LONGEST_SEARCH);
        }}
      />
      <fieldset class="row filters">
        <legend class="hidden-visually">Filter</legend>
        {offered(counts, list.value).map(([one, title, meaning]) => (
          <Button
            key={one}
            small
            kind="quiet"
            title={meaning}
            pressed={list.value === one}
            onClick={() => {
              list.value = one;
            }}
          >
            {title} {counts[one]}
          </Button>
        ))}
        <OtherLists list={list} />
        <span class="grow" />
        <ListActions onCompose={onCompose} />
      </fieldset>
      <MatchesElsewhere list={list} />
      <Waiting />
      {searchProblem.value === '' ? null : (
        <Notice tone="amber" alert>
          {searchProblem.value}
        </Notice>
      )}
    </div>
  );
}

/** Lists of their own in the place of the requests; those of what was kept once there is something. */
function OtherLists({ list }: { readonly list: Signal<List> }): JSX.Element {
  const { pins, saved } = kept.value;
  const lists = [
    ['errors', 'Errors', errors.value.length, true],
    ['pinned', 'Pinned', pins.length, pins.length > 0],
    ['saved', 'Saved', saved.length, saved.length > 0],
  ] as const;
  return (
    <>
      {lists.map(([one, title, count, isOffered]) =>
        isOffered || list.value === one ? (
          <Button
            key={one}
            small
            kind="quiet"
            pressed={list.value === one}
            onClick={() => {
              list.value = one;
            }}
          >
            {title} {count}
          </Button>
        ) : null,
      )}
    </>
  );
}

/** Other lists in which the search has found something. */
function MatchesElsewhere({ list }: { readonly list: Signal<List> }): JSX.Element | null {
  if (search.value.trim() === '') return null;
  const { pins, saved } = kept.value;
  const count = (filter: Filter): number => shown(requests.value, filter, search.value, found.value).length;
  const now = list.value;
  const lists: readonly (readonly [list: List, title: string, count: number])[] = [
    ['all', 'All', now === 'frontend' || !isFilter(now) || count('all') > count(now) ? count('all') : 0],
    ['frontend', 'Frontend', count('frontend')],
    ['errors', 'Errors', matchingErrors(search.value).length],
    ['pinned', 'Pinned', matching(pins, search.value).length],
    ['saved', 'Saved', matching(saved, search.value).length],
  ];
  const others = lists.filter(([one, , matches]) => one !== now && matches > 0);
  if (others.length === 0) return null;
  return (
    <p class="row elsewhere">
      <span class="dim">Also found:</span>
      {others.map(([one, title, matches]) => (
        <Button
          key={one}
          small
          onClick={() => {
            list.value = one;
          }}
        >
          {matches} in {title}
        </Button>
      ))}
    </p>
  );
}

function isFilter(list: List): list is Filter {
  return filters.some(([one]) => one === list);
}

function Detail({ item }: { readonly item: string }): JSX.Element {
  if (item !== '') return <RequestDetailView key={item} item={item} />;
  return <Empty title="No request selected">Select one to see its details.</Empty>;
}

function Rows({ list, open }: { readonly list: List; readonly open: string }): JSX.Element {
  if (list === 'errors') return <ErrorRows search={search.value} open={open} />;
  if (list === 'pinned') return <PinnedList search={search.value} />;
  if (list === 'saved') return <SavedList search={search.value} />;
  const rows = shown(requests.value, list, search.value, found.value);
  if (rows.length === 0) return <NoRequests isFiltered={search.value !== '' || list !== 'all'} />;
  return <RequestRows rows={rows} open={Number(open)} />;
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
  if (isSearching.value) return <Empty title="Searching…" />;
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
