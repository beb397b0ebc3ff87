// A part of both pages: tabs, as the ARIA Authoring Practices describe them.
import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly count?: number | undefined;
  readonly panel: () => ComponentChildren;
}

interface TabsProps {
  /** What the list of tabs is for, for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** The id of the open one, if the caller keeps it. */
  readonly open?: string | undefined;
  readonly onOpen?: (id: string) => void;
}

/** Only the open panel is made. Arrow keys, Home and End move between the tabs. */
export function Tabs({ label, tabs, open, onOpen }: TabsProps): JSX.Element {
  const own = useSignal(tabs[0]?.id ?? '');
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const wanted = open ?? own.value;
  const current = tabs.find(({ id }) => id === wanted) ?? tabs[0];
  const show = (id: string): void => {
    own.value = id;
    onOpen?.(id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === current?.id);
    const to = target(event.key, at, tabs.length);
    const next = to === undefined ? undefined : tabs[to];
    if (next === undefined || to === undefined) return;
    event.preventDefault();
    show(next.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus();
  };
  return (
    <div>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            type="button"
            key={tab.id}
            class="tab"
            role="tab"
            id={`${base}-${tab.id}`}
            aria-selected={tab === current}
            aria-controls={tab === current ? `${base}-panel` : undefined}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => show(tab.id)}
          >
            {tab.title}
            {tab.count === undefined ? null : <span class="count">{tab.count}</span>}
          </button>
        ))}
      </div>
      {current === undefined ? null : (
        <div
          class="tab-panel"
          role="tabpanel"
          id={`${base}-panel`}
          aria-labelledby={`${base}-${current.id}`}
          key={current.id}
        >
          {current.panel()}
        </div>
      )}
    </div>
  );
}

function target(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
