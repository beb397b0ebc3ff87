// OpenAPI: describes the routes of an App, based on the schemas of their extractors.

import { ConfigError } from '../config-error.js';
import type { Reads } from '../extract/extractor.js';
import type { StandardSchemaV1 } from '../extract/standard-schema.js';
import { type OpenApiOperation, type OpenApiParameter, OpenApiSpec } from '../rpc/openapi/openapi-spec.js';
import { fieldsOf } from '../rpc/openapi/parameters.js';
import { canonicalText } from '../rpc/types/canonical.js';
import { lookupIn, resolve } from '../rpc/types/resolve.js';
import { schemaTypes } from '../rpc/types/standard.js';
import type { OpenApiSchema } from '../rpc/types/to-openapi.js';
import { toOpenApi } from '../rpc/types/to-openapi.js';
import type { WireField, WireType } from '../rpc/types/wire-type.js';
import { reportUnrepresentable } from '../rpc/unrepresentable.js';
import type { App } from './app.js';

/** Options of `openApiFromApp`. */
export interface AppOpenApiOptions {
  /** Title of the API, for `info.title`. */
  readonly title: string;
  /** Version of the API, for `info.version`. */
  readonly version: string;
  /** Scheme and authority of the server; `http://127.0.0.1:3000` by default. */
  readonly origin?: string;
  /** Schemas of the successful responses by method and full path, such as `'GET /users/:id'`. */
  readonly responses?: Readonly<Record<string, StandardSchemaV1>>;
}

const wireError: OpenApiSchema = {
  type: 'object',
  properties: {
    error: { type: 'string' },
    message: { type: 'string' },
    issues: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'array', items: {} }, message: { type: 'string' } },
        required: ['path', 'message'],
      },
    },
  },
  required: ['error', 'message'],
};

/**
 * Makes an OpenAPI document of the routes that have a `Path`, `Query`, `Json` or `Valid` extractor, or a schema in
 * `responses`.
 *
 * @throws ConfigError when a key of `responses` is not a route, a schema cannot be converted to JSON Schema, or the
 * schema of a query is not an object.
 */
export function openApiFromApp(app: App<string>, options: AppOpenApiOptions): OpenApiSpec {
  const { title, version, origin = 'http://127.0.0.1:3000', responses = {} } = options;
  const spec = new OpenApiSpec(title, version).addServer(origin);
  const routes = app.routes().filter(({ method }) => method !== '*');
  const keys = new Set(routes.map(({ method, pattern }) => `${method} ${pattern}`));
  for (const key of Object.keys(responses)) {
    if (keys.has(key)) continue;
    throw new ConfigError(
      'FW_OPENAPI',
      `responses['${key}'] is not a route of the App; write the key like 'GET /users/:id'`,
    );
  }
  const named: Record<string, WireType> = Object.create(null);
  const templates = new Map<string, readonly string[]>();
  for (const { method, pattern, reads } of routes) {
    const key = `${method} ${pattern}`;
    const response = Object.hasOwn(responses, key) ? responses[key] : undefined;
    if (reads.length === 0 && response === undefined) continue;
    const names = paramsOf(pattern);
    const known = templates.get(pattern.replace(PARAM, '*')) ?? names;
    templates.set(pattern.replace(PARAM, '*'), known);
    const described = operation(key, names, reads, response, named);
    spec.addOperation(withNames(pattern, known), method, renamed(described, names, known));
  }
  for (const [name, type] of Object.entries(named))
    spec.addSchema(name, toOpenApi(type, named) as OpenApiSchema);
  return spec;
}

const PARAM = /(?<=\/)[:*]([^/]+)/g;

function paramsOf(pattern: string): string[] {
  return [...pattern.matchAll(PARAM)].map(([, name = '']) => name);
}

/** To OpenAPI, `/users/:id` and `/users/:user` are the same path; the names of the first route are used. */
function withNames(pattern: string, names: readonly string[]): string {
  let index = 0;
  return pattern.replace(PARAM, () => `:${names[index++]}`);
}

