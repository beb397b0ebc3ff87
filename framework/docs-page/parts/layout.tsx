// A part of both pages: the frame of the page, a list beside its detail, and states without content.
import type { ComponentChildren, JSX } from 'preact';
import { Button } from './button.js';
import { Icon } from './icon.js';

/** On narrow screens, one of the two shows. */
export function Split({
  list,
  detail,
  listLabel,
  detailLabel,
  open,
  class: className = '',
}: {
  readonly list: ComponentChildren;
  readonly detail: ComponentChildren;
  readonly listLabel: string;
  readonly detailLabel: string;
  readonly open: 'list' | 'detail';
  readonly class?: string;
}): JSX.Element {
  return (
    <main class={`split ${className}`} data-open={open}>
      <nav class="split-list" aria-label={listLabel}>
        {list}
      </nav>
      <section class="split-detail" aria-label={detailLabel}>
        {detail}
      </section>
    </main>
  );
}

/** Leads back to the list, on narrow screens. */
export function BackToList({ onClick }: { readonly onClick: () => void }): JSX.Element {
  return (
    <Button class="back-to-list" kind="quiet" small onClick={onClick}>
      <Icon name="back" /> Back
    </Button>
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function Notice({
  tone = 'plain',
  children,
  alert = false,
}: {
  readonly tone?: 'plain' | 'red' | 'amber' | 'green';
  readonly children: ComponentChildren;
  /** Said by screen readers at once. */
  readonly alert?: boolean;
}): JSX.Element {
  return (
    <div class={`notice ${tone}`} role={alert ? 'alert' : undefined}>
      {children}
    </div>
  );
}

/** Names with their values. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}): JSX.Element {
  return (
    <dl class="facts">
      {facts.map(([name, value], index) => [
        <dt key={`name-${index}`} class="mono">
          {name}
        </dt>,
        <dd key={`value-${index}`} class="mono">
          {value}
        </dd>,
      ])}
    </dl>
  );
}
