// Inference: the type of a handler's first argument if it has only a rest parameter: `(...args: [Input, RpcCall])`.
import type { Registration, Shape } from '../compiler/compiler.js';

/** @param list the shape of the rest parameter */
export function firstArgument<Type>(list: Shape<Type>): Registration<Type>['input'] {
  if (list.kind === 'array') return { type: list.items, isOptional: true };
  if (list.kind !== 'tuple') return undefined;
  const [first] = list.items;
  return first && { type: first.type, isOptional: first.is !== 'required' };
}
