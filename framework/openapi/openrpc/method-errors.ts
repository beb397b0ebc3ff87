// OpenRPC: the errors of a method. A method has one entry for each code (OpenRPC 1.3.2, Method Object, errors).

import { errorCode } from '../../rpc/protocol/rpc-error.js';
import { isNever, withoutVoid } from '../../wire/union-of.js';
import type { ErrorTypes, ProcedureTypes } from '../../wire/wire-type.js';
import { type JsonSchema07, toJsonSchema } from '../to-json-schema.js';

/** An Error Object of OpenRPC. */
export interface OpenRpcError {
  readonly code: number;
  readonly message: string;
  /** The schema of the data of a declared error, with its name as title; several of one code are `anyOf`. */
  readonly data?: JsonSchema07;
}

/** The errors of every method, and then those that the procedure declares. */
export function methodErrors({ input, errors = {} }: ProcedureTypes): readonly OpenRpcError[] {
  const byCode = new Map<number, [string, ErrorTypes][]>();
  for (const entry of Object.entries(errors)) {
    const { code = errorCode.declared } = entry[1];
    byCode.set(code, [...(byCode.get(code) ?? []), entry]);
  }
  return [
    ...(input.kind === 'void' ? [] : [{ code: errorCode.invalidParams, message: 'Invalid input' }]),
    { code: errorCode.internalError, message: 'Internal error' },
    ...[...byCode].map(([code, declared]) => {
      const schemas = declared.map(([name, error]) => dataSchema(name, error));
      const [only] = schemas;
      return {
        code,
        message: declared.map(([name, { message = name }]) => message).join(' / '),
        data: schemas.length === 1 && only !== undefined ? only : { anyOf: schemas },
      };
    }),
  ];
}

/** No value is valid for an error without data. References in draft-07 cannot have siblings. */
function dataSchema(name: string, { data, description }: ErrorTypes): JsonSchema07 {
  const value = withoutVoid(data);
  const schema = isNever(value) ? { not: {} } : toJsonSchema(value);
  const about = { title: name, ...(description !== undefined && { description }) };
  return '$ref' in schema ? { ...about, allOf: [schema] } : { ...schema, ...about };
}
