// Leads the conformance suite, which speaks HTTP, to a program that speaks MCP on its standard streams.
import { spawn } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

interface Message {
  id?: unknown;
  method?: string;
  params?: { progressToken?: unknown; _meta?: Record<string, unknown> };
}

export interface Front {
  readonly url: string;
  close(): void;
}

export async function startFront(program: string, args: readonly string[]): Promise<Front> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  /** By the id that the program knows. */
  const open = new Map<
    string,
    { readonly id: unknown; readonly token: unknown; readonly response: ServerResponse }
  >();
  let count = 0;

  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    const key = String(message.id);
    const request = open.get(key);
    if (request !== undefined) {
      open.delete(key);
      send(request.response, { ...message, id: request.id }, true);
      return;
    }
    for (const { token, response } of open.values()) {
      if (message.params?.progressToken === token) send(response, message, false);
    }
    const subscribed = open.get(String(message.params?._meta?.['io.modelcontextprotocol/subscriptionId']));
    if (subscribed !== undefined) {
      const params = {
        ...message.params,
        _meta: { 'io.modelcontextprotocol/subscriptionId': subscribed.id },
      };
      send(subscribed.response, { ...message, params }, false);
    }
  });

  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const message = JSON.parse(text) as Message;
    if (message.id === undefined) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      return void response.writeHead(202).end();
    }
    const key = `front-${++count}`;
    const meta = message.params?._meta;
    open.set(key, { id: message.id, token: meta?.progressToken, response });
    response.on('close', () => {
      if (!open.delete(key)) return;
      const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: key } };
      child.stdin.write(`${JSON.stringify(cancelled)}\n`);
    });
    child.stdin.write(`${JSON.stringify({ ...message, id: key })}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close() {
      server.closeAllConnections();
      server.close();
      child.kill();
    },
  };
}

/** Notifications begin a stream; without one, the answer is JSON. */
function send(response: ServerResponse, message: object, isLast: boolean): void {
  const text = JSON.stringify(message);
  if (isLast && !response.headersSent) {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
    return;
  }
  if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(`event: message\ndata: ${text}\n\n`);
  if (isLast) response.end();
}
