// A button that asks before it acts. The browser's own dialog keeps the focus inside, and gives it back.
import { useRef } from 'react';

interface Props {
  label: string;
  question: string;
  onConfirm: () => void;
}

export function ConfirmButton({ label, question, onConfirm }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} aria-label={label}>
        <p>{question}</p>
        <form method="dialog" className="buttons">
          <button type="submit">Cancel</button>
          <button type="submit" className="danger" onClick={onConfirm}>
            {label}
          </button>
        </form>
      </dialog>
    </>
  );
}
