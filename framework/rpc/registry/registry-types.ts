// RPC: all types of a registry, as they are sent. A schema takes precedence over a type string, and that over the
// contract.

import { ConfigError } from '../../config-error.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { canonicalText } from '../../wire/canonical.js';
import { hasFiles } from '../../wire/files.js';
import { isTypeName } from '../../wire/known-names.js';
import { SchemaTypeError } from '../../wire/read/schema-type-error.js';
import { schemaTypes } from '../../wire/read/standard.js';
import { visitRefs } from '../../wire/resolve.js';
import { capitalized, errorTypeName, procedureTypeName } from '../../wire/type-name.js';
import { voidAsNull } from '../../wire/union-of.js';
import type { ErrorTypes, NamedTypes, ProcedureTypes, WireType, WireTypes } from '../../wire/wire-type.js';
import type { Contract } from '../contract/contract.js';
import { assertKnown } from '../contract/known-types.js';
import { registered, TypeFaultCollector, TypeFaultError } from '../contract/type-faults.js';
import type { Procedure, TypeSource } from '../procedure/procedure.js';
import { reportUnrepresentable } from '../procedure/unrepresentable.js';

type Side = 'input' | 'output';

/** What the registry has in addition to its procedures. */
export interface KnownTypes {
  readonly contract: Contract | undefined;
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
    const errors = faults.collect(procedure, () => errorTypes(procedure, names));
    faults.collect(procedure, () => assertNoFiles(procedure, input, names));
    types[procedure.name] = {
      kind: procedure.kind,
      input,
      output,
      // The options of a procedure come before its comment.
      ...known.contract?.notes(procedure.name),
      ...procedure.notes,
      ...(errors !== undefined && { errors }),
    };
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

/** Also of objects of zod, whose types are not known when they are registered. */
function assertNoFiles({ kind, name }: Procedure, input: WireType, names: Names): void {
  if (kind === 'mutation' || !hasFiles(input, (type) => names.get(type))) return;
  throw new TypeFaultError(
    `the input of ${kind} '${name}' has a file, but only a mutation can receive files; make it a mutation`,
  );
}

/** `void` in a union and as an event is null, because undefined is sent as null. */
function sideType(procedure: Procedure, side: Side, known: KnownTypes, names: Names): WireType {
  const type = typeOfSide(procedure, side, known, names);
  if (side === 'input') return type;
  if (type.kind === 'void' && procedure.kind === 'subscription') return { kind: 'null' };
  return type.kind === 'union' ? voidAsNull(type) : type;
}

function typeOfSide(procedure: Procedure, side: Side, { contract }: KnownTypes, names: Names): WireType {
  const source: TypeSource = procedure[side];
  const user = `the ${side} of '${procedure.name}'`;
  if (source.from === 'text') {
    if (contract !== undefined) names.addReached(source.type, contract.named, user);
    return source.type;
  }
  const fallback = nameOf(procedure.name, side);
  if (source.from === 'schema') {
    const part = { what: `the ${side}`, schema: source.schema, side, fallback };
    return names.give(fallback, schemaType(procedure, part, names), user);
  }
  const inferred = contract?.[side](procedure.name);
  if (contract === undefined || inferred === undefined) return unknownType;
  names.addReached(inferred, contract.named, user);
  return names.give(fallback, inferred, user);
}

/** Undefined if the procedure declares none. The name of the type that a client declares for them is taken. */
function errorTypes(procedure: Procedure, names: Names): ProcedureTypes['errors'] {
  if (procedure.errors === undefined) return undefined;
  const errors: Record<string, ErrorTypes> = Object.create(null);
  for (const { name, code, status, message, description, schema } of procedure.errors.list) {
    const what = `the data of the error '${name}'`;
    const fallback = procedureTypeName(procedure.name) + capitalized(name);
    const data: WireType =
      schema === undefined
        ? { kind: 'void' }
        : schemaType(procedure, { what, schema, side: 'output', fallback }, names);
    errors[name] = { data, code, status, message, ...(description !== undefined && { description }) };
  }
  names.take(errorTypeName(procedure.name), `the errors of '${procedure.name}'`);
  return errors;
}

/** A part of a procedure that has a schema. */
interface SchemaPart {
  /** For messages: `the input`. */
  readonly what: string;
  readonly schema: StandardSchemaV1;
  readonly side: Side;
  /** The name for a recursive type without an id. */
  readonly fallback: string;
}

/**
 * The type of a part; the types that its schema names are added to the names.
 *
 * @throws TypeFaultError with the procedure whose schema cannot provide its type
 */
function schemaType(procedure: Procedure, part: SchemaPart, names: Names): WireType {
  const { name, kind } = procedure;
  const user = `${part.what} of '${name}'`;
  try {
    const { type, named, unrepresentable } = schemaTypes(part.schema, part.side, part.fallback);
    reportUnrepresentable(part.schema, `${part.what} of ${kind}('${name}')`, unrepresentable);
    for (const [id, one] of Object.entries(named)) names.add(id, one, user);
    return type;
  } catch (error) {
    if (error instanceof TypeFaultError) throw error;
    const why = `${user}: ${(error as Error).message}`;
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
  /** Names that a client declares itself. */
  readonly #taken = new Set<string>();

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
    if (present.type === type || canonicalText(present.type) === canonicalText(type)) return;
    throw new TypeFaultError(
      `two types are named '${name}': that of ${present.user}, and that of ${user}; give one of them another id`,
    );
  }

  get(name: string): WireType | undefined {
    return this.#taken.has(name) ? undefined : this.#types.get(name)?.type;
  }

  /** Adds the types that the type refers to, directly and indirectly. */
  addReached(type: WireType, named: NamedTypes, user: string): void {
    const seen = new Set<string>();
    const open = [type];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      visitRefs(next, (name) => {
        const target = Object.hasOwn(named, name) ? named[name] : undefined;
        if (target === undefined || seen.has(name)) return;
        seen.add(name);
        this.add(name, target, user);
        open.push(target);
      });
    }
  }

  /** A name that a client declares itself: no other type may have it. */
  take(name: string, user: string): void {
    // Equal to no other type.
    this.add(name, { kind: 'literal', value: user }, user);
    this.#taken.add(name);
  }

  /** Objects without a name get this one. */
  give(name: string, type: WireType, user: string): WireType {
    if (type.kind !== 'object' || type.fields.length === 0) return type;
    this.add(name, type, user);
    return { kind: 'ref', name };
  }

  sorted(): NamedTypes {
    const named: Record<string, WireType> = Object.create(null);
    for (const name of [...this.#types.keys()].sort()) {
      const type = this.get(name);
      if (type !== undefined) named[name] = type;
    }
    return named;
  }
}
