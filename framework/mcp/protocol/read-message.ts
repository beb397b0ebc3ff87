// MCP: reads one message of an HTTP request, and decides which revision answers it. The body decides; header fields must
// agree with it (2026-07-28, basic/transports, "Standard Request Headers"), so that what stands between client and
// server may rely on them.
import { isDeepJson } from '../../http/json-depth.js';
import { CODE, isRecord, LEGACY, McpError, type McpId, META, MODERN } from './messages.js';

/** A request, or without an id a notification. */
export interface McpMessage {
  readonly era: 'modern' | 'legacy';
  readonly id: McpId | undefined;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
  /** What the client can do. */
  readonly capabilities: Readonly<Record<string, unknown>>;
}

/** The header fields that name what is in the body; undefined where there is none. */
export interface McpHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** The server repeats an id in each message of a stream: it must not make them large. In characters. */
export const LONGEST_ID = 1000;

/** The field of the params that `Mcp-Name` repeats, by method. */
const NAMED: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** @throws McpError with the status of the response, if it is not a message, or the header fields contradict it */
export function readMessage(text: string, headers: McpHeaders): McpMessage {
  const body = parsed(text);
  if (Array.isArray(body)) throw invalid('batches are not supported; send one message in a request');
  if (!isRecord(body) || body.jsonrpc !== '2.0')
    throw invalid("a message is an object with 'jsonrpc': '2.0'");
  const { id, method, params = {} } = body;
  if (typeof method !== 'string') throw invalid("a message has a 'method', which is a string");
  if (id !== undefined && !isId(id))
    throw invalid(`an 'id' is an integer, or a string of up to ${LONGEST_ID} characters`);
  if (!isRecord(params)) throw invalid("'params' is an object");
  const meta = isRecord(params._meta) ? params._meta : {};
  const message = { id, method, params, meta };
  const claimed = meta[META.version];
  if (claimed !== undefined && !(method === 'initialize' && claimed !== MODERN)) {
    return modern({ ...message, claimed }, headers);
  }
  return legacy(message, headers, params._meta);
}

/** Whether it answers a request, and is not one. */
export function isResponse(message: unknown): boolean {
  return isRecord(message) && message.method === undefined && ('result' in message || 'error' in message);
}

function parsed(text: string): unknown {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    // JSON.parse throws only for malformed text.
    throw new McpError(CODE.parseError, 'Parse error', { status: 400 });
  }
  if (isDeepJson(text)) throw invalid('a message is not nested more than 1,000 levels deep');
  return message;
}

function isId(id: unknown): id is McpId {
  return Number.isSafeInteger(id) || (typeof id === 'string' && id.length <= LONGEST_ID);
}

type Read = Omit<McpMessage, 'era' | 'capabilities'>;

function modern({ claimed, ...message }: Read & { claimed: unknown }, headers: McpHeaders): McpMessage {
  if (typeof claimed !== 'string') throw wrongMeta(META.version, 'is not a string');
  const { id, method, params, meta } = message;
  const capabilities = meta[META.capabilities];
  if (id !== undefined) {
    if (capabilities === undefined) throw wrongMeta(META.capabilities, 'is missing');
    if (!isRecord(capabilities)) throw wrongMeta(META.capabilities, 'is not an object');
  }
  if (headers.version !== undefined && headers.version !== claimed)
    throw mismatch('MCP-Protocol-Version', headers.version, claimed);
  if (headers.method !== undefined && headers.method !== method)
    throw mismatch('Mcp-Method', headers.method, method);
  if (claimed !== MODERN) throw unsupported(claimed, [MODERN]);
  if (id !== undefined) {
    if (headers.version === undefined) throw missing('MCP-Protocol-Version', claimed);
    if (headers.method === undefined) throw missing('Mcp-Method', method);
    checkName(params[NAMED.get(method) ?? ''], headers.name, NAMED.has(method));
  }
  return { ...message, era: 'modern', capabilities: isRecord(capabilities) ? capabilities : {} };
}

function checkName(given: unknown, header: string | undefined, isNamed: boolean): void {
  if (!isNamed) return;
  const name = typeof given === 'string' ? given : undefined;
  if (header === undefined) {
    if (name !== undefined) throw missing('Mcp-Name', name);
    return;
  }
  const decoded = decodedField(header);
  if (decoded === undefined) throw mismatch('Mcp-Name', header, name ?? '');
  if (name !== undefined && decoded !== name) throw mismatch('Mcp-Name', decoded, name);
}

function legacy(message: Read, headers: McpHeaders, meta: unknown): McpMessage {
  const { version } = headers;
  const { id, method } = message;
  if (version === MODERN) {
    // A notification has no metadata that it must carry.
    if (id === undefined) return { ...message, era: 'modern', capabilities: {} };
    if (method === 'initialize') throw mismatch('MCP-Protocol-Version', version, 'an earlier revision');
    throw wrongMeta(meta === undefined ? '_meta' : META.version, 'is missing');
  }
  if (method !== 'initialize' && version !== undefined && !LEGACY.includes(version))
    throw unsupported(version, [MODERN, ...LEGACY]);
  return { ...message, era: 'legacy', capabilities: {} };
}

const BASE64 = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/** A value that cannot stand in a header field is sent in base64, between `=?base64?` and `?=`; undefined if malformed. */
function decodedField(value: string): string | undefined {
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value;
  const encoded = BASE64.exec(value)?.[1];
  if (encoded === undefined) return undefined;
  const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // It is not UTF-8.
    return undefined;
  }
}

/** The value as a header field, if necessary in base64. */
export function encodedField(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value);
  if (isPlain && !value.startsWith('=?base64?')) return value;
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(bytes.join(''))}?=`;
}

/** The field of the params that `Mcp-Name` has to repeat, if the method has one. */
export function nameOf(method: string, params: unknown): string | undefined {
  const field = NAMED.get(method);
  const name = field !== undefined && isRecord(params) ? params[field] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function invalid(why: string): McpError {
  return new McpError(CODE.invalidRequest, `Invalid request: ${why}`, { status: 400 });
}

function wrongMeta(key: string, problem: string): McpError {
  return new McpError(CODE.invalidParams, `Invalid params: ${key} ${problem}`, { status: 400 });
}

function missing(header: string, body: string): McpError {
  const message = `the header field ${header} is missing; the body says ${JSON.stringify(body)}`;
  return new McpError(CODE.headerMismatch, message, { status: 400 });
}

function mismatch(header: string, value: string, body: string): McpError {
  const message = `the header field ${header} is ${JSON.stringify(value)}, but the body says ${JSON.stringify(body)}`;
  return new McpError(CODE.headerMismatch, message, { status: 400 });
}

function unsupported(requested: string, supported: readonly string[]): McpError {
  return new McpError(CODE.unsupportedVersion, `Unsupported protocol version: ${JSON.stringify(requested)}`, {
    data: { supported, requested },
    status: 400,
  });
}
