// The client: the sockets of an App, their types and the methods that open them.
import { ConfigError } from '../config-error.js';
import { urlPattern } from '../router/url-pattern.js';
import { printComment, printType } from '../wire/print/print-typescript.js';
import type { ClientSocket, ClientSockets, ObjectType, WireField, WireType } from '../wire/wire-type.js';
import type { ClientKind } from './client-kind.js';
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
function socketInput(name: string, { path, params, query }: ClientSocket): WireType {
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
  indent: string,
  { hasCarriers }: Pick<ClientKind, 'hasCarriers'>,
  between = ': ',
): string {
  const input = socketInput(name, socket);
  const isOptional = input.kind === 'object' && input.fields.every((field) => field.isOptional);
  const first =
    input.kind === 'void' ? [] : [`${isOptional ? 'input?' : 'input'}: ${printType(input, indent)}`];
  return `(${[...first, 'options?: FwSocketOptions'].join(', ')})${between}${socketType(name, socket, hasCarriers)}`;
}

function socketType(name: string, { hasRpc }: ClientSocket, hasCarriers: boolean): string {
  const types = `FwSockets[${JSON.stringify(name)}]`;
  return `FwSocket<${types}['sends'], ${types}['receives']${hasCarriers ? `, ${hasRpc}` : ''}>`;
}

/** The body of that method. */
export function socketBody(
  [name, socket]: readonly [string, ClientSocket],
  { hasCarriers }: Pick<ClientKind, 'hasCarriers'>,
): string {
  const { path, query, hasRpc } = socket;
  const input = socketInput(name, socket);
  const isOptional = input.kind === 'object' && input.fields.every((field) => field.isOptional);
  const given = input.kind === 'void' ? '{}' : isOptional ? 'input ?? {}' : 'input';
  const names = `[${query.map((field) => JSON.stringify(field.name)).join(', ')}]`;
  const carries = hasCarriers ? `${hasRpc}, ` : '';
  return `return this.#socket(${JSON.stringify(urlPattern(path))}, ${names}, ${given}, ${carries}options);`;
}

/** Inside the class. @param url the expression of what stands before the paths */
export function socketMethod(url: string, { hasCarriers }: ClientKind): string {
  const [rpc, parameter, given, type] = hasCarriers
    ? [', Rpc extends boolean', '    hasRpc: Rpc,\n', ', hasRpc', ', Rpc']
    : ['', '', '', ''];
  return `
  #socket<Sends extends object, Receives extends object${rpc}>(
    path: string,
    query: readonly string[],
    input: object,
${parameter}    options: FwSocketOptions = {},
  ): FwSocket<Sends, Receives${type}> {
    const values = input as Readonly<Record<string, unknown>>;
    const url = socketUrl(${url} + pathOf(path, values) + queryOf(query, values));
    const { signal, sockets } = this.#options;
    const signals = [signal, sockets?.signal, options.signal].filter((one) => one !== undefined);
    return new FwSocket(url${given}, { ...sockets, ...options }, signals);
  }
`;
}

/** Members of the options of the constructor. */
export function socketOptions({ hasSockets, hasCarriers }: ClientKind): string {
  if (!hasSockets) return '';
  const carrier = `  /** Carries every subscription that has no socket of its own; a function is asked for each of them, with the client. */
  socket?: FwSocketCarrier | ((client: FwRpcClient) => FwSocketCarrier | undefined) | undefined;
`;
  return `  /** Options of every socket. */
  sockets?: FwSocketOptions | undefined;
${hasCarriers ? carrier : ''}`;
}

/** After the class. */
export const socketEnd: string = `
interface FwSocketPage {
  readonly location?: { readonly protocol: string; readonly host: string };
}

/** A path alone belongs to the origin of the page. */
function socketUrl(url: string): string {
  if (/^https?:/i.test(url)) return url.replace(/^http/i, 'ws');
  if (/^wss?:/i.test(url)) return url;
  const { location } = globalThis as unknown as FwSocketPage;
  if (location === undefined) {
    throw new TypeError(\`a socket needs an absolute URL, not '\${url}': give the client one, such as https://example.org\`);
  }
  return \`\${location.protocol === 'https:' ? 'wss:' : 'ws:'}//\${location.host}\${url}\`;
}
`;
