// The page about an API: objects and records in a form.
import type { JSX } from 'preact';
import type { ObjectType, WireType } from '../../../wire/wire-type.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { initialOf } from '../model/made-value.js';
import { isObject, withKey } from '../model/value-path.js';
import type { FieldProps } from './form-value.js';
import { Nested } from './nested.js';

export function ObjectField(props: FieldProps & { readonly type: ObjectType }): JSX.Element {
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
