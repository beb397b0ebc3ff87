// Inference: a name for a recursive type that has none, such as an instance of a generic type.
import { capitalized, procedureTypeName } from '../../wire/type-name.js';

/** The root of a generated name: a procedure's input or output, or a named type. */
export interface NameBase {
  readonly name: string;
  /** The path of the root. */
  readonly path: string;
}

/** `user.get` and `input` become `UserGetInput`. */
export function baseOf(procedure: string, side: 'input' | 'output'): NameBase {
  return { name: procedureTypeName(procedure) + capitalized(side), path: side };
}

/** `UserGetInput` and `input.kids[]` become `UserGetInputKids`, with a number if that is taken. */
export function recursionName(base: NameBase, path: string, isTaken: (name: string) => boolean): string {
  const plain = base.name + capitalized(path.slice(base.path.length));
  let name = plain;
  for (let count = 2; isTaken(name); count++) name = `${plain}${count}`;
  return name;
}
