// Registration: turns the arguments of a registration into a procedure, or throws what is wrong with them.

import { ConfigError } from '../../config-error.js';
import { notePlace } from '../../dispatch/recorded.js';
import { ContextMiddleware } from '../../extract/context-middleware.js';
import { checkOptions } from '../../options/check.js';
import { anything, type Rules } from '../../options/rules.js';
import { kindOf, shown } from '../../options/shown.js';
import { assertSchema } from '../../schema/check.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { queryProblem } from '../../wire/check/check.js';
import { hasFiles } from '../../wire/files.js';
import { parseType } from '../../wire/read/parse-type.js';
import { SchemaTypeError } from '../../wire/read/schema-type-error.js';
import { type SchemaTypes, schemaTypes } from '../../wire/read/standard.js';
import { lookupIn } from '../../wire/resolve.js';
import type { NamedTypes, ProcedureNotes, WireType } from '../../wire/wire-type.js';
import { isKnown } from '../contract/known-types.js';
import { groupsOf } from '../protocol/procedure-name.js';
import { checkName, checkRestName } from './check-name.js';
import { readErrors } from './declared-errors.js';
import { inputShape } from './input-shape.js';
import type { AnyRpcMiddleware } from './middleware.js';
import type { AnyHandler, Procedure, TypeSource } from './procedure.js';
import { readTool } from './tool-options.js';
import { reportUnrepresentable } from './unrepresentable.js';

const signature: TypeSource = { from: 'signature' };

/** Options that were not validated yet. */
interface GivenOptions extends GivenNotes {
  readonly input?: StandardSchemaV1;
  readonly output?: StandardSchemaV1;
  readonly use?: readonly AnyRpcMiddleware[];
  readonly errors?: unknown;
  readonly mcp?: unknown;
}

const RULES: Rules<GivenOptions> = {
  input: anything,
  output: anything,
  use: anything,
  description: anything,
  deprecated: anything,
  tags: anything,
  errors: anything,
  mcp: anything,
};

/** A procedure of `query(name, options, handler)` or `query(name, handler)`. @throws Error if it is not valid */
export function fromOptions(
  kind: Procedure['kind'],
  name: string,
  options: GivenOptions,
  handler: unknown,
  place: () => string,
): Procedure {
  checkName(name);
  const who = `${kind}('${name}')`;
  const given = checkOptions(who, options, RULES);
  const { input, output, use = [] } = given;
  return {
    name,
    kind,
    input: input === undefined ? signature : inputSchema(`the input of ${who}`, input),
    output: output === undefined ? signature : outputSchema(`the output of ${who}`, output),
    notes: { ...tagOf(name), ...readNotes(who, given) },
    tool: readTool(who, kind, given.mcp),
    errors: readErrors(who, name, given.errors),
    use: checkUse(`the option 'use' of ${who}`, use, place),
    handler: checkHandler(who, handler),
    place,
  };
}

/** A procedure whose types are TypeScript strings. @throws Error if it is not valid, or a type cannot be parsed */
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
  const read = (side: string, type: string): TypeSource => ({
    from: 'text',
    type: readType(`the ${side} type of ${who}`, type),
  });
  const input = read('input', inputType);
  const output = read('output', outputType);
  if (output.from === 'text' && hasFiles(output.type, () => undefined)) {
    throw new ConfigError(
      'FW_RPC_OUTPUT_FILE',
      `the output type of ${who} has a file, but results are JSON; return where it can be fetched from, such as a URL`,
    );
  }
  return {
    name,
    kind,
    input,
    output,
    notes: tagOf(name),
    use: [],
    handler: checkHandler(who, handler),
    place,
  };
}

/** A type that is written as TypeScript. @throws ConfigError if it cannot be read */
export function readType(what: string, type: string): WireType {
  if (typeof type !== 'string') {
    throw new ConfigError(
      'FW_OPTION_TYPE',
      `${what} is ${shown(type)}; give a text, such as '{ id: string }'`,
    );
  }
  try {
    return parseType(type);
  } catch (error) {
    throw new ConfigError('FW_RPC_TYPE_SYNTAX', `${what}: ${(error as Error).message}`);
  }
}

/** Documents list the procedures of a group together. */
function tagOf(name: string): { readonly tags?: readonly string[] } {
  const group = groupsOf(name).at(-1);
  return group === undefined ? {} : { tags: [group] };
}

/** Notes the place of each. @throws ConfigError if one of them is not middleware */
export function checkUse(who: string, use: unknown, place: () => string): readonly AnyRpcMiddleware[] {
  if (!Array.isArray(use)) throw wrongMiddleware(who, 'an array of middleware', use);
  for (const one of use) {
    if (typeof one !== 'function' && !(one instanceof ContextMiddleware)) {
      throw wrongMiddleware(who, 'functions (call, next) => …, or middleware of createMiddleware()', one);
    }
    notePlace(one, place);
  }
  return [...use];
}

