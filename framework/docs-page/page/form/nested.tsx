// The page about an API: what stands below the label of an object or a list. An optional one can be left out, and a
// type that leads to itself is opened on demand.
import type { ComponentChildren, JSX } from 'preact';
import { initialOf } from '../../../wire/made-value.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { fieldId, issueId } from './field-id.js';
import type { FieldProps } from './form-value.js';
import { Issue } from './labelled.js';

export function Nested({
  props,
  hint,
  empty,
  children,
}: {
  readonly props: FieldProps;
  readonly hint?: string | undefined;
  /** Begun with, if the type makes no value. Undefined if the parts show also when there is no value yet. */
  readonly empty?: unknown;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { form, path, type, label, isOptional } = props;
  const value = form.valueAt(path);
  const isThere = (value !== undefined && value !== null) || empty === undefined;
  const isBare = value === undefined || value === null || Object.keys(value).length === 0;
  // The whole body has no label of its own.
  const isWhole = path.length === 0;
  return (
    <fieldset class={isWhole ? 'form-whole' : isBare ? 'form-nested bare' : 'form-nested'} id={fieldId(path)}>
      <legend class={isWhole ? 'hidden-visually' : 'form-label'}>
        <span class="mono">{label}</span>
        {isOptional ? <span class="dim"> optional</span> : null}
        {hint === undefined ? null : <span class="dim form-hint">{hint}</span>}
      </legend>
      {isThere ? (
        <div class="form-inside">{children}</div>
      ) : (
        <Button
          small
          label={`Fill in ${label}`}
          onClick={() => form.change(path, initialOf(type, form.lookup) ?? empty)}
        >
          <Icon name="plus" /> Fill in
        </Button>
      )}
      {isThere && isOptional && value !== undefined ? (
        <Button
          class="form-remove"
          kind="quiet"
          small
          label={`Leave out ${label}`}
          onClick={() => form.change(path, undefined)}
        >
          Leave out
        </Button>
      ) : null}
      <Issue text={form.issueAt(path)} id={issueId(path)} />
    </fieldset>
  );
}
