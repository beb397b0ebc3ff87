// A part of both pages: a value of JSON as a tree that opens and closes.
import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { scrolls } from './code.js';

/** Deeper than this, and after this many items, parts are closed at first. */
const OPEN_DEPTH = 3;
const OPEN_ITEMS = 40;
/** How many items show at once; a button shows as many more. */
const PAGE = 200;

export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }): JSX.Element {
  return (
    <div class="json" {...scrolls(label)}>
      <Value value={value} depth={0} after="" />
    </div>
  );
}

interface ValueProps {
  readonly value: unknown;
  readonly depth: number;
  /** What follows in the same line: a comma, or nothing. */
  readonly after: string;
  readonly before?: ComponentChildren;
}

function Value({ value, depth, after, before }: ValueProps): JSX.Element {
  if (typeof value !== 'object' || value === null) {
    return (
      <span class="json-text">
        {before}
        <span class={`t-${markOf(value)}`}>{JSON.stringify(value)}</span>
        {after}
      </span>
    );
  }
  const isArray = Array.isArray(value);
  const entries: [string, unknown][] = isArray
    ? value.map((one, at) => [String(at), one])
    : Object.entries(value);
  return <Branch {...{ entries, isArray, depth, after, before }} />;
}

function Branch({
  entries,
  isArray,
  depth,
  after,
  before,
}: Omit<ValueProps, 'value'> & {
  readonly entries: readonly [string, unknown][];
  readonly isArray: boolean;
}): JSX.Element {
  const isOpen = useSignal(depth < OPEN_DEPTH && entries.length <= (depth === 0 ? PAGE : OPEN_ITEMS));
  const shown = useSignal(PAGE);
  const [left, right] = isArray ? '[]' : '{}';
  if (entries.length === 0) return <span class="json-text">{[before, left, right, after]}</span>;
  const what = `${entries.length} ${isArray ? 'items' : 'fields'}`;
  return (
    <span>
      <button
        type="button"
        class="json-toggle"
        aria-expanded={isOpen.value}
        aria-label={what}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {isOpen.value ? '▾' : '▸'}
      </button>
      {before}
      {left}
      {isOpen.value ? (
        <Items entries={entries} isArray={isArray} depth={depth} shown={shown.value} />
      ) : (
        <span class="dim"> {what} </span>
      )}
      {isOpen.value && shown.value < entries.length ? (
        <button type="button" class="button small" onClick={() => (shown.value += PAGE)}>
          {entries.length - shown.value} more
        </button>
      ) : null}
      {right}
      {after}
    </span>
  );
}

function Items({
  entries,
  isArray,
  depth,
  shown,
}: {
  readonly entries: readonly [string, unknown][];
  readonly isArray: boolean;
  readonly depth: number;
  readonly shown: number;
}): JSX.Element {
  return (
    <ul>
      {entries.slice(0, shown).map(([key, one], at) => (
        <li key={key}>
          <Value
            value={one}
            depth={depth + 1}
            after={at < entries.length - 1 ? ',' : ''}
            before={
              isArray ? undefined : (
                <>
                  <span class="t-key">{JSON.stringify(key)}</span>:{' '}
                </>
              )
            }
          />
        </li>
      ))}
    </ul>
  );
}

function markOf(value: unknown): string {
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' ? 'number' : 'constant';
}
