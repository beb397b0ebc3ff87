// The client: the tables of its procedures, routes and sockets, from which the run time makes the methods.

import { urlPattern } from '../router/url-pattern.js';
import { groupsOf } from '../rpc/protocol/procedure-name.js';
import type {
  ClientRoute,
  ClientRoutes,
  ClientSocket,
  ClientSockets,
  ProcedureTypes,
  WireType,
} from '../wire/wire-type.js';
import { isTagged, routeInput, routeOutput } from './client-routes.js';
import { socketInput } from './client-sockets.js';
import { memberName } from './member-name.js';

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
