// Registration: the errors that a procedure declares, and the functions that its handler makes them with.

import { ConfigError, type ConfigErrorCode } from '../../config-error.js';
import { unknownName } from '../../options/check.js';
import { isPromise } from '../../promises.js';
import { assertSchema, check, type Issues } from '../../schema/check.js';
import { rejection } from '../../schema/rejection.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import type {
  ErrorDeclaration,
  ErrorDeclarations,
  NoErrors,
  RpcErrorOptions,
  RpcErrors,
} from '../protocol/error-declarations.js';
import { errorCode, isCodeOfFw, isReservedCode, isVariant, RpcError } from '../protocol/rpc-error.js';

/** One declared error with its defaults filled in. */
interface DeclaredError {
  readonly name: string;
  readonly procedure: string;
  readonly code: number;
  readonly status: number;
  readonly message: string;
  readonly description: string | undefined;
  /** The schema of its data; undefined if it has none. */
  readonly schema: StandardSchemaV1 | undefined;
}

/** The errors of one procedure. */
export interface DeclaredErrors {
  /** Sorted by name. */
  readonly list: readonly DeclaredError[];
  /** What the handler gets as `errors`. */
  readonly makers: RpcErrors<NoErrors>;
}

const OPTIONS = ['data', 'status', 'code', 'message', 'description'];
const REMEDY = `give { outOfStock: z.object({ left: z.number() }), closed: { status: 409 } }`;

/** Undefined if none are declared. @throws ConfigError if one of them is not possible */
export function readErrors(who: string, procedure: string, given: unknown): DeclaredErrors | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw wrong('FW_OPTION_TYPE', `the option 'errors' of ${who} is ${shown(given)}; ${REMEDY}`);
  }
  const list = Object.entries(given as ErrorDeclarations)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => readError(who, procedure, name, one));
  if (list.length === 0) return undefined;
  const makers: Record<string, unknown> = Object.create(null);
  for (const one of list) makers[one.name] = maker(one);
  return { list, makers: Object.freeze(makers) };
}

function readError(who: string, procedure: string, name: string, given: unknown): DeclaredError {
  checkErrorName(who, name);
  const error = `the error '${name}' of ${who}`;
  const { data, status = 400, code = errorCode.declared, message, description } = longForm(error, given);
  if (data !== undefined) assertSchema(`the data of ${error}`, data);
  if (!Number.isInteger(status) || status < 400 || status > 499) {
    throw wrong(
      'FW_RPC_ERROR_STATUS',
      `the status of ${error} is ${shown(status)}; take one from 400 to 499, such as 409`,
    );
  }
  checkCode(error, code);
  checkText(error, 'message', message);
  checkText(error, 'description', description);
  const text = message ?? description ?? inWords(name);
  return { name, procedure, code, status, message: text, description, schema: data };
}

/** A schema alone is that of the data. @throws ConfigError if it is neither a schema nor options */
function longForm(error: string, given: unknown): ErrorDeclaration {
  const isObject = (typeof given === 'object' && given !== null) || typeof given === 'function';
  if (isObject && '~standard' in given) return { data: given as StandardSchemaV1 };
  if (typeof given !== 'object' || given === null) {
    throw wrong(
      'FW_OPTION_TYPE',
      `${error} is ${shown(given)}; give the schema of its data, or { ${OPTIONS.join(', ')} }`,
    );
  }
  const odd = Object.keys(given).find((key) => !OPTIONS.includes(key));
  if (odd === undefined) return given;
  throw unknownName(error, 'option', odd, OPTIONS);
}

function checkErrorName(who: string, name: string): void {
  const why = !/^[A-Za-z_$][\w$]*$/.test(name)
    ? 'is not an identifier'
    : name === '__proto__' || name === 'constructor'
      ? 'is a property of every object'
      : isVariant(name)
        ? 'is the name of an error of fw'
        : undefined;
  if (why === undefined) return;
  throw wrong(
    'FW_RPC_ERROR_NAME',
    `an error of ${who} is named ${JSON.stringify(name)}, which ${why}; take a name such as 'outOfStock'`,
  );
}

function checkCode(error: string, code: unknown): void {
  if (!Number.isSafeInteger(code)) {
    throw wrong('FW_RPC_ERROR_CODE', `the code of ${error} is ${shown(code)}; take an integer, such as 4001`);
  }
  if (code === errorCode.declared || !(isReservedCode(code as number) || isCodeOfFw(code as number))) return;
  throw wrong(
    'FW_RPC_ERROR_CODE',
    `the code ${code} of ${error} has a meaning of its own in JSON-RPC 2.0 or fw; take one outside of -32768 to -32000`,
  );
}

function checkText(error: string, option: string, value: unknown): void {
  if (value === undefined || (typeof value === 'string' && value.trim() !== '')) return;
  throw wrong('FW_OPTION_TYPE', `the ${option} of ${error} is ${shown(value)}; give a text, or leave it out`);
}

/** `outOfStock` and `out_of_stock` become `out of stock`. */
function inWords(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_$]+/g, ' ');
  return words.trim().toLowerCase() || name;
}

function maker(declared: DeclaredError): unknown {
  if (declared.schema === undefined) {
    return (options?: RpcErrorOptions) => RpcError.of(declared, undefined, options);
  }
  const parse = dataParser(declared, declared.schema);
  return (data: unknown, options?: RpcErrorOptions) => RpcError.of(declared, parse(data), options);
}

/**
 * The data is parsed where the error is made, so that only what the schema knows can leave. A mismatch is a fault of
 * the procedure: its error is reported, and the client gets the generic one.
 */
function dataParser(
  { name, procedure }: DeclaredError,
  schema: StandardSchemaV1,
): (data: unknown) => unknown {
  const who = `the data of the error '${name}' of procedure '${procedure}'`;
  const reject = (issues: Issues) => {
    const { message } = rejection(issues, { field: '', whole: 'data' }, 'ValidationError');
    throw new Error(`${who} does not match its schema: ${message.replaceAll('\n', '; ')}`);
  };
  return (data) => {
    const parsed = check(schema, data, reject);
    if (!isPromise(parsed)) return parsed;
    // Nobody waits for it.
    parsed.then(undefined, () => undefined);
    throw new Error(
      `${who} has an asynchronous schema, but an error is made at once; take a synchronous one`,
    );
  };
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function wrong(code: ConfigErrorCode, message: string): ConfigError {
  return new ConfigError(code, message);
}
