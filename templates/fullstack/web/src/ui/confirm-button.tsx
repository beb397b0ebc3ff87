// A button that asks before it acts. The browser's own dialog keeps the focus inside, and gives it back.
import { useRef } from 'react';

interface Props {
  label: string;
  question: string;
  onConfirm: () => void;
}

export function ConfirmButton({ label, question, onConfirm }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = () => {
    if (dialog.current === null) return;
    // That of the time before; Escape leaves it as it is.
    dialog.current.returnValue = '';
    dialog.current.showModal();
  };
  return (
    <>
      <button type="button" onClick={open}>
        {label}
      </button>
      <dialog
        ref={dialog}
        aria-label={label}
        onClose={({ currentTarget }) => currentTarget.returnValue === 'confirmed' && onConfirm()}
      >
        <p>{question}</p>
        <form method="dialog" className="buttons">
          <button type="submit">Cancel</button>
          <button type="submit" className="danger" value="confirmed">
            {label}
          </button>
        </form>
      </dialog>
    </>
  );
}
