// The page about an API: lists and tuples in a form.
import type { JSX } from 'preact';
import type { ArrayType, TupleType } from '../../../wire/wire-type.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { initialOf } from '../model/made-value.js';
import type { FieldProps } from './form-value.js';
import { Nested } from './nested.js';
import { hintOf } from './scalar-field.js';

export function ListField(props: FieldProps & { readonly type: ArrayType }): JSX.Element {
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

export function TupleField(props: FieldProps & { readonly type: TupleType }): JSX.Element {
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
