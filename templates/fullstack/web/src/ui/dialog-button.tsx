// A button that opens a dialog. The browser's own dialog keeps the focus inside, and gives it back.
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

interface Props {
  label: string;
  className?: string;
  /** Made anew each time: what was entered the time before is gone. */
  children: ReactNode;
  /** `value` is that of the button of a `<form method="dialog">` which has closed it. */
  onClose?: (value: string) => void;
}

export function DialogButton({ label, className = 'button', children, onClose }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (isOpen) show(dialog.current);
  }, [isOpen]);
  const open = () => {
    setIsOpen(true);
    // It may have been closed just now, and not be gone yet.
    show(dialog.current);
  };
  return (
    <>
      <button type="button" className={className} onClick={open}>
        {label}
      </button>
      {isOpen && (
        <dialog
          ref={dialog}
          className="dialog"
          aria-label={label}
          onClose={({ currentTarget }) => {
            if (currentTarget.open) return;
            setIsOpen(false);
            onClose?.(currentTarget.returnValue);
          }}
        >
          {children}
        </dialog>
      )}
    </>
  );
}

function show(dialog: HTMLDialogElement | null): void {
  if (dialog?.open === false) dialog.showModal();
}
