// The page about an API: events or messages as they arrive, the newest at the end.
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { LiveLog, LogEntry } from '../../../api-model/live-log.js';
import { Button } from '../../parts/button.js';
import { Marked, scrolls } from '../../parts/code.js';
import { clock } from '../../parts/format.js';

/** So near to the end counts as being there, in pixels. */
const NEAR = 30;

export function LogView({
  log,
  label,
  empty,
  onClear,
}: {
  readonly log: LiveLog;
  readonly label: string;
  readonly empty: string;
  readonly onClear: () => void;
}): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (isAtEnd.current) list.current?.scrollTo(0, list.current.scrollHeight);
  }, [log]);
  const dropped = log.count - log.entries.length;
  return (
    <div class="log">
      <div class="row log-top">
        <span class="dim">
          {log.count} {log.count === 1 ? 'entry' : 'entries'}
          {dropped > 0 ? `, the last ${log.entries.length} are shown` : ''}
        </span>
        <span class="grow" />
        {log.count > 0 ? (
          <Button kind="quiet" small onClick={onClear}>
            Clear
          </Button>
        ) : null}
      </div>
      <div
        class="log-lines"
        role="log"
        aria-label={label}
        {...scrolls}
        ref={list}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR;
        }}
      >
        {log.entries.length === 0 ? <p class="dim">{empty}</p> : null}
        {log.entries.map((one) => (
          <Line key={one.number} entry={one} />
        ))}
      </div>
    </div>
  );
}

const ARROWS = { in: '↓', out: '↑', state: '·' } as const;
const WORDS = { in: 'received', out: 'sent', state: '' } as const;

function Line({ entry: { at, direction, name, id, text } }: { readonly entry: LogEntry }): JSX.Element {
  return (
    <p class={`log-line ${direction}`}>
      <span class="dim">{clock(at)}</span>
      <span class="log-arrow">
        <span aria-hidden="true">{ARROWS[direction]}</span>
        <span class="hidden-visually">{WORDS[direction]}</span>
      </span>
      <span class="log-text">
        {id === '' ? null : <span class="log-id">{id} </span>}
        {name === '' ? null : <strong>{name} </strong>}
        {direction === 'state' ? text : <Marked code={text} language="json" />}
      </span>
    </p>
  );
}
