// MCP over HTTP: answers one `POST` (2026-07-28, basic/transports, "Streamable HTTP"), whatever server it came to.
import { isJsonType, shownType } from '../../http/media-type.js';
import { CODE, isRecord, McpError, type McpId } from './messages.js';
import { isResponse, type McpMessage, readMessage } from './read-message.js';
import { type Answer, errorAnswer, type Incoming, type McpServer, type Outgoing } from './server.js';

export interface HttpRequest<Ctx> extends Incoming<Ctx> {
  readonly method: string;
  /** The value of a header field, by its lower-case name; undefined if it was not sent. */
  header(name: string): string | undefined;
  /** The body. Rejects if it is too large. */
  text(): Promise<string>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined if there is no body. */
  readonly message?: Outgoing;
  /** Each message is one server-sent event. */
  readonly messages?: AsyncIterable<Outgoing>;
}

/** Rejects with what the body or the source rejects with, unless it is an McpError. */
export async function answerHttp<Ctx>(
  server: McpServer<Ctx>,
  request: HttpRequest<Ctx>,
  origins: readonly string[],
): Promise<HttpAnswer> {
  const refused = refusal(request, origins);
  if (refused !== undefined) return refused;
  const text = await request.text();
  let message: McpMessage | undefined;
  try {
    message = readMessage(text, {
      version: request.header('mcp-protocol-version'),
      method: request.header('mcp-method'),
      name: request.header('mcp-name'),
    });
    // A client cancels a request by leaving it; nothing else that it tells has an effect without a session.
    if (message.id === undefined) return { status: 202 };
    refuseWithoutStream(message, request);
    return await answered(await server.answer(message, request), request);
  } catch (error) {
    const status = error instanceof McpError ? error.status : 500;
    return { status, message: errorAnswer({ id: message === undefined ? idIn(text) : message.id }, error) };
  }
}

async function answered<Ctx>(answer: Answer, { header }: HttpRequest<Ctx>): Promise<HttpAnswer> {
  if (answer.kind === 'message') return { status: 200, message: answer.message };
  if (accepts(header('accept'), 'text/event-stream')) return { status: 200, messages: answer.messages };
  // Without a stream there are no notifications, but there is an answer.
  let last: Outgoing | undefined;
  for await (const one of answer.messages) last = one;
  return { status: 200, ...(last !== undefined && { message: last }) };
}

/** Before anything is watched for it. @throws McpError */
function refuseWithoutStream<Ctx>({ method }: McpMessage, { header }: HttpRequest<Ctx>): void {
  if (method !== 'subscriptions/listen' || accepts(header('accept'), 'text/event-stream')) return;
  throw new McpError(CODE.refused, "subscriptions/listen needs 'Accept: text/event-stream'", { status: 406 });
}

function refusal<Ctx>(
  { method, header }: HttpRequest<Ctx>,
  origins: readonly string[],
): HttpAnswer | undefined {
  if (method !== 'POST') {
    const message = 'send messages by POST; there are no sessions, and no stream of the server';
    return { ...refused(405, message), headers: { Allow: 'POST' } };
  }
  const origin = header('origin');
  if (origin !== undefined && !isOwnOrigin(origin, header('host'), origins)) {
    const shown = JSON.stringify(origin.slice(0, 100));
    return refused(403, `pages of ${shown} may not call this server; allow them by the option 'origins'`);
  }
  const type = header('content-type');
  if (type === undefined || !isJsonType(type)) {
    const sent = type === undefined ? 'without a media type' : `of media type '${shownType(type)}'`;
    return refused(415, `a body ${sent} is not accepted; send 'Content-Type: application/json'`);
  }
  const accept = header('accept');
  if (accepts(accept, 'application/json') || accepts(accept, 'text/event-stream')) return undefined;
  return refused(406, "send 'Accept: application/json, text/event-stream'");
}

function refused(status: number, message: string): HttpAnswer {
  const error = new McpError(CODE.refused, message);
  return { status, message: errorAnswer({ id: undefined }, error) };
}

/** Without the field, everything is accepted (RFC 9110, section 12.5.1). */
function accepts(field: string | undefined, type: 'application/json' | 'text/event-stream'): boolean {
  if (field === undefined) return true;
  const [kind] = type.split('/');
  return field.split(',').some((range) => {
    const name = (range.split(';', 1)[0] ?? '').toLowerCase().replaceAll(/[ \t]/g, '');
    return name === type || name === '*/*' || name === `${kind}/*`;
  });
}

/** The id of a message that was refused, so that the client knows which one it was. */
function idIn(text: string): McpId | undefined {
  try {
    const body: unknown = JSON.parse(text);
    // The id of a response is one of the server's.
    const id = isRecord(body) && !isResponse(body) ? body.id : undefined;
    return typeof id === 'string' || Number.isSafeInteger(id) ? (id as McpId) : undefined;
  } catch {
    // It is not JSON.
    return undefined;
  }
}

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/**
 * Whether the page is one of the allowed origins, or is of this machine and has called it by a name that is always this
 * machine: the name of a page's host can lead to any address (DNS rebinding), so that a page of a stranger could call a
 * server that only this machine can reach (basic/transports, "Security Warning"). Clients other than web pages send no
 * `Origin`.
 */
function isOwnOrigin(origin: string, host: string | undefined, allowed: readonly string[]): boolean {
  if (allowed.includes(origin)) return true;
  const page = URL.canParse(origin) ? new URL(origin).hostname : '';
  return LOOPBACK.test(page) && host !== undefined && LOOPBACK.test(nameOf(host));
}

function nameOf(host: string): string {
  const at = `http://${host}`;
  return URL.canParse(at) ? new URL(at).hostname : '';
}