function wrongMiddleware(who: string, wanted: string, got: unknown): ConfigError {
  return new ConfigError(
    'FW_MIDDLEWARE',
    `${who} takes ${wanted}, got ${got === null ? 'null' : typeof got}`,
  );
}

/**
 * Refuses an input that could never be sent.
 *
 * @throws Error for scalars and, if it is sent as a query string, for types that a query string cannot represent
 */
export function checkInputType(
  { name, kind }: Procedure,
  type: WireType | undefined,
  named: NamedTypes,
  isRest: boolean,
): void {
  if (inputShape(type, named).isScalar) {
    throw new ConfigError(
      'FW_RPC_INPUT_SCALAR',
      `the input of ${kind} '${name}' is a scalar, but params are an object or an array; use an object such as { value }`,
    );
  }
  if (kind !== 'mutation' && type !== undefined && hasFiles(type, lookupIn(named))) {
    throw new ConfigError(
      'FW_RPC_INPUT_FILE',
      `the input of ${kind} '${name}' has a file, but only a mutation can receive files; make it a mutation`,
    );
  }
  if (!isRest) return;
  checkRestName(name);
  if (kind === 'mutation') return;
  // A name may still be defined later: then it is checked when the registry is mounted.
  const problem = type === undefined || !isKnown(type, named) ? undefined : queryProblem(type, named);
  if (problem !== undefined) {
    throw new ConfigError(
      'FW_RPC_INPUT_QUERY',
      `the input of ${kind} '${name}' cannot be sent in a query string: ${problem}`,
    );
  }
}

function outputSchema(who: string, schema: StandardSchemaV1): TypeSource {
  assertSchema(who, schema);
  return { from: 'schema', schema };
}

function inputSchema(who: string, schema: StandardSchemaV1): TypeSource {
  assertSchema(who, schema);
  let types: { readonly found: SchemaTypes | undefined } | undefined;
  return {
    from: 'schema',
    schema,
    described() {
      if (types === undefined) {
        types = { found: describe(schema) };
        reportUnrepresentable(schema, who, types.found?.unrepresentable ?? []);
      }
      return types.found;
    },
  };
}

/** Undefined if a schema does not provide its type; `types()`, which a client needs, throws the reason. */
function describe(schema: StandardSchemaV1): SchemaTypes | undefined {
  try {
    return schemaTypes(schema, 'input');
  } catch (error) {
    // The same call is made again, and throws, when its result is needed.
    if (error instanceof SchemaTypeError) return undefined;
    throw error;
  }
}

function checkHandler(who: string, handler: unknown): AnyHandler {
  if (typeof handler === 'function') return handler as AnyHandler;
  throw new ConfigError(
    'FW_HANDLER',
    `the handler of ${who} is ${kindOf(handler)}; give a function (input, { ctx, signal }) => …`,
  );
}

/** The same before it was validated. */
interface GivenNotes {
  readonly description?: unknown;
  readonly deprecated?: unknown;
  readonly tags?: unknown;
}

/** Without what was not given. @throws ConfigError if one of them has another type, or is empty */
function readNotes(who: string, { description, deprecated = false, tags }: GivenNotes): ProcedureNotes {
  const isText = typeof deprecated === 'string';
  if (typeof deprecated !== 'boolean' && !isText) {
    throw wrong(who, 'deprecated', deprecated, `true, or a text such as 'use getUser'`);
  }
  if (isText) assertText(who, 'deprecated', deprecated, 'use getUser');
  if (description !== undefined) assertText(who, 'description', description, 'One user.');
  return {
    ...(description !== undefined && { description }),
    ...(deprecated !== false && { deprecated }),
    ...(tags !== undefined && { tags: readTags(who, tags) }),
  };
}

function readTags(who: string, tags: unknown): readonly string[] {
  if (!Array.isArray(tags)) throw wrong(who, 'tags', tags, `a list such as ['users']`);
  for (const tag of tags as readonly unknown[]) assertText(who, 'tags', tag, 'users');
  return [...new Set(tags as readonly string[])];
}

/** @throws ConfigError if it is not a text, or an empty one */
function assertText(who: string, option: string, value: unknown, example: string): asserts value is string {
  if (typeof value === 'string' && value.trim() !== '') return;
  throw wrong(who, option, value, `a text such as '${example}'`);
}

function wrong(who: string, option: string, value: unknown, remedy: string): ConfigError {
  const code = typeof value === 'string' ? 'FW_OPTION_FORM' : 'FW_OPTION_TYPE';
  return new ConfigError(code, `${who}: ${option} is ${shown(value)}; give ${remedy}, or leave it out`);
}
