// The page about an API: a choice between types, and the field of the chosen one.
import type { JSX } from 'preact';
import { membersOf } from '../../../wire/union-of.js';
import type { WireType } from '../../../wire/wire-type.js';
import { initialOf } from '../model/made-value.js';
import { checkOf, type Lookup } from '../model/type-space.js';
import { bareTypeText } from '../model/type-text.js';
import { fieldId } from './field-id.js';
import type { FieldProps } from './form-value.js';

export function UnionField(props: FieldProps): JSX.Element {
  const { form, path, type, label, isOptional } = props;
  const members = membersOf(type).filter(({ kind }) => kind !== 'void');
  const value = form.valueAt(path);
  const chosen =
    value === undefined && isOptional ? -1 : (form.choiceAt(path) ?? memberOf(members, value, form.lookup));
  const member = members[chosen];
  const choose = (index: number): void => {
    form.choose(path, index);
    const next = members[index];
    form.change(path, next === undefined ? undefined : initialOf(next, form.lookup));
  };
  return (
    <div class="form-union">
      <div class="form-row">
        <label class="form-label" for={`${fieldId(path)}-choice`}>
          <span class="mono">{label}</span>
          {isOptional ? <span class="dim"> optional</span> : null}
        </label>
        <select
          class="field mono"
          id={`${fieldId(path)}-choice`}
          value={String(chosen)}
          onInput={(event) => choose(Number(event.currentTarget.value))}
        >
          {isOptional ? <option value="-1">—</option> : null}
          {members.map((one, index) => (
            <option key={index} value={String(index)}>
              {nameOf(one, index, form.lookup)}
            </option>
          ))}
        </select>
      </div>
      {member === undefined || member.kind === 'null' || member.kind === 'literal' ? null : (
        <form.Field key={chosen} {...props} type={member} isOptional={false} />
      )}
    </div>
  );
}

/** The member that a value is of. */
function memberOf(members: readonly WireType[], value: unknown, lookup: Lookup): number {
  const found = members.findIndex((one) => checkOf(one, lookup)(value).length === 0);
  return Math.max(0, found);
}

/** The name of its type, its title, or what distinguishes it. */
function nameOf(type: WireType, index: number, lookup: Lookup): string {
  if (type.kind === 'ref') return type.name;
  if (type.notes?.title !== undefined) return type.notes.title;
  if (type.kind === 'object') {
    const mark = type.fields.find((field) => field.type.kind === 'literal');
    if (mark?.type.kind === 'literal') return `${mark.name}: ${JSON.stringify(mark.type.value)}`;
    const [first] = type.fields;
    return first === undefined
      ? `object ${index + 1}`
      : `{ ${type.fields
          .slice(0, 3)
          .map(({ name }) => name)
          .join(', ')} }`;
  }
  const text = bareTypeText(type);
  return text.length > 40 || lookup(text) !== undefined ? `${type.kind} ${index + 1}` : text;
}
