// The client: the declared errors of procedures, and the guard that tells them apart. A client without any has none of
// this text.
import { printComment, printType } from '../wire/print/print-typescript.js';
import { errorTypeName } from '../wire/type-name.js';
import { allowsVoid, withoutVoid } from '../wire/union-of.js';
import type { ErrorTypes, ProcedureTypes, WireField, WireType } from '../wire/wire-type.js';
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

/** Their names, which the client compares with what a server sends. */
export function printErrorNames(procedures: Procedures): string {
  const lines = procedures.flatMap(([name, { errors }]) =>
    errors === undefined
      ? []
      : [
          `  [${JSON.stringify(name)}, ${JSON.stringify(Object.keys(errors).sort()).replaceAll(',', ', ')}],\n`,
        ],
  );
  return `const declaredErrors = new Map<string, readonly string[]>([\n${lines.join('')}]);\n`;
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

const guardComment = `/**
 * Whether a call of the procedure failed with one of the errors that it declares: \`error.error.name\` says which, and
 * narrows \`error.error.data\`.
 */
`;

/** The guard in the declarations of a client. */
export function declaredGuard(errorClass: string): string {
  return `${guardComment}export declare function isErrorOf<Method extends keyof FwRpcErrors>(
  error: unknown,
  method: Method,
): error is ${errorClass} & { readonly error: FwRpcErrors[Method] };
`;
}

function guard(errorClass: string, condition: string): string {
  return `${guardComment}export function isErrorOf<Method extends keyof FwRpcErrors>(
  error: unknown,
  method: Method,
): error is ${errorClass} & { readonly error: FwRpcErrors[Method] } {
  return error instanceof ${errorClass} && error.procedure === method && ${condition};
}
`;
}

const isDeclared = `
function isDeclared(method: string, name: unknown): name is string {
  return declaredErrors.get(method)?.some((one) => one === name) === true;
}
`;

/** After the class of a JSON-RPC client. */
export const jsonRpcGuard: string = `${guard('JsonRpcClientError', 'isDeclared(method, error.error.name)')}${isDeclared}`;

/** After the class of a REST client. */
export const restGuard: string = `${guard('FwRpcHttpError', 'error.error !== undefined')}${isDeclared}
function declaredError(method: string | undefined, body: unknown): FwRpcDeclaredError | undefined {
  if (method === undefined || typeof body !== 'object' || body === null) return undefined;
  const { error, message, code, data } = body as Readonly<Record<string, unknown>>;
  if (!isDeclared(method, error) || typeof message !== 'string' || typeof code !== 'number') return undefined;
  return { code, message, name: error, data };
}
`;