function renamed(
  operation: OpenApiOperation,
  names: readonly string[],
  known: readonly string[],
): OpenApiOperation {
  const parameters = operation.parameters?.map((one) =>
    one.in === 'path' ? { ...one, name: known[names.indexOf(one.name)] ?? one.name } : one,
  );
  return { ...operation, ...(parameters && { parameters }) };
}

function operation(
  key: string,
  names: readonly string[],
  reads: readonly Reads[],
  response: StandardSchemaV1 | undefined,
  named: Record<string, WireType>,
): OpenApiOperation {
  const of = (schema: StandardSchemaV1, side: 'input' | 'output') => typeOf(key, schema, side, named);
  const path = new Map<string, OpenApiParameter>();
  for (const name of names) {
    path.set(name, { name, in: 'path', required: true, schema: { type: 'string' } });
  }
  const query = new Map<string, OpenApiParameter>();
  let body: OpenApiSchema | undefined;
  for (const { from, schema, param } of reads) {
    const type = of(schema, 'input');
    if (from === 'body') body = toOpenApi(type, named) as OpenApiSchema;
    else {
      const fields =
        param === undefined
          ? namedFields(key, from, type, named)
          : [{ name: param, type, isOptional: false }];
      for (const field of fields) {
        if (from === 'query') query.set(field.name, parameter(field, from, named));
        else if (path.has(field.name)) path.set(field.name, parameter(field, from, named));
      }
    }
  }
  const parameters = [...path.values(), ...query.values()];
  const statuses = reads.length === 0 ? [] : [400, ...reads.map(({ status }) => status)];
  const success = response === undefined ? {} : (toOpenApi(of(response, 'output'), named) as OpenApiSchema);
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: json(body) } }),
    responses: {
      200: { description: 'Success', ...(response !== undefined && { content: json(success) }) },
      ...Object.fromEntries(
        statuses.map((one) => [one, { description: 'Refused', content: json(wireError) }]),
      ),
    },
  };
}

function json(schema: OpenApiSchema): { readonly 'application/json': { readonly schema: OpenApiSchema } } {
  return { 'application/json': { schema } };
}

function parameter(
  { name, type, isOptional, description }: WireField,
  from: 'path' | 'query',
  named: Record<string, WireType>,
): OpenApiParameter {
  return {
    name,
    in: from,
    required: from === 'path' || !isOptional,
    schema: toOpenApi(type, named) as OpenApiSchema,
    ...(description !== undefined && { description }),
  };
}

function namedFields(
  key: string,
  from: string,
  type: WireType,
  named: Record<string, WireType>,
): readonly WireField[] {
  const fields = fieldsOf(type, named);
  if (fields.length > 0 || resolve(type, lookupIn(named))?.kind === 'object') return fields;
  throw new ConfigError(
    'FW_OPENAPI',
    `the ${from} of ${key} is not an object with fields; OpenAPI needs the name of each parameter`,
  );
}

/** The type of a schema; adds the types that it names to `named`. @throws ConfigError that names the route. */
function typeOf(
  key: string,
  schema: StandardSchemaV1,
  side: 'input' | 'output',
  named: Record<string, WireType>,
): WireType {
  try {
    const made = schemaTypes(schema, side);
    reportUnrepresentable(schema, `the ${side} of ${key}`, made.unrepresentable);
    for (const [name, type] of Object.entries(made.named)) {
      const present = named[name];
      if (present !== undefined && canonicalText(present) !== canonicalText(type)) {
        throw new ConfigError(
          'FW_OPENAPI',
          `another type is already named '${name}'; give one of them a different id`,
        );
      }
      named[name] = type;
    }
    return made.type;
  } catch (error) {
    throw new ConfigError('FW_OPENAPI', `${side} of ${key}: ${(error as Error).message}`, { cause: error });
  }
}
