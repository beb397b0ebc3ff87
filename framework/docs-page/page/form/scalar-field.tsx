// The page about an API: fields of texts, numbers, choices, files, and of values of any type.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { constraintsOf } from '../../../api-model/constraints.js';
import { readJson } from '../../../api-model/json-text.js';
import { membersOf } from '../../../wire/union-of.js';
import type { Json, WireType } from '../../../wire/wire-type.js';
import { Button } from '../../parts/button.js';
import { size } from '../../parts/format.js';
import type { FieldProps } from './form-value.js';
import { controlAttributes, Labelled } from './labelled.js';

/** Longer texts get several lines. */
const LONG_TEXT = 300;

export function ScalarField(props: FieldProps): JSX.Element {
  const { form, path, type, isOptional } = props;
  const value = form.valueAt(path);
  const shown = value === undefined || value === null ? '' : String(value);
  const isNumber = type.kind === 'number' || type.kind === 'integer';
  const change = (text: string): void => {
    form.change(path, isNumber ? numberOf(text) : text === '' && isOptional ? undefined : text);
  };
  const { format, maxLength } = type.rules ?? {};
  const isLong = shown.includes('\n') || (typeof maxLength === 'number' && maxLength > LONG_TEXT && !format);
  const common = {
    ...controlAttributes(props),
    value: shown,
    placeholder: placeholderOf(type),
    spellcheck: false,
  };
  return (
    <Labelled props={props} hint={hintOf(type)}>
      {isLong ? (
        <textarea class="field" rows={3} {...common} onInput={(event) => change(event.currentTarget.value)} />
      ) : (
        <span class="row nowrap">
          <input
            class="field mono"
            type={inputType(format)}
            autocomplete="off"
            {...(isNumber && { inputMode: 'decimal' as const })}
            {...common}
            onInput={(event) => change(event.currentTarget.value)}
          />
          {format === 'date-time' ? (
            <Button small onClick={() => form.change(path, new Date().toISOString())}>
              Now
            </Button>
          ) : null}
        </span>
      )}
    </Labelled>
  );
}

/** Typed as the element's own attribute, whose other attributes depend on it. */
function inputType(format: Json | undefined): 'text' {
  return (format === 'date' || format === 'password' ? format : 'text') as 'text';
}

/** What is not a number stays as it was typed, and its check says so. */
function numberOf(text: string): unknown {
  if (text.trim() === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

/** What is used if the field stays empty, else an example. */
function placeholderOf({ notes }: WireType): string | undefined {
  const shown = notes?.default ?? notes?.examples?.[0];
  return shown === undefined || shown === null || typeof shown === 'object' ? undefined : String(shown);
}

export function hintOf(type: WireType): string | undefined {
  const texts = constraintsOf({ ...type, notes: {} });
  return texts.length === 0 ? undefined : texts.join(', ');
}

/** One of a few values. */
export function ChoiceField(props: FieldProps): JSX.Element {
  const { form, path, type, isOptional } = props;
  const values = choicesOf(type);
  const value = form.valueAt(path);
  const at = values.indexOf(value as Json);
  const hasNone = isOptional || at === -1;
  return (
    <Labelled props={props}>
      <select
        class="field mono"
        {...controlAttributes(props)}
        value={String(at)}
        onInput={(event) => form.change(path, values[Number(event.currentTarget.value)])}
      >
        {hasNone ? <option value="-1">{isOptional ? '—' : 'choose …'}</option> : null}
        {values.map((one, index) => (
          <option key={index} value={String(index)}>
            {String(one)}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

function choicesOf(type: WireType): readonly Json[] {
  return membersOf(type).flatMap((one): Json[] => {
    if (one.kind === 'literal') return [one.value];
    if (one.kind === 'boolean') return [true, false];
    return one.kind === 'null' ? [null] : [];
  });
}

export function FileField(props: FieldProps): JSX.Element {
  const { form, path } = props;
  const value = form.valueAt(path);
  return (
    <Labelled props={props} hint={value instanceof File ? `${value.name}, ${size(value.size)}` : undefined}>
      <input
        class="field"
        type="file"
        {...controlAttributes(props)}
        onInput={(event) => form.change(path, event.currentTarget.files?.[0])}
      />
    </Labelled>
  );
}

/** A value of any type, as JSON; a text that is none is itself. */
export function JsonField(props: FieldProps): JSX.Element {
  const { form, path } = props;
  const value = form.valueAt(path);
  const typed = useSignal<string | undefined>(undefined);
  const shown = typed.value ?? (value === undefined ? '' : JSON.stringify(value, undefined, 2));
  return (
    <Labelled props={props} hint="any value, as JSON">
      <textarea
        class="field"
        rows={2}
        spellcheck={false}
        {...controlAttributes(props)}
        value={shown}
        onInput={(event) => {
          const text = event.currentTarget.value;
          const read = readJson(text);
          typed.value = text;
          form.change(path, text.trim() === '' ? undefined : 'value' in read ? read.value : text);
        }}
      />
    </Labelled>
  );
}
