// OpenAPI: the responses of a procedure that declares errors, over REST: one for each status.

import { errorCode } from '../rpc/protocol/rpc-error.js';
import { allowsVoid, isNever, withoutVoid } from '../wire/union-of.js';
import type { ErrorTypes, NamedTypes, ProcedureTypes } from '../wire/wire-type.js';
import type { OpenApiOperation } from './openapi-spec.js';
import type { OpenApiSchema } from './to-openapi.js';
import { toOpenApi } from './to-openapi.js';

/** What every procedure with an input answers to an input that is not valid. */
const refusedInput: OpenApiSchema = {
  type: 'object',
  properties: {
    error: { type: 'string', enum: ['BadRequest', 'ValidationError'] },
    message: { type: 'string' },
    code: { type: 'integer' },
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

/** By status: the declared errors, and 400 for a procedure with an input. The field `error` tells the errors of one status apart. */
export function errorResponses(
  { errors = {}, input }: ProcedureTypes,
  named: NamedTypes,
): OpenApiOperation['responses'] {
  const byStatus = new Map<number, { description: string; schemas: OpenApiSchema[] }>();
  for (const [name, error] of Object.entries(errors)) {
    const { status = 400, description, message = name } = error;
    const line = `${name}: ${description ?? message}`;
    const found = byStatus.get(status);
    byStatus.set(status, {
      description: found === undefined ? line : `${found.description}\n\n${line}`,
      schemas: [...(found?.schemas ?? []), errorSchema(name, error, named)],
    });
  }
  if (input.kind !== 'void') {
    const { description, schemas } = byStatus.get(400) ?? {
      description: 'The input is invalid.',
      schemas: [],
    };
    byStatus.set(400, { description, schemas: [...schemas, refusedInput] });
  }
  const responses = [...byStatus].map(([status, { description, schemas }]) => {
    const [only] = schemas;
    const schema = schemas.length === 1 && only !== undefined ? only : ({ oneOf: schemas } as OpenApiSchema);
    return [status, { description, content: { 'application/json': { schema } } }] as const;
  });
  return Object.fromEntries(responses);
}

function errorSchema(name: string, { data, code = errorCode.declared }: ErrorTypes, named: NamedTypes) {
  const value = withoutVoid(data);
  return {
    type: 'object',
    properties: {
      error: { type: 'string', enum: [name] },
      message: { type: 'string' },
      code: { type: 'integer', enum: [code] },
      ...(!isNever(value) && { data: toOpenApi(value, named) }),
    },
    required: ['error', 'message', 'code', ...(allowsVoid(data) ? [] : ['data'])],
  } satisfies OpenApiSchema;
}
