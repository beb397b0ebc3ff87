// A text with a button that makes it editable in place: Enter saves, Escape leaves it as it was.
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';

interface Props {
  text: string;
  label: string;
  maxLength: number;
  onChange: (text: string) => void;
  /** What is shown while it is not edited. */
  children: ReactNode;
}

export function EditableText({ text, label, maxLength, onChange, children }: Props) {
  const [isEditing, setIsEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const returnsFocus = useRef(false);

  // The field has disappeared: the focus goes back to the button that has opened it.
  useEffect(() => {
    if (!isEditing && returnsFocus.current) button.current?.focus();
    returnsFocus.current = false;
  }, [isEditing]);

  const save = (entered: string) => {
    setIsEditing(false);
    const trimmed = entered.trim();
    if (trimmed !== '' && trimmed !== text) onChange(trimmed);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Otherwise the key would press the button that gets the focus.
    event.preventDefault();
    returnsFocus.current = true;
    if (event.key === 'Enter') save(event.currentTarget.value);
    else setIsEditing(false);
  };

  if (isEditing) {
    return (
      <input
        className="input editor"
        aria-label={label}
        defaultValue={text}
        maxLength={maxLength}
        // biome-ignore lint/a11y/noAutofocus: the user has just asked to edit this.
        autoFocus
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={onKeyDown}
        onBlur={(event) => save(event.currentTarget.value)}
      />
    );
  }
  return (
    <>
      {children}
      <button
        ref={button}
        type="button"
        className="button button-quiet"
        aria-label={`Edit ${text}`}
        onClick={() => setIsEditing(true)}
      >
        <span aria-hidden="true">✎</span>
      </button>
    </>
  );
}
