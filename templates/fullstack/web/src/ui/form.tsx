// A form of fields with one button. The server validates what is entered; the focus goes to the first fault that it finds.
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';

interface Props {
  /** What the button says. */
  action: string;
  call: { readonly isPending: boolean; readonly isError: boolean };
  /** A fault that belongs to no field. */
  fault: string | undefined;
  onSubmit: (text: (name: string) => string) => void;
  children?: ReactNode;
  /** What is said beside the button, such as that it has worked. */
  status?: string | undefined;
  label?: string;
  isDangerous?: boolean;
  /** Another button, before that of the form. */
  otherButton?: ReactNode;
  ref?: RefObject<HTMLFormElement | null>;
}

export function Form(props: Props) {
  const { action, call, fault, onSubmit, children, status, label, isDangerous, otherButton, ref } = props;
  const own = useRef<HTMLFormElement>(null);
  const form = ref ?? own;

  // A screen reader then says what is wrong.
  useEffect(() => {
    if (call.isError) form.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')?.focus();
  }, [form, call.isError]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    onSubmit((name) => String(data.get(name)));
  };

  return (
    <form ref={form} className="form" onSubmit={submit} noValidate aria-label={label}>
      {fault !== undefined && (
        <p className="fault" role="alert" tabIndex={-1}>
          {fault}
        </p>
      )}
      {children}
      <div className="buttons">
        {otherButton}
        <button
          className={`button ${isDangerous ? 'button-danger' : 'button-primary'}`}
          type="submit"
          disabled={call.isPending}
        >
          {call.isPending ? 'One moment…' : action}
        </button>
      </div>
      <p role="status" className="status muted">
        {status}
      </p>
    </form>
  );
}
