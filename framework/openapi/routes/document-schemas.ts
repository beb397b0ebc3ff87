// OpenAPI: the schemas of a document, and the named types that they refer to.

import type { FieldSchemas } from '../../extract/description.js';
import { isSchema } from '../../extract/route.js';
import { isPromise } from '../../promises.js';
import { reportUnrepresentable } from '../../rpc/procedure/unrepresentable.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { canonicalText } from '../../wire/canonical.js';
import { SchemaTypeError, schemaTypes } from '../../wire/read/standard.js';
import { lookupIn, resolve } from '../../wire/resolve.js';
import { unionOf } from '../../wire/union-of.js';
import type { NamedTypes, WireField, WireType } from '../../wire/wire-type.js';
import { openApiError } from '../openapi-error.js';
import { fieldsOf } from '../parameters.js';
import { type OpenApiSchema, toOpenApi } from '../to-openapi.js';
import { documentNames, renamed } from './inferred-names.js';

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
      throw openApiError('FW_OPENAPI_SCHEMA', `${what}: ${(error as Error).message}`, error);
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
