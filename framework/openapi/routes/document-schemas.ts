// OpenAPI: the schemas of a document, and the named types that they refer to.

import type { FieldSchemas } from '../../extract/description.js';
import { isSchema } from '../../options/is-schema.js';
import { isPromise } from '../../promises.js';
import { reportUnrepresentable } from '../../rpc/procedure/unrepresentable.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { canonicalText, shapeText } from '../../wire/canonical.js';
import { SchemaTypeError, schemaTypes } from '../../wire/read/standard.js';
import { lookupIn, resolve, visitRefs } from '../../wire/resolve.js';
import { unionOf } from '../../wire/union-of.js';
import type { NamedTypes, WireField, WireType } from '../../wire/wire-type.js';
import { openApiError, schemaError } from '../openapi-error.js';
import { fieldsOf } from '../parameters.js';
import { type OpenApiSchema, toOpenApi } from '../to-openapi.js';

type Side = 'input' | 'output';

export class DocumentSchemas {
  readonly #named: Record<string, WireType> = Object.create(null);
  readonly #own = new Map<string, OpenApiSchema>();
  /** The named types of the contract. */
  readonly #inferred: NamedTypes;
  /** Inferred types, under the names that they have in the document. */
  readonly #answers: Record<string, WireType> = Object.create(null);

  constructor(inferred: NamedTypes = {}) {
    this.#inferred = inferred;
  }

  /** @param what such as `the body of POST /users`, for messages */
  schema(what: string, schema: StandardSchemaV1, side: Side): OpenApiSchema {
    return this.#toOpenApi(this.type(what, schema, side));
  }

  /** The same as a wire type. */
  type(what: string, schema: StandardSchemaV1, side: Side): WireType {
    try {
      const made = schemaTypes(schema, side);
      reportUnrepresentable(schema, what, made.unrepresentable);
      for (const [name, type] of Object.entries(made.named)) this.#name(name, type);
      return made.type;
    } catch (error) {
      throw schemaError(what, error as Error);
    }
  }

  /** The type of the data of an event, which may be left out, or always is, if its schema takes undefined. */
  eventType(what: string, schema: StandardSchemaV1, side: Side): WireType {
    if (!acceptsNothing(schema)) return this.type(what, schema, side);
    const none: WireType = { kind: 'void' };
    if (isVoid(schema, side)) return none;
    const { description, ...type } = this.type(what, schema, side);
    return { ...unionOf([type, none]), ...(description !== undefined && { description }) };
  }

  /** A reference to a type of this name. @throws ConfigError if another type has the name */
  named(name: string, type: WireType): WireType {
    this.#name(name, type);
    return { kind: 'ref', name };
  }

