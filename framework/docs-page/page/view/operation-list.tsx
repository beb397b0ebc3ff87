// The page about an API: the list of operations, with its search. Arrow keys move, Enter opens.
import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Api } from '../../../api-model/api.js';
import type { Operation } from '../../../api-model/operations.js';
import { type Group, kindsOf, searched } from '../../../api-model/search.js';
import { MethodBadge } from '../../parts/badge.js';
import { Icon } from '../../parts/icon.js';
import { SearchField } from '../../parts/search-field.js';
import { hashOf, kind, place, query } from '../state/page-state.js';

/** As many show before the first paint; the others follow at once. */
const FIRST = 100;

export function OperationList({ api }: { readonly api: Api }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const groups = useComputed(() => searched(api.operations, query.value, kind.value));
  const count = groups.value.reduce((sum, { operations }) => sum + operations.length, 0);
  const limit = useSignal(FIRST);
  useEffect(() => {
    const timer = setTimeout(() => {
      limit.value = Number.POSITIVE_INFINITY;
    }, 0);
    return () => clearTimeout(timer);
  }, [limit]);
  const move = (event: KeyboardEvent): void => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a.op-link') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter' && at === -1) links[0]?.click();
    if (step === 0) return;
    event.preventDefault();
    if (at + step < 0) list.current?.parentElement?.querySelector<HTMLElement>('input.search')?.focus();
    else links[at + step]?.focus();
  };
  return (
    <>
      <div class="list-top">
        <SearchField
          label="Search"
          value={query.value}
          onInput={(text) => (query.value = text)}
          onKeyDown={move}
        />
        <Kinds kinds={kindsOf(api.operations)} />
        <span class="hidden-visually" role="status">
          {query.value === '' && kind.value === '' ? '' : `${count} found`}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the links inside. */}
      <div class="scroll" ref={list} onKeyDown={move}>
        {limited(groups.value, limit.value).map((group) => (
          <GroupView key={group.name} group={group} open={place.value} />
        ))}
        {count === 0 ? <p class="list-empty">Nothing is called that.</p> : null}
      </div>
    </>
  );
}

function Kinds({ kinds }: { readonly kinds: readonly string[] }): JSX.Element | null {
  if (kinds.length < 2) return null;
  return (
    <fieldset class="kinds">
      <legend class="hidden-visually">Kinds</legend>
      {kinds.map((one) => (
        <button
          key={one}
          type="button"
          class="kind"
          aria-pressed={kind.value === one}
          onClick={() => {
            kind.value = kind.value === one ? '' : one;
          }}
        >
          <MethodBadge method={one} />
        </button>
      ))}
    </fieldset>
  );
}

/** The first groups, with at least so many operations. */
function limited(groups: readonly Group[], most: number): readonly Group[] {
  let count = 0;
  return groups.filter(({ operations }) => {
    const isShown = count < most;
    count += operations.length;
    return isShown;
  });
}

function GroupView({
  group: { name, operations },
  open,
}: {
  readonly group: Group;
  readonly open: string;
}): JSX.Element {
  return (
    <div class="group">
      <h2 class="group-name">{name}</h2>
      <ul>
        {operations.map((one) => (
          <li key={one.id}>
            <Line operation={one} isOpen={one.id === open} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Line({
  operation,
  isOpen,
}: {
  readonly operation: Operation;
  readonly isOpen: boolean;
}): JSX.Element {
  const { id, kind: method, name, isDeprecated, isLocked, summary } = operation;
  return (
    <a
      class="op-link"
      href={hashOf(id)}
      aria-current={isOpen ? 'page' : undefined}
      title={summary === '' ? undefined : summary}
    >
      <span class="op-kind">
        <MethodBadge method={method} isShort />
      </span>
      <span class={isDeprecated ? 'op-name gone' : 'op-name'}>{name}</span>
      {isDeprecated ? <span class="hidden-visually">deprecated</span> : null}
      {isLocked ? (
        <span class="op-lock" title="Needs a caller who is known">
          <Icon name="lock" />
          <span class="hidden-visually">needs a caller who is known</span>
        </span>
      ) : null}
    </a>
  );
}
