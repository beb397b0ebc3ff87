// RPC: the procedures of a registry with their types as TypeScript, for tools of development.

import { printDeclarations, printType } from '../../wire/print/print-typescript.js';
import { visitRefs } from '../../wire/resolve.js';
import type { NamedTypes, WireType, WireTypes } from '../../wire/wire-type.js';
import type { Procedure } from '../procedure/procedure.js';

/** A procedure with its types in TypeScript. */
export interface ProcedureTexts {
  readonly name: string;
  readonly input: string;
  readonly output: string;
  readonly types: 'schema' | 'text' | 'contract';
}

/** @param types throws if a type is not known, which the start of the App has reported */
export function describeProcedures(
  procedures: Iterable<Procedure>,
  types: () => WireTypes,
): ProcedureTexts[] {
  const known = typesOrNone(types);
  return [...procedures].map(({ name, input, output }) => {
    const found = known.procedures[name];
    const from = [input.from, output.from].find((one) => one !== 'signature') ?? 'contract';
    return {
      name,
      input: found === undefined ? 'unknown' : textOf(found.input, known.named),
      output: found === undefined ? 'unknown' : textOf(found.output, known.named),
      types: from as ProcedureTexts['types'],
    };
  });
}

function typesOrNone(types: () => WireTypes): WireTypes {
  try {
    return types();
  } catch {
    return { procedures: {}, named: {} };
  }
}

/** The type, and below it those that it names. */
function textOf(type: WireType, named: NamedTypes): string {
  const reached: Record<string, WireType> = Object.create(null);
  const visit = (name: string): void => {
    const target = Object.hasOwn(named, name) ? named[name] : undefined;
    if (target === undefined || reached[name] !== undefined) return;
    reached[name] = target;
    visitRefs(target, visit);
  };
  visitRefs(type, visit);
  const declarations = printDeclarations(reached).replaceAll(/^export type /gm, 'type ');
  return declarations === '' ? printType(type) : `${printType(type)}\n\n${declarations.trimEnd()}`;
}
