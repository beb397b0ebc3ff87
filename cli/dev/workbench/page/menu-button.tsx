// The page about the app: a button that opens a menu, as the ARIA Authoring Practices describe it.
import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

export interface MenuItem {
  readonly title: string;
  readonly choose: () => void;
}

/** The menu closes after a choice, by Escape, and by a click or a move of the focus away from it. */
export function MenuButton({
  children,
  items,
}: {
  readonly children: ComponentChildren;
  readonly items: readonly MenuItem[];
}): JSX.Element {
  /** The item that has the focus when the menu opens; -1 is the last. */
  const openAt = useSignal<0 | -1 | undefined>(undefined);
  const base = useId();
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = openAt.value !== undefined;
  const close = (): void => {
    openAt.value = undefined;
  };
  const closeToButton = (): void => {
    close();
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    openAt.value = event.key === 'ArrowDown' ? 0 : -1;
  };
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const onLeave = ({ target }: Event): void => {
      if (!box.current?.contains(target as Node)) close();
    };
    const ways = ['pointerdown', 'focusin'];
    for (const way of ways) document.addEventListener(way, onLeave);
    return () => {
      for (const way of ways) document.removeEventListener(way, onLeave);
    };
  }, [isOpen]);
  return (
    <div class="menu-box" ref={box}>
      <button
        type="button"
        class="button plain"
        id={`${base}-button`}
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${base}-menu` : undefined}
        onClick={() => {
          openAt.value = isOpen ? undefined : 0;
        }}
        onKeyDown={onKeyDown}
      >
        {children}
      </button>
      {openAt.value === undefined ? null : (
        <Menu base={base} items={items} first={openAt.value} onClose={closeToButton} />
      )}
    </div>
  );
}

/** Arrow keys, Home, End and letters move between the items. */
function Menu({
  base,
  items,
  first,
  onClose,
}: {
  readonly base: string;
  readonly items: readonly MenuItem[];
  readonly first: number;
  readonly onClose: () => void;
}): JSX.Element {
  const menu = useRef<HTMLDivElement>(null);
  const links = (): HTMLElement[] => [
    ...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
  ];
  useEffect(() => links().at(first)?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    // The keys of the page are not meant.
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    const all = links();
    const titles = items.map(({ title }) => title);
    const next = itemAfter(event, all.indexOf(document.activeElement as HTMLElement), titles);
    if (next === undefined) return;
    event.preventDefault();
    all[next]?.focus();
  };
  return (
    <div
      class="menu"
      role="menu"
      id={`${base}-menu`}
      aria-labelledby={`${base}-button`}
      ref={menu}
      onKeyDown={onKeyDown}
    >
      {items.map(({ title, choose }) => (
        <button
          key={title}
          type="button"
          class="menu-item"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            onClose();
            choose();
          }}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Which item a key leads to. @param at the item with the focus; -1 for none. @returns undefined if the key does not move */
export function itemAfter(
  { key, ctrlKey, metaKey, altKey }: Key,
  at: number,
  titles: readonly string[],
): number | undefined {
  const count = titles.length;
  if (ctrlKey || metaKey || altKey || count === 0) return undefined;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (Math.max(at, 0) - 1 + count) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  // A letter leads to the next title that begins with it; the space chooses.
  if (key.length !== 1 || key === ' ') return undefined;
  const next = Array.from({ length: count }, (_, index) => (at + 1 + index) % count);
  return next.find((one) => titles[one]?.toLowerCase().startsWith(key.toLowerCase()));
}