  /** The named types of schemas and of inferred answers. */
  types(): NamedTypes {
    return { ...this.#named, ...this.#answers };
  }

  /** The fields of an object schema, or of a schema for each name. */
  fields(what: string, schemas: FieldSchemas, side: Side): readonly DocumentField[] {
    return this.wireFields(what, schemas, side).map((field) => ({
      name: field.name,
      isRequired: !field.isOptional,
      schema: this.#toOpenApi(field.type),
      ...(field.description !== undefined && { description: field.description }),
    }));
  }

  /** An inferred type; only after all schemas, whose names have precedence. */
  inferred(type: WireType): OpenApiSchema {
    return toOpenApi(this.inferredType(type), this.types());
  }

  /** The same as a wire type. */
  inferredType(type: WireType): WireType {
    const names = documentNames(type, this.#inferred, this.#taken());
    for (const [name, shown] of names) {
      const target = this.#inferred[name];
      if (target !== undefined && !(shown in this.#named)) this.#answers[shown] = renamed(target, names);
    }
    return renamed(type, names);
  }

  /** A reference to a schema that is written here, which becomes a component. */
  component(name: string, schema: OpenApiSchema): OpenApiSchema {
    this.#own.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The named types and own components. @throws ConfigError if a type has the name of an own component. */
  components(): (readonly [string, OpenApiSchema])[] {
    for (const name of this.#own.keys()) {
      if (name in this.#named)
        throw openApiError(
          'FW_OPENAPI_SCHEMA_NAME',
          `the type '${name}' has the name of a schema of fw; rename it`,
        );
    }
    const named = { ...this.#named, ...this.#answers };
    const types = Object.entries(named).map(([name, type]) => [name, toOpenApi(type, named)] as const);
    return [...types, ...this.#own];
  }

  /** The named types of schemas; a component of fw has the name of no other type. */
  #taken(): NamedTypes {
    const own = [...this.#own.keys()].map((name): [string, WireType] => [
      name,
      { kind: 'literal', value: name },
    ]);
    return { ...this.#named, ...Object.fromEntries(own) };
  }

  /** Like `fields`, as wire types. */
  wireFields(what: string, schemas: FieldSchemas, side: Side): readonly WireField[] {
    if (!isSchema(schemas)) {
      return Object.entries(schemas).map(([name, schema]) => {
        const { description, ...type } = this.type(`${name} in ${what}`, schema, side);
        return {
          name,
          type,
          isOptional: acceptsNothing(schema),
          ...(description !== undefined && { description }),
        };
      });
    }
    const type = this.type(what, schemas, side);
    const fields = fieldsOf(type, this.#named);
    if (fields.length > 0 || resolve(type, lookupIn(this.#named))?.kind === 'object') return fields;
    throw openApiError(
      'FW_OPENAPI_PARAMETERS',
      `${what} is not an object; give it an object schema, because OpenAPI needs the name of each parameter`,
    );
  }

  #toOpenApi(type: WireType): OpenApiSchema {
    return toOpenApi(type, this.#named);
  }

  #name(name: string, type: WireType): void {
    const present = this.#named[name];
    if (present !== undefined && canonicalText(present) !== canonicalText(type)) {
      throw openApiError(
        'FW_OPENAPI_TYPE_TWICE',
        `another type is already named '${name}'; give one of them a different id`,
      );
    }
    this.#named[name] = type;
  }
}

/** A field of a document: a parameter, or a header field. */
export interface DocumentField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: OpenApiSchema;
  readonly description?: string;
}

/** Whether a schema of a single field takes `undefined`, which stands for an absent field. */
function acceptsNothing(schema: StandardSchemaV1): boolean {
  const result = schema['~standard'].validate(undefined);
  if (!isPromise(result)) return result.issues === undefined;
  // An asynchronous schema counts as required; nothing else would handle its rejection.
  result.then(undefined, () => {});
  return false;
}

/** Whether no value of JSON fits a schema that takes undefined. */
function isVoid(schema: StandardSchemaV1, side: Side): boolean {
  if (!acceptsNothing(schema)) return false;
  try {
    const { type } = schemaTypes(schema, side);
    return type.kind === 'union' && type.members.length === 0;
  } catch (error) {
    return error instanceof SchemaTypeError && error.hasNoValue;
  }
}

/**
 * The names under which a document has the types that a type refers to. A schema of the same name and shape stands for
 * both; a type that differs from it is named after its use: `UserAnswer`.
 *
 * @param taken the types of schemas
 */
function documentNames(type: WireType, inferred: NamedTypes, taken: NamedTypes): ReadonlyMap<string, string> {
  const reached = reachedNames(type, inferred);
  const others = new Set<string>();
  const differs = (name: string): boolean => {
    const own = inferred[name];
    const schema = taken[name];
    if (own === undefined || schema === undefined) return false;
    if (shapeText(own) !== shapeText(schema) && canonicalText(own) !== canonicalText(schema)) return true;
    return [...reachedNames(own, inferred)].some((one) => others.has(one));
  };
  // A type that refers to a renamed one is another type too.
  for (let before = -1; before < others.size; ) {
    before = others.size;
    for (const name of reached) if (differs(name)) others.add(name);
  }
  return new Map(
    [...reached].map((name) => [name, others.has(name) ? freeName(name, { ...inferred, ...taken }) : name]),
  );
}

function reachedNames(type: WireType, named: NamedTypes): Set<string> {
  const seen = new Set<string>();
  const open = [type];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    visitRefs(next, (name) => {
      const target = named[name];
      if (target !== undefined && !seen.has(name)) open.push(target);
      seen.add(name);
    });
  }
  return seen;
}

function freeName(name: string, taken: NamedTypes): string {
  let free = `${name}Answer`;
  for (let count = 2; Object.hasOwn(taken, free); count += 1) free = `${name}Answer${count}`;
  return free;
}

/** The type with other names for what it refers to. */
function renamed(type: WireType, names: ReadonlyMap<string, string>): WireType {
  const again = (one: WireType): WireType => renamed(one, names);
  switch (type.kind) {
    case 'ref':
      return { ...type, name: names.get(type.name) ?? type.name };
    case 'array':
      return { ...type, items: again(type.items) };
    case 'tuple':
      return { ...type, items: type.items.map(again), ...(type.rest && { rest: again(type.rest) }) };
    case 'union':
      return { ...type, members: type.members.map(again) };
    case 'object':
      return {
        ...type,
        fields: type.fields.map((field) => ({ ...field, type: again(field.type) })),
        ...(type.values && { values: again(type.values) }),
      };
    default:
      return type;
  }
}
