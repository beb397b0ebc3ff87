// RPC: the validation of a procedure's input, compiled once from its schema, its type string or its contract.

import { type FwIssue, isThrown } from '../../http/errors.js';
import { isPromise } from '../../promises.js';
import { check, type Issues } from '../../schema/check.js';
import { rejection } from '../../schema/rejection.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { notePlaceOf } from '../../tracing/error-places.js';
import { compileCheck } from '../../wire/check/check.js';
import { compileCoercion } from '../../wire/check/coerce-query.js';
import { compileRevival } from '../../wire/check/revive-dates.js';
import type { NamedTypes, WireType } from '../../wire/wire-type.js';
import { errorCode, JsonRpcError, tooDeep } from '../protocol/rpc-error.js';
import { inputShape } from './input-shape.js';
import type { Check, Procedure } from './procedure.js';

/** What validates an input: the schema if there is one, else the type; without both, every input passes. */
export interface InputRules {
  readonly schema: StandardSchemaV1 | undefined;
  /** Undefined if it is not known: of a signature without a contract, or of a schema without a JSON Schema. */
  readonly type: WireType | undefined;
  readonly named: NamedTypes;
  /** Whether strings are converted by the type, because the input is a query string. */
  readonly coerce?: boolean;
  /** The procedure, which errors name. */
  readonly of?: Pick<Procedure, 'name' | 'place'>;
}

/** The beginning of a message about the whole input, by fw and by zod; it is removed as redundant. */
const OWN_WORDS = /^input: (?:Invalid input: )?/;

/** A limit, so that the response does not grow with the request. */
const MOST_ISSUES = 20;

/** The check throws JsonRpcError -32602, or rejects with it if the schema is asynchronous. */
export function inputCheck({ schema, type, named, coerce = false, of }: InputRules): Check {
  const reject = (found: Issues): JsonRpcError => {
    const error = invalidInput(found);
    if (of !== undefined) noteProcedure(error, of);
    return error;
  };
  const shape = inputShape(type, named);
  if (shape.isVoid) return () => undefined;
  const substitute = shape.isNullable ? () => null : shape.wantsList ? () => [] : () => ({});
  if (schema === undefined) {
    const checked = byType(shape.value, named, coerce, reject);
    return (params) => {
      if (params !== undefined) return checked(params);
      return shape.isOptional ? undefined : checked(substitute());
    };
  }
  const checked = bySchema(schema, preparation(shape.value, named, coerce), reject);
  const absent = absentInput(schema, substitute, checked);
  return (params) => (params === undefined ? absent() : checked(params));
}

/** The check throws if the result does not match, which is a fault of the procedure. */
export function outputCheck(of: Pick<Procedure, 'name' | 'place'>, schema: StandardSchemaV1): Check {
  const { name } = of;
  const reject = (issues: Issues) => {
    const { message } = rejection(issues, { field: '', whole: 'result' }, 'ValidationError');
    const error = new Error(
      `the result of procedure '${name}' does not match its output schema: ${oneLine(message)}`,
    );
    noteProcedure(error, of);
    throw error;
  };
  return (value) => check(schema, value, reject);
}

type Reject = (found: Issues) => JsonRpcError;

function byType(type: WireType | undefined, named: NamedTypes, coerce: boolean, reject: Reject): Check {
  if (type === undefined) return (value) => value;
  // Compiled by the first call: most procedures of an app are called rarely, and a start should not wait for them.
  let checkType: ReturnType<typeof compileCheck> | undefined;
  return (value) => {
    checkType ??= compileCheck(type, named, { coerce });
    const result = checkType(value);
    if ('issues' in result) throw reject(result.issues);
    return result.value;
  };
}

/** Converts values for the schema: strings of a query by their type, and strings of dates to Dates. */
function preparation(type: WireType | undefined, named: NamedTypes, coerce: boolean): Check {
  if (type === undefined) return (value) => value;
  const revive = compileRevival(type, named);
  const coerced = coerce ? compileCoercion(type, named) : undefined;
  return (value) => {
    const given = coerced ? coerced(value) : value;
    return revive ? revive(given) : given;
  };
}

function bySchema(schema: StandardSchemaV1, prepare: Check, reject: Reject): Check {
  return (value) => {
    try {
      const output = check(schema, prepare(value), reject);
      return isPromise(output) ? output.then(undefined, rethrow) : output;
    } catch (error) {
      return rethrow(error);
    }
  };
}

/** A recursive schema recurses as deep as the input, which the client controls. */
function rethrow(error: unknown): never {
  if (isThrown(error, RangeError) && error.message.startsWith('Maximum call stack size exceeded')) {
    throw tooDeep(error);
  }
  throw error;
}

function invalidInput(found: Issues): JsonRpcError {
  const { message, issues = [] } = rejection(found, { field: '', whole: 'input' }, 'ValidationError');
  return new InvalidInput(
    `Invalid input: ${oneLine(message).replace(OWN_WORDS, '')}`,
    issues.slice(0, MOST_ISSUES),
  );
}

/** The issues are the data over JSON-RPC, and a field of the body over plain HTTP, as of every refused input. */
class InvalidInput extends JsonRpcError {
  constructor(message: string, issues: readonly FwIssue[]) {
    super(errorCode.invalidParams, message, { issues }, { issues });
  }

  override bodyFields(): Readonly<Record<string, unknown>> {
    const { data: _, ...fields } = super.bodyFields();
    return fields;
  }
}

function noteProcedure(error: Error, { name, place }: Pick<Procedure, 'name' | 'place'>): void {
  notePlaceOf(error, 'procedure', `procedure ${name}`, place);
}

function oneLine(message: string): string {
  return message.replaceAll('\n', '; ');
}

/** The kinds of zod that refuse `undefined`, whatever is inside them. */
const REFUSING: readonly unknown[] = ['object', 'array', 'tuple', 'record'];

/**
 * What the schema makes of `undefined`, which its JSON Schema does not say: it may accept it, or have a default for
 * it. A schema that refuses it is asked for the substitute: `{}`, `[]` or null.
 */
function absentInput(schema: StandardSchemaV1, substitute: () => unknown, check: Check): () => unknown {
  const instead = (): unknown => check(substitute());
  if (REFUSING.includes(zodKind(schema))) return instead;
  const chosen = (result: StandardSchemaV1.Result<unknown>): unknown =>
    result.issues ? instead() : result.value;
  return () => {
    let result: StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>>;
    try {
      result = schema['~standard'].validate(undefined);
    } catch (fault) {
      return unlessRefused(instead, fault);
    }
    if (!isPromise(result)) return chosen(result);
    return Promise.resolve(result).then(chosen, (fault) => unlessRefused(instead, fault));
  };
}

/** A schema that reads a field of `undefined` throws, and may take the substitute; if not, what it threw counts. */
function unlessRefused(instead: () => unknown, fault: unknown): unknown {
  const rethrow = (error: unknown): never => {
    throw isThrown(error, JsonRpcError) ? fault : error;
  };
  try {
    const input = instead();
    return isPromise(input) ? input.then(undefined, rethrow) : input;
  } catch (error) {
    return rethrow(error);
  }
}

/** The kind of a schema of zod, which shows without its JSON Schema; undefined of other vendors. */
export function zodKind(schema: StandardSchemaV1): unknown {
  if (schema['~standard'].vendor !== 'zod') return undefined;
  return (schema as { readonly def?: { readonly type?: unknown } }).def?.type;
}
