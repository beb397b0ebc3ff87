// RPC: finds what validates a procedure's input.
import type { InputRules } from './input-check.js';
import type { Procedure } from './procedure.js';
import type { KnownTypes } from './registry-types.js';
import type { NamedTypes, WireType } from './types/wire-type.js';

const none: NamedTypes = Object.create(null);

/** The schema, else the type string, else the contract; neither if there is only the signature. */
export function inputRules({ name, input }: Procedure, { contract, defined }: KnownTypes): InputRules {
  switch (input.from) {
    case 'schema':
      return { schema: input.schema, type: input.described?.type, named: input.described?.named ?? none };
    case 'text':
      return { schema: undefined, type: input.type, named: { ...contract?.named, ...defined } };
    case 'signature': {
      const type = contract?.procedures[name]?.input;
      return { schema: undefined, type, named: contract?.named ?? none };
    }
  }
}

/** The types that the schemas of inputs name, to which type strings may refer. */
export function describedNames(procedures: readonly Procedure[]): NamedTypes {
  const names: Record<string, WireType> = Object.create(null);
  for (const { input } of procedures)
    if (input.from === 'schema') Object.assign(names, input.described?.named);
  return names;
}
