// The client: the declared errors of procedures, and the guard that tells them apart.
import { printComment, printType } from '../wire/print/print-typescript.js';
import { errorTypeName } from '../wire/type-name.js';
import { allowsVoid, withoutVoid } from '../wire/union-of.js';
import type { ErrorTypes, ProcedureTypes, WireField, WireType } from '../wire/wire-type.js';
import type { ClientKind } from './client-kind.js';
import { memberName } from './member-name.js';

type Procedures = readonly (readonly [name: string, procedure: ProcedureTypes])[];

/** The type of the errors of each procedure, and all of them by the procedures' names; empty without errors. */
export function printErrors(procedures: Procedures): string {
  const failing = procedures.filter(([, { errors }]) => errors !== undefined);
  if (failing.length === 0) return '';
  const types = failing.map(([name, { errors = {} }]) => {
    const comment = printComment(`The errors that '${name}' declares.`, '');
    return `${comment}export type ${errorTypeName(name)} = ${printType(unionOfErrors(errors))};\n`;
  });
  const lines = failing.map(([name]) => `  ${memberName(name)}: ${errorTypeName(name)};\n`);
  return [
    ...types,
    `/** The declared errors of every procedure that has some, by its name. */\nexport interface FwRpcErrors {\n${lines.join('')}}\n`,
  ].join('\n');
}

function unionOfErrors(errors: Readonly<Record<string, ErrorTypes>>): WireType {
  return {
    kind: 'union',
    members: Object.entries(errors).map(([name, { data }]) => errorObject(name, data)),
  };
}

function errorObject(name: string, data: WireType): WireType {
  const isOptional = allowsVoid(data);
  const value: WireType = data.kind === 'void' ? data : withoutVoid(data);
  const field = (key: string, type: WireType): WireField => ({ name: key, type, isOptional: false });
  return {
    kind: 'object',
    fields: [
      field('code', { kind: 'number' }),
      field('message', { kind: 'string' }),
      field('name', { kind: 'literal', value: name }),
      { name: 'data', type: value, isOptional },
    ],
  };
}

const GUARD_HEAD = `/**
 * Whether a call of the procedure failed with one of the errors that it declares: \`error.error.name\` says which, and
 * narrows \`error.error.data\`.
 */
export `;

function guardTypes(isRest: boolean): string {
  return `function isErrorOf<Method extends keyof FwRpcErrors>(
  error: unknown,
  method: Method,
): error is ${isRest ? 'FwRpcHttpError' : 'JsonRpcClientError'} & { readonly error: FwRpcErrors[Method] }`;
}

export function errorGuard({ isRest, hasCalls, hasSubscriptions }: ClientKind): string {
  const table = !hasSubscriptions
    ? 'procedures'
    : hasCalls
      ? '{ ...procedures, ...subscriptions }'
      : 'subscriptions';
  const check = isRest ? 'isRestErrorOf(error, method)' : `isJsonRpcErrorOf(error, method, ${table}[method])`;
  return `${GUARD_HEAD}${guardTypes(isRest)} {
  return ${check};
}`;
}

export function declaredErrorGuard(isRest: boolean): string {
  return `${GUARD_HEAD}declare ${guardTypes(isRest)};`;
}

const NAMED_HEAD = `/**
 * Whether a call failed with an error of this name: one that a procedure declares, whose data it narrows, or one of every
 * call, such as 'NotFound'.
 */
export `;

function namedTypes({ isRest, hasErrors }: ClientKind): string {
  const declared = hasErrors ? 'FwRpcErrors[keyof FwRpcErrors]' : 'never';
  return `function isRpcError<Name extends FwRpcErrorName>(
  error: unknown,
  name: Name,
): error is FwRpcErrorNamed<${isRest ? 'FwRpcHttpError' : 'JsonRpcClientError'}, ${declared}, Name>`;
}

export function namedErrorGuard(kind: ClientKind): string {
  const check = kind.isRest ? 'isRestErrorNamed' : 'isJsonRpcErrorNamed';
  return `${NAMED_HEAD}${namedTypes(kind)} {
  return ${check}(error, name);
}`;
}

export function declaredNamedErrorGuard(kind: ClientKind): string {
  return `${NAMED_HEAD}declare ${namedTypes(kind)};`;
}

/** The names that the guard takes. */
export function printErrorNames({ hasErrors }: ClientKind): string {
  const declared = hasErrors ? "FwRpcErrors[keyof FwRpcErrors]['name'] | " : '';
  return `export type FwRpcErrorName = ${declared}FwRpcStandardError;`;
}
