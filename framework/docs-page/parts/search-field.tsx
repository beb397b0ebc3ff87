// A part of both pages: the search field, which the key / focuses.
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.js';

export function SearchField({
  label,
  value,
  onInput,
  onKeyDown,
}: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  return (
    <div class="search-box">
      <Icon name="search" />
      <input
        ref={input}
        class="search"
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={value}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {value === '' ? <kbd>/</kbd> : null}
    </div>
  );
}

/** Whether a key belongs to a field that the user types in. */
export function isTyping(event: Event): boolean {
  const { target } = event;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
