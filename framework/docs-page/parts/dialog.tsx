// A part of both pages: a dialog over the page, which Escape closes.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.js';
import { Icon } from './icon.js';

export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={heading} onClose={onClose}>
      <div class="dialog-top">
        <h2 id={heading} class="grow">
          {title}
        </h2>
        <Button kind="quiet" icon label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </Button>
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
