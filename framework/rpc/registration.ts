// Registration: what is given to a registry becomes a procedure, or an error that says what is wrong with it.
import { assertSchema } from '../extract/check.js';
import type { StandardSchemaV1 } from '../extract/standard-schema.js';
import { inputShape } from './input-shape.js';
import { isKnown } from './known-types.js';
import type { RpcMiddleware } from './middleware.js';
import type { AnyHandler, Procedure, TypeSource } from './procedure.js';
import { checkName, checkRestName } from './procedure-name.js';
import { queryProblem } from './types/check.js';
import { parseType } from './types/parse-type.js';
import { SchemaTypeError } from './types/schema-type-error.js';
import { type SchemaTypes, schemaTypes } from './types/standard.js';
import type { NamedTypes, WireType } from './types/wire-type.js';
import { reportUntold } from './untold.js';

const signature: TypeSource = { from: 'signature' };

/** Options as they come, whatever the types promised. */
interface GivenOptions {
  readonly input?: StandardSchemaV1;
  readonly output?: StandardSchemaV1;
  readonly use?: readonly RpcMiddleware[];
}

const OPTIONS = ['input', 'output', 'use'];

/** A procedure of `query(name, options, handler)` or `query(name, handler)`. @throws Error where it is none. */
export function fromOptions(
  kind: Procedure['kind'],
  name: string,
  options: GivenOptions,
  handler: unknown,
  place: () => string,
): Procedure {
  checkName(name);
  const who = `${kind}('${name}')`;
  if (typeof options !== 'object' || options === null) {
    throw new Error(`${who} takes options such as { input, output } before its handler`);
  }
  const odd = Object.keys(options).find((key) => !OPTIONS.includes(key));
  if (odd !== undefined)
    throw new Error(`${who} has the unknown option '${odd}'; it knows ${OPTIONS.join(', ')}`);
  const { input, output, use = [] } = options;
  return {
    name,
    kind,
    input: input === undefined ? signature : inputSchema(`the input of ${who}`, input),
    output: output === undefined ? signature : outputSchema(`the output of ${who}`, output),
    steps: use.map((step) => checkMiddleware(`the option 'use' of ${who}`, step)),
    handler: checkHandler(who, handler),
    place,
  };
}

/** A procedure whose types are TypeScript strings. @throws Error where it is none, or a type cannot be read. */
export function fromTexts(
  kind: Procedure['kind'],
  name: string,
  handler: unknown,
  inputType: string,
  outputType: string,
  place: () => string,
): Procedure {
  checkName(name);
  const who = `${kind} '${name}'`;
  const read = (side: string, text: string): TypeSource => {
    if (typeof text !== 'string')
      throw new Error(`the ${side} type of ${who} is no string; write '{ id: string }'`);
    try {
      return { from: 'text', type: parseType(text) };
    } catch (error) {
      throw new Error(`the ${side} type of ${who}: ${(error as Error).message}`);
    }
  };
  const input = read('input', inputType);
  const output = read('output', outputType);
  return { name, kind, input, output, steps: [], handler: checkHandler(who, handler), place };
}

/** @throws Error where it is no function. */
export function checkMiddleware(who: string, step: RpcMiddleware): RpcMiddleware {
  if (typeof step === 'function') return step;
  throw new Error(`${who} takes functions (call, next) => …, got ${step === null ? 'null' : typeof step}`);
}

/**
 * Refuses an input that could never be sent.
 *
 * @throws Error for scalars and, where it travels as a query string, for what has no form there.
 */
export function checkInputType(
  { name, kind }: Procedure,
  type: WireType | undefined,
  named: NamedTypes,
  isRest: boolean,
): void {
  if (inputShape(type, named).isScalar) {
    throw new Error(
      `the input of ${kind} '${name}' is a scalar, but params are an object or an array; take an object such as { value }`,
    );
  }
  if (!isRest) return;
  checkRestName(name);
  if (kind === 'mutation') return;
  // A name may still be defined later: then the mount finds out.
  const problem = type === undefined || !isKnown(type, named) ? undefined : queryProblem(type, named);
  if (problem !== undefined) {
    throw new Error(`the input of query '${name}' cannot travel in a query string: ${problem}`);
  }
}

function outputSchema(who: string, schema: StandardSchemaV1): TypeSource {
  assertSchema(who, schema);
  return { from: 'schema', schema };
}

function inputSchema(who: string, schema: StandardSchemaV1): TypeSource {
  assertSchema(who, schema);
  const types = told(schema);
  reportUntold(schema, who, types?.untold ?? []);
  return { from: 'schema', schema, told: types };
}

/** `types()`, which a client needs, throws the reason where a schema does not tell its type. */
function told(schema: StandardSchemaV1): SchemaTypes | undefined {
  try {
    return schemaTypes(schema, 'input');
  } catch (error) {
    // The same call is made again where its answer is needed.
    if (error instanceof SchemaTypeError) return undefined;
    throw error;
  }
}

function checkHandler(who: string, handler: unknown): AnyHandler {
  if (typeof handler === 'function') return handler as AnyHandler;
  const kind = handler === null || handler === undefined ? String(handler) : `of type ${typeof handler}`;
  throw new Error(`the handler of ${who} is ${kind}; give a function (input, { ctx, signal }) => …`);
}
