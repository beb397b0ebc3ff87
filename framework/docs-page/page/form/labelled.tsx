// The page about an API: the label of a field, what is wrong with its value, and the field.
import type { ComponentChildren, JSX } from 'preact';
import { fieldId, issueId } from './field-id.js';
import type { FieldProps } from './form-value.js';

export function Labelled({
  props,
  hint,
  children,
}: {
  readonly props: FieldProps;
  readonly hint?: string | undefined;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { path, label, isOptional, form } = props;
  return (
    <div class="form-row">
      <label class="form-label" for={fieldId(path)}>
        <span class="mono">{label}</span>
        {isOptional ? <span class="dim"> optional</span> : null}
        {hint === undefined ? null : <span class="dim form-hint">{hint}</span>}
      </label>
      <div class="form-control">
        {children}
        <Issue text={form.issueAt(path)} id={issueId(path)} />
      </div>
    </div>
  );
}

/** Always there, so that a screen reader says what appears in it. */
export function Issue({ text, id }: { readonly text: string | undefined; readonly id: string }): JSX.Element {
  return (
    <p class="form-issue" id={id} aria-live="polite">
      {text}
    </p>
  );
}

/** The attributes that every control has. */
export function controlAttributes({ form, path }: FieldProps): {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
  readonly onBlur: () => void;
} {
  return {
    id: fieldId(path),
    'aria-invalid': form.issueAt(path) !== undefined,
    'aria-describedby': issueId(path),
    onBlur: () => form.touch(path),
  };
}
