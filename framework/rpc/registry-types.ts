// RPC: all types of a registry, as they are sent. A schema takes precedence over a type string, and that over the
// contract.

import { ConfigError } from '../config-error.js';
import type { StandardSchemaV1 } from '../extract/standard-schema.js';
import { assertKnown } from './known-types.js';
import type { DescribedType, Procedure, TypeSource } from './procedure.js';
import { registered, TypeFaultCollector, TypeFaultError } from './type-faults.js';
import { canonicalText } from './types/canonical.js';
import { isTypeName } from './types/known-names.js';
import { visitRefs } from './types/resolve.js';
import { SchemaTypeError } from './types/schema-type-error.js';
import { schemaTypes } from './types/standard.js';
import { procedureTypeName } from './types/type-name.js';
import { voidAsNull } from './types/union-of.js';
import type { NamedTypes, ProcedureTypes, WireType, WireTypes } from './types/wire-type.js';
import { reportUnrepresentable } from './unrepresentable.js';

type Side = 'input' | 'output';

/** What the registry has in addition to its procedures. */
export interface KnownTypes {
  readonly contract: WireTypes | undefined;
  /** The types of `defineType`. */
  readonly defined: NamedTypes;
}

const unknownType: WireType = { kind: 'unknown' };

/**
 * The types of the procedures, sorted by name. A part without a known type is `unknown`.
 *
 * @throws TypeFaultsError if a schema cannot provide its type, two types have one name, or a name is not defined
 */
export function registryTypes(procedures: Iterable<Procedure>, known: KnownTypes): WireTypes {
  const names = new Names();
  const faults = new TypeFaultCollector();
  for (const [name, type] of Object.entries(known.defined)) {
    faults.collect(undefined, () => names.add(name, type, 'defineType'));
  }
  const types: Record<string, ProcedureTypes> = Object.create(null);
  const sorted = [...procedures].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const procedure of sorted) {
    const side = (io: Side) => faults.collect(procedure, () => sideType(procedure, io, known, names));
    const [input = unknownType, output = unknownType] = [side('input'), side('output')];
    types[procedure.name] = { kind: procedure.kind, input, output, ...procedure.notes };
  }
  // A name of a type with a fault is undefined as a consequence, which is not another fault.
  faults.throwFound();
  const named = names.sorted();
  for (const procedure of sorted) {
    for (const io of ['input', 'output'] as const) {
      const type = types[procedure.name]?.[io] ?? unknownType;
      faults.collect(procedure, () => assertKnown(type, named, `${io} of '${procedure.name}'`));
    }
  }
  for (const [name, type] of Object.entries(named)) {
    faults.collect(undefined, () => assertKnown(type, named, `type '${name}'`));
  }
  faults.throwFound();
  return { procedures: types, named };
}

/** `void` in a union is null, because an undefined result is sent as null. */
function sideType(procedure: Procedure, side: Side, known: KnownTypes, names: Names): WireType {
  const type = typeOfSide(procedure, side, known, names);
  return side === 'output' && type.kind === 'union' ? voidAsNull(type) : type;
}

function typeOfSide(procedure: Procedure, side: Side, { contract }: KnownTypes, names: Names): WireType {
  const source: TypeSource = procedure[side];
  const user = `the ${side} of '${procedure.name}'`;
  if (source.from === 'text') {
    if (contract !== undefined) names.addReached(source.type, contract.named, user);
    return source.type;
  }
  if (source.from === 'schema') {
    const { type, named } = typesOf(source.schema, side, procedure);
    for (const [name, one] of Object.entries(named)) names.add(name, one, user);
    return names.give(procedure.name, side, type, user);
  }
  const inferred = contract?.procedures[procedure.name]?.[side];
  if (contract === undefined || inferred === undefined) return unknownType;
  names.addReached(inferred, contract.named, user);
  return names.give(procedure.name, side, inferred, user);
}

/** @throws TypeFaultError with the procedure whose schema cannot provide its type */
function typesOf(schema: StandardSchemaV1, side: Side, procedure: Procedure): DescribedType {
  const { name, kind } = procedure;
  try {
    const types = schemaTypes(schema, side, nameOf(name, side));
    reportUnrepresentable(schema, `the ${side} of ${kind}('${name}')`, types.unrepresentable);
    return types;
  } catch (error) {
    const why = `the ${side} of '${name}': ${(error as Error).message}`;
    // The message of such an error is complete, so it needs no cause.
    if (error instanceof SchemaTypeError) throw new TypeFaultError(why);
    throw new ConfigError('FW_RPC_TYPE', why + registered(procedure), { cause: error });
  }
}

/** The name for a type that has none. */
function nameOf(procedure: string, side: Side): string {
  return procedureTypeName(procedure) + (side === 'input' ? 'Input' : 'Output');
}

/** The named types, and where each is used first. */
class Names {
  readonly #types = new Map<string, { readonly type: WireType; readonly user: string }>();

  add(name: string, type: WireType, user: string): void {
    const present = this.#types.get(name);
    if (present === undefined) {
      if (!isTypeName(name)) {
        throw new TypeFaultError(
          `the type '${name}' of ${user} cannot be declared in a generated client: take a name such as 'User', of ` +
            `the letters A to Z, digits and _, that neither TypeScript nor the client reserves`,
        );
      }
      this.#types.set(name, { type, user });
      return;
    }
    if (canonicalText(present.type) === canonicalText(type)) return;
    throw new TypeFaultError(
      `two types are named '${name}': that of ${present.user}, and that of ${user}; give one of them another id`,
    );
  }

  /** Adds the types that the type refers to, directly and indirectly. */
  addReached(type: WireType, named: NamedTypes, user: string, seen: Set<string> = new Set()): void {
    visitRefs(type, (name) => {
      const target = Object.hasOwn(named, name) ? named[name] : undefined;
      if (target === undefined || seen.has(name)) return;
      seen.add(name);
      this.add(name, target, user);
      this.addReached(target, named, user, seen);
    });
  }

  /** Objects without a name get one made from the procedure's name. */
  give(procedure: string, side: Side, type: WireType, user: string): WireType {
    if (type.kind !== 'object' || type.fields.length === 0) return type;
    const name = nameOf(procedure, side);
    this.add(name, type, user);
    return { kind: 'ref', name };
  }

  sorted(): NamedTypes {
    const named: Record<string, WireType> = Object.create(null);
    for (const [name, { type }] of [...this.#types].sort(([a], [b]) => (a < b ? -1 : 1))) named[name] = type;
    return named;
  }
}
