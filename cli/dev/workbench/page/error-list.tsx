// The page about the app: equal errors as one row, and what is known of them.
import type { JSX } from 'preact';
import { Badge } from '../../../../framework/docs-page/parts/badge.js';
import { clock } from '../../../../framework/docs-page/parts/format.js';
import { BackToList, Empty } from '../../../../framework/docs-page/parts/layout.js';
import type { ErrorGroup, RequestSummary } from '../protocol.js';
import { CallList } from './call-list.js';
import { goTo, linkTo } from './place.js';
import { RequestStatus } from './request-status.js';
import { ErrorView, SourceLink } from './source-link.js';
import { errors } from './store.js';

/** The part of the address, beside the ids of requests. */
function itemOf({ id }: ErrorGroup): string {
  return `e${id}`;
}

function groupOf(item: string): ErrorGroup | undefined {
  return errors.value.find((one) => itemOf(one) === item);
}

/** Every word of the search must be in the message or the place. */
export function matchingErrors(search: string): readonly ErrorGroup[] {
  const words = search.toLowerCase().split(' ').filter(Boolean);
  const fits = ({ title, place }: ErrorGroup): boolean => {
    const text = `${title} ${place === undefined ? '' : `${place.file}:${place.line}`}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return errors.value.filter(fits);
}

export function ErrorRows({ search, open }: { readonly search: string; readonly open: string }): JSX.Element {
  const rows = matchingErrors(search);
  if (rows.length === 0) {
    const isSearched = search.trim() !== '';
    return (
      <Empty title={isSearched ? 'No results' : 'No errors'}>
        {isSearched ? 'No error matches the search.' : 'Errors of requests and of the process show here.'}
      </Empty>
    );
  }
  return (
    <div class="scroll">
      <ul class="rows">
        {rows.map((group) => (
          <li key={group.id}>
            <a
              class="error-row"
              href={linkTo('requests', itemOf(group))}
              aria-current={itemOf(group) === open ? 'true' : undefined}
            >
              <span class="error-row-title">{group.title}</span>
              <span class="row dim">
                <Badge tone="red">{`×${group.count}`}</Badge>
                <Ended group={group} />
                {group.place === undefined ? null : (
                  <span class="mono">
                    {group.place.file}:{group.place.line}
                  </span>
                )}
                <span class="nowrap">{timesOf(group)}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Ended({ group: { ended } }: { readonly group: ErrorGroup }): JSX.Element | null {
  if (ended === undefined) return null;
  return <Badge tone="red">{ended === 1 ? 'crashed the process' : `crashed the process ×${ended}`}</Badge>;
}

function timesOf({ count, first, last }: ErrorGroup): string {
  return count === 1 ? `at ${clock(last)}` : `first ${clock(first)}, last ${clock(last)}`;
}

export function ErrorGroupView({ item }: { readonly item: string }): JSX.Element {
  const group = groupOf(item);
  if (group === undefined) {
    return (
      <div class="detail">
        <BackToList onClick={() => goTo('requests')} />
        <Empty title="Not there any more">The errors were cleared, or others have happened since.</Empty>
      </div>
    );
  }
  const { count, place, requests, before, error } = group;
  return (
    <article class="detail stack">
      <BackToList onClick={() => goTo('requests')} />
      <header class="stack head">
        <h2>{count === 1 ? 'Error' : `Error, occurred ${count} times`}</h2>
        <div class="row dim">
          <span>{timesOf(group)}</span>
          <Ended group={group} />
          {place === undefined ? null : <SourceLink place={place} />}
        </div>
      </header>
      <section class="stack">
        <h3>{requests.length === count ? 'Requests' : 'Latest requests'}</h3>
        {requests.length === 0 ? <p class="dim">No request was running when it happened.</p> : null}
        <ul class="plain-list">
          {requests.map((one) => (
            <li key={one.id}>
              <Example request={one} />
            </li>
          ))}
        </ul>
      </section>
      {before === undefined ? null : (
        <section class="stack">
          <h3>The last request before it, which may have started what failed</h3>
          <Example request={before} />
        </section>
      )}
      <section class="stack">
        <h3>{count === 1 ? 'Details' : 'Latest error'}</h3>
        <ErrorView error={error} />
      </section>
    </article>
  );
}

function Example({ request }: { readonly request: RequestSummary }): JSX.Element {
  const { id, method, target, began } = request;
  return (
    <span class="row example">
      <a class="mono" href={linkTo('requests', id)}>
        {method} {target}
      </a>
      <CallList request={request} most={5} />
      <RequestStatus request={request} />
      <span class="dim nowrap">{clock(began)}</span>
    </span>
  );
}
