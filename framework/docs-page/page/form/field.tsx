// The page about an API: one field of a form, for any type.
import type { JSX } from 'preact';
import { checkOf, type Lookup, resolvedType } from '../../../api-model/type-space.js';
import { bareTypeText } from '../../../api-model/type-text.js';
import { isObject, withKey } from '../../../api-model/value-path.js';
import { initialOf } from '../../../wire/made-value.js';
import { membersOf } from '../../../wire/union-of.js';
import type { ArrayType, ObjectType, TupleType, WireType } from '../../../wire/wire-type.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { fieldId } from './field-id.js';
import type { FieldProps } from './form-value.js';
import { Nested } from './nested.js';
import { ChoiceField, FileField, hintOf, JsonField, ScalarField } from './scalar-field.js';

export function Field(props: FieldProps): JSX.Element {
  const { form, type } = props;
  const resolved = resolvedType(type, form.lookup);
  const next =
    resolved === type ? props : { ...props, type: { ...resolved, ...(type.notes && { notes: type.notes }) } };
  switch (resolved.kind) {
    case 'object':
      return <ObjectField {...next} type={resolved} />;
    case 'array':
      return <ListField {...next} type={resolved} />;
    case 'tuple':
      return <TupleField {...next} type={resolved} />;
    case 'file':
      return <FileField {...next} />;
    case 'unknown':
      return <JsonField {...next} />;
    case 'union':
      return isChoice(resolved) ? <ChoiceField {...next} /> : <UnionField {...next} />;
    case 'boolean':
    case 'literal':
    case 'null':
    case 'void':
      return <ChoiceField {...next} />;
    default:
      return <ScalarField {...next} />;
  }
}

/** Whether all values of the type can be listed. */
function isChoice(type: WireType): boolean {
  return membersOf(type).every(({ kind }) => kind === 'literal' || kind === 'null' || kind === 'boolean');
}

/** Lists and tuples in a form. */
function ListField(props: FieldProps & { readonly type: ArrayType }): JSX.Element {
  const { form, path, type, label } = props;
  const value = form.valueAt(path);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <Nested props={props} hint={hintOf(type)}>
      {items.map((_, index) => (
        <div key={index} class="form-item">
          <div class="grow">
            <form.Field
              form={form}
              path={[...path, index]}
              type={type.items}
              label={`${index + 1}`}
              isOptional={false}
            />
          </div>
          <Button
            kind="quiet"
            small
            icon
            label={`Remove ${label} ${index + 1}`}
            onClick={() => form.change([...path, index], undefined)}
          >
            <Icon name="close" />
          </Button>
        </div>
      ))}
      <Button
        small
        onClick={() => form.change([...path, items.length], initialOf(type.items, form.lookup) ?? null)}
        label={`Add to ${label}`}
      >
        <Icon name="plus" /> Add
      </Button>
    </Nested>
  );
}

function TupleField(props: FieldProps & { readonly type: TupleType }): JSX.Element {
  const { form, path, type } = props;
  const value = form.valueAt(path);
  const count = Array.isArray(value) ? value.length : 0;
  const { items, rest } = type;
  const shown =
    rest === undefined
      ? items
      : [...items, ...Array.from({ length: Math.max(0, count - items.length) }, () => rest)];
  return (
    <Nested props={props} empty={[]}>
      {shown.map((item, index) => (
        <form.Field
          key={index}
          form={form}
          path={[...path, index]}
          type={item}
          label={`${index + 1}`}
          isOptional={index >= (type.required ?? items.length)}
        />
      ))}
      {rest === undefined ? null : (
        <Button
          small
          onClick={() =>
            form.change([...path, Math.max(count, items.length)], initialOf(rest, form.lookup) ?? null)
          }
        >
          <Icon name="plus" /> Add
        </Button>
      )}
    </Nested>
  );
}

/** Objects and records in a form. */
function ObjectField(props: FieldProps & { readonly type: ObjectType }): JSX.Element {
  const { form, path, type } = props;
  return (
    <Nested props={props} empty={{}}>
      {type.fields.map((field) => (
        <form.Field
          key={field.name}
          form={form}
          path={[...path, field.name]}
          type={field.type}
          label={field.name}
          isOptional={field.isOptional}
        />
      ))}
      {type.fields.length === 0 && type.values === undefined ? <p class="dim">It has no fields.</p> : null}
      {type.values === undefined ? null : <Entries {...props} values={type.values} />}
    </Nested>
  );
}

/** The entries of a record, whose keys can be changed. */
function Entries({
  form,
  path,
  type,
  label,
  values,
}: FieldProps & { readonly type: ObjectType; readonly values: WireType }): JSX.Element {
  const value = form.valueAt(path);
  const own = new Set(type.fields.map(({ name }) => name));
  const keys = Object.keys(isObject(value) ? value : {}).filter((key) => !own.has(key));
  const free = (): string => {
    for (let count = keys.length + 1; ; count++) if (!keys.includes(`key${count}`)) return `key${count}`;
  };
  return (
    <>
      {keys.map((key, index) => (
        <div key={index} class="form-item">
          <input
            class="field mono form-key"
            aria-label={`Key ${index + 1} of ${label}`}
            value={key}
            spellcheck={false}
            onChange={(event) =>
              form.change(path, withKey(form.valueAt(path), key, event.currentTarget.value))
            }
          />
          <div class="grow">
            <form.Field form={form} path={[...path, key]} type={values} label={key} isOptional={false} />
          </div>
          <Button
            kind="quiet"
            small
            icon
            label={`Remove ${key}`}
            onClick={() => form.change([...path, key], undefined)}
          >
            <Icon name="close" />
          </Button>
        </div>
      ))}
      <Button
        small
        label={`Add to ${label}`}
        onClick={() => form.change([...path, free()], initialOf(values, form.lookup) ?? null)}
      >
        <Icon name="plus" /> Add
      </Button>
    </>
  );
}

/** A choice between types, and the field of the chosen one. */
function UnionField(props: FieldProps): JSX.Element {
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
