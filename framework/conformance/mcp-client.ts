// For tests: messages of MCP to an App in process, as a client of a revision would send them.
import type { App } from '../index.js';
import { META, MODERN } from '../mcp/protocol/messages.js';
import { nameOf } from '../mcp/protocol/read-message.js';

type Params = Readonly<Record<string, unknown>>;

export interface Sent {
  readonly status: number;
  readonly headers: Headers;
  /** The messages of the response, in their order. */
  readonly messages: readonly TrialMessage[];
  /** The last of them. */
  readonly message: TrialMessage;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any form.
export type TrialMessage = any;

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly meta?: Params;
  readonly signal?: AbortSignal;
}

/** Sends a request of 2026-07-28. */
export async function modern(
  app: App,
  method: string,
  params: Params = {},
  options: SendOptions = {},
): Promise<Sent> {
  const _meta = { [META.version]: MODERN, [META.capabilities]: {}, ...options.meta };
  const name = nameOf(method, params);
  const headers = {
    'MCP-Protocol-Version': MODERN,
    'Mcp-Method': method,
    ...(name !== undefined && { 'Mcp-Name': name }),
    ...options.headers,
  };
  return await post(
    app,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    { ...options, headers },
  );
}

/** Sends a request of an earlier revision. */
export async function legacy(
  app: App,
  method: string,
  params: Params = {},
  options: SendOptions = {},
): Promise<Sent> {
  return await post(app, { jsonrpc: '2.0', id: 1, method, params }, options);
}

/** Sends anything. */
export async function post(app: App, body: unknown, { headers, signal }: SendOptions = {}): Promise<Sent> {
  const response = await app.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(signal && { signal }),
    }),
  );
  const messages = messagesIn(await response.text());
  return { status: response.status, headers: response.headers, messages, message: messages.at(-1) };
}

function messagesIn(text: string): TrialMessage[] {
  if (text === '') return [];
  if (!text.startsWith('event:') && !text.startsWith('data:')) return [JSON.parse(text)];
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
}
