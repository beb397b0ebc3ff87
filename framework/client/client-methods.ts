// The client: its methods with their types, and the tables from which the run time makes them.

import { urlPattern } from '../router/url-pattern.js';
import { groupsOf } from '../rpc/protocol/procedure-name.js';
import { printComment, printType } from '../wire/print/print-typescript.js';
import { allowsVoid, withoutVoid } from '../wire/union-of.js';
import type {
  ClientRoute,
  ClientRoutes,
  ClientSocket,
  ClientSockets,
  ProcedureNotes,
  ProcedureTypes,
  WireType,
} from '../wire/wire-type.js';
import type { ClientKind } from './client-kind.js';
import type { MemberPrinter } from './client-members.js';
import { isOptionalInput, isTagged, routeInput, routeOutput } from './client-routes.js';
import { socketInput, socketSignature } from './client-sockets.js';
import { memberName } from './member-name.js';

/** The members of the client's interface: the methods of a group are properties. */
export function interfaceMembers({ hasCarriers }: Pick<ClientKind, 'hasCarriers'>): MemberPrinter {
  return {
    method(member, [whole, call], indent) {
      const comment = printNotes(call, indent);
      const name = `${indent}${memberName(member)}`;
      return isTop(indent)
        ? `${comment}${name}${printSignature(whole, call, indent)};\n`
        : `${comment}${name}: ${printSignature(whole, call, indent, ' => ')};\n`;
    },
    socket(member, named, indent) {
      const comment = printNotes(named[1], indent);
      const name = `${indent}${memberName(member)}`;
      return isTop(indent)
        ? `${comment}${name}${socketSignature(named, hasCarriers, indent, ': ')};\n`
        : `${comment}${name}: ${socketSignature(named, hasCarriers, indent, ' => ')};\n`;
    },
    openGroup: (member, indent) => `${indent}${isTop(indent) ? 'readonly ' : ''}${member}: {\n`,
    closeGroup: (indent) => `${indent}};\n`,
  };
}

/** Whether members of this indentation are those of the client itself. */
function isTop(indent: string): boolean {
  return indent.length === 2;
}

function isRoute(call: ProcedureTypes | ClientRoute): call is ClientRoute {
  return 'path' in call;
}

/** The documentation comment of a method of the client. */
function printNotes({ description, deprecated }: ProcedureNotes, indent: string): string {
  const tag = typeof deprecated === 'string' ? `@deprecated ${deprecated}` : deprecated && '@deprecated';
  return printComment([description, tag].filter(Boolean).join('\n'), indent);
}

/** The parameters and the result of a method of the client, with what stands between them. */
function printSignature(
  name: string,
  call: ProcedureTypes | ClientRoute,
  indent: string,
  between = ': ',
): string {
  if (isRoute(call)) {
    const input = routeInput(name, call);
    const parameter = isOptionalInput(input) ? 'input?' : 'input';
    const first = input.kind === 'void' ? [] : [`${parameter}: ${printType(input, indent)}`];
    return `(${[...first, 'options?: FwRpcCallOptions'].join(', ')})${between}Promise<${printType(routeOutput(call), indent)}>`;
  }
  const { kind, input, output } = call;
  // `undefined` is redundant in the type of an optional parameter.
  const given = printType(withoutVoid(input), indent);
  const parameter = input.kind === 'void' ? [] : [`input${allowsVoid(input) ? '?' : ''}: ${given}`];
  const isStream = kind === 'subscription';
  const options = `options?: ${isStream ? 'FwRpcSubscriptionOptions' : 'FwRpcCallOptions'}`;
  const type = printType(output, indent);
  const returned = isStream ? `AsyncGenerator<${type}, void, undefined>` : `Promise<${type}>`;
  return `(${[...parameter, options].join(', ')})${between}${returned}`;
}

type Entries<Value> = readonly (readonly [name: string, value: Value])[];

/** How the queries and mutations are called, and the subscriptions. */
export function printProcedureTables(procedures: Entries<ProcedureTypes>): string[] {
  const isStream = ({ kind }: ProcedureTypes): boolean => kind === 'subscription';
  const calls = procedures.filter(([, one]) => !isStream(one));
  const streams = procedures.filter(([, one]) => isStream(one));
  return [
    calls.length === 0 ? '' : printTable('procedures', 'FwRpcTable<FwRpcCallable>', calls, procedureCall),
    streams.length === 0
      ? ''
      : printTable('subscriptions', 'FwRpcTable<FwRpcProcedure>', streams, procedureCall),
  ];
}

function procedureCall(_name: string, { kind, input, output, errors }: ProcedureTypes): object {
  const isStream = kind === 'subscription';
  return {
    ...(!isStream && { kind }),
    ...(input.kind === 'void' && { hasInput: false }),
    ...(!isStream && output.kind === 'void' && { hasOutput: false }),
    ...(errors !== undefined && { errors: Object.keys(errors).sort() }),
  };
}

/** How the routes are called. */
export function printRouteTable(routes: ClientRoutes): string {
  return printTable('routes', 'Readonly<Record<keyof FwRoutes, FwRouteCall>>', sorted(routes), routeCall);
}

function routeCall(name: string, route: ClientRoute): object {
  const { method, path, query, body, text, errors } = route;
  return {
    method,
    path: urlPattern(path),
    query: query.map((field) => field.name),
    ...(body !== undefined && { body: body.contentType }),
    ...(isTagged(route) && { isTagged: true }),
    ...(text.length > 0 && { text }),
    errors: Object.keys(errors).map(Number),
    ...withoutValues(routeInput(name, route), routeOutput(route)),
  };
}

function withoutValues(input: WireType, output: WireType): object {
  return {
    ...(input.kind === 'void' && { hasInput: false }),
    ...(output.kind === 'void' && { hasOutput: false }),
  };
}

/** How the sockets are opened. */
export function printSocketTable(sockets: ClientSockets): string {
  return printTable(
    'sockets',
    'Readonly<Record<keyof FwSockets, FwSocketCall>>',
    sorted(sockets),
    socketCall,
  );
}

function socketCall(name: string, socket: ClientSocket): object {
  return {
    path: urlPattern(socket.path),
    query: socket.query.map((field) => field.name),
    ...(socketInput(name, socket).kind === 'void' && { hasInput: false }),
    ...(socket.hasRpc && { hasRpc: true }),
  };
}

function sorted<Value>(values: Readonly<Record<string, Value>>): Entries<Value> {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** One line for each. */
function printTable<Value>(
  name: string,
  type: string,
  entries: Entries<Value>,
  callOf: (name: string, value: Value) => object,
): string {
  const lines = entries.map(([key, value]) => {
    // Not every dot stands between a group and its method.
    const isWhole = key.includes('.') && groupsOf(key).length === 0;
    const call = { ...callOf(key, value), ...(isWhole && { isWhole }) };
    return `  ${memberName(key)}: ${printObject(call)},\n`;
  });
  return `const ${name} = {\n${lines.join('')}} satisfies ${type};`;
}

/** With the keys bare, which are all identifiers. */
function printObject(value: object): string {
  const fields = Object.entries(value).map(([key, one]) => `${key}: ${printValue(one)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function printValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(printValue).join(', ')}]` : JSON.stringify(value);
}
