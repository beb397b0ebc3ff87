// The page about an API: one field of a form, for any type.
import type { JSX } from 'preact';
import { membersOf } from '../../../wire/union-of.js';
import type { WireType } from '../../../wire/wire-type.js';
import { resolvedType } from '../model/type-space.js';
import type { FieldProps } from './form-value.js';
import { ListField, TupleField } from './list-field.js';
import { ObjectField } from './object-field.js';
import { ChoiceField, FileField, JsonField, ScalarField } from './scalar-field.js';
import { UnionField } from './union-field.js';

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
