// The page about an API: the parameters of a call in a form.
import type { JSX } from 'preact';
import type { Detail, Parameter } from '../../../api-model/detail.js';
import { parameterKey } from '../../../api-model/request-plan.js';
import { pathKey, type ValuePath, valueAtPath, withAt } from '../../../api-model/value-path.js';
import type { FormState } from '../state/form-state.js';
import { Field } from './field.js';
import type { FormValue } from './form-value.js';

export function ParameterForm({
  state,
  detail,
}: {
  readonly state: FormState;
  readonly detail: Detail;
}): JSX.Element | null {
  if (detail.parameters.length === 0) return null;
  return (
    <section class="form" aria-label="Parameters">
      {detail.parameters.map((one) => (
        <OneParameter key={parameterKey(one)} state={state} detail={detail} parameter={one} />
      ))}
    </section>
  );
}

function OneParameter({
  state,
  detail,
  parameter,
}: {
  readonly state: FormState;
  readonly detail: Detail;
  readonly parameter: Parameter;
}): JSX.Element {
  const key = parameterKey(parameter);
  const whole = (path: ValuePath): ValuePath => [key, ...path.slice(1)];
  const form: FormValue = {
    lookup: detail.inputs,
    Field,
    valueAt: (path) => valueAtPath(state.filled.value.parameters[key], path.slice(1)),
    change: (path, value) => {
      state.setParameter(key, withAt(state.filled.value.parameters[key], path.slice(1), value));
      state.touch(pathKey(whole(path)));
    },
    issueAt: (path) => state.issueAt(whole(path)),
    touch: (path) => state.touch(pathKey(whole(path))),
    choiceAt: (path) => state.choices.value.get(pathKey(whole(path))),
    choose: (path, index) => state.choose(pathKey(whole(path)), index),
  };
  return (
    <Field
      form={form}
      path={[key]}
      type={parameter.type}
      label={parameter.name}
      isOptional={!parameter.isRequired}
    />
  );
}
