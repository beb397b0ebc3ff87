// The client: the sockets of an App, and their types.
import { ConfigError } from '../config-error.js';
import { printComment, printType } from '../wire/print/print-typescript.js';
import type { ClientSocket, ClientSockets, ObjectType, WireField, WireType } from '../wire/wire-type.js';
import { memberName } from './member-name.js';

/** The types of the sockets. */
export function printSockets(sockets: ClientSockets = {}): string {
  const sorted = Object.entries(sockets).sort(([a], [b]) => (a < b ? -1 : 1));
  if (sorted.length === 0) return '';
  const types = sorted.map(([name, socket]) => {
    const lines = [
      `    input: ${printInput(socketInput(name, socket), '    ')};\n`,
      `    sends: ${printEvents(socket.sends)};\n`,
      `    receives: ${printEvents(socket.receives)};\n`,
    ];
    return `  ${memberName(name)}: {\n${lines.join('')}  };\n`;
  });
  return `/** The types of every socket, by its name: the data of the events that the client sends, and of those that it gets. */
export interface FwSockets {
${types.join('')}}
`;
}

function printInput(input: WireType, indent: string): string {
  return input.kind === 'void' ? 'undefined' : printType(input, indent);
}

/** The data of events by their names. */
function printEvents({ fields, values }: ObjectType): string {
  if (values !== undefined) return `Record<string, ${printType(values)}>`;
  if (fields.length === 0) return 'object';
  const events = fields.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(printEvent);
  return `{\n${events.join('')}    }`;
}

function printEvent({ name, type, description }: WireField): string {
  const comment = printComment(description, '      ');
  return `${comment}      ${memberName(name)}: ${printInput(type, '      ')};\n`;
}

/** The parameters and the query; void if there are none. */
export function socketInput(name: string, { path, params, query }: ClientSocket): WireType {
  const twice = params.find((param) => query.some((field) => field.name === param.name));
  if (twice !== undefined) {
    throw new ConfigError(
      'FW_CLIENT_FIELDS',
      `the input of '${name}' (WEBSOCKET ${path}) in the client would have two fields '${twice.name}', of path and query; rename one of them`,
    );
  }
  const fields = [...params, ...query];
  return fields.length === 0 ? { kind: 'void' } : { kind: 'object', fields };
}

/** The parameters and the result of the method that opens a socket, with what stands between them. */
export function socketSignature(
  [name, socket]: readonly [string, ClientSocket],
  hasCarriers: boolean,
  indent: string,
  between: string,
): string {
  const input = socketInput(name, socket);
  const isOptional = input.kind === 'object' && input.fields.every((field) => field.isOptional);
  const first =
    input.kind === 'void' ? [] : [`${isOptional ? 'input?' : 'input'}: ${printType(input, indent)}`];
  const types = `FwSockets[${JSON.stringify(name)}]`;
  const opened = hasCarriers && socket.hasRpc ? 'FwRpcSocket' : 'FwSocket';
  const parameters = [...first, 'options?: FwSocketOptions'].join(', ');
  return `(${parameters})${between}${opened}<${types}['sends'], ${types}['receives']>`;
}
