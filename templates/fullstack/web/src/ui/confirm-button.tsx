// A button that asks before it acts.
import { DialogButton } from './dialog-button.tsx';

interface Props {
  label: string;
  question: string;
  className: string;
  onConfirm: () => void;
}

export function ConfirmButton({ label, question, className, onConfirm }: Props) {
  return (
    <DialogButton
      label={label}
      className={className}
      onClose={(value) => value === 'confirmed' && onConfirm()}
    >
      <form method="dialog" className="stack">
        <p>{question}</p>
        <div className="buttons">
          <button type="submit" className="button">
            Cancel
          </button>
          <button type="submit" className="button button-danger" value="confirmed">
            {label}
          </button>
        </div>
      </form>
    </DialogButton>
  );
}
