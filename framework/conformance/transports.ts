// Conformance: the ways into an App. Each sends one request and reads one answer.
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '../app/app.js';
import { toNodeHandler } from '../app/to-node-handler.js';
import type { Answer, SentRequest } from './case.js';
import { whileRecorded } from './recorded-transport.js';

export type Transport = (app: App, sent: SentRequest) => Promise<Answer>;

export const transports: Readonly<Record<string, Transport>> = {
  fetch: overFetch,
  node: (app, sent) => overNode(app, sent, new Agent()),
  // Only answers that leave the connection open take the prepared way of node/fast-response.ts.
  'node, kept alive': (app, sent) => overNode(app, sent, new Agent({ keepAlive: true })),
  toNodeHandler: overNodeHandler,
  'node, recorded': (app, sent) => whileRecorded(() => overNode(app, sent, new Agent())),
};

async function overFetch(app: App, sent: SentRequest): Promise<Answer> {
  const response = await app.fetch(
    new Request(`http://localhost${sent.path}`, {
      method: sent.method ?? 'GET',
      headers: sent.headers ?? {},
      ...(sent.body !== undefined && { body: sent.body as string }),
    }),
  );
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    cookies: response.headers.getSetCookie(),
    body: await response.text(),
  };
}

async function overNode(app: App, sent: SentRequest, agent: Agent): Promise<Answer> {
  const server = await app.listen(0);
  try {
    return await send(server.port, sent, agent);
  } finally {
    agent.destroy();
    await server.close();
  }
}

async function overNodeHandler(app: App, sent: SentRequest): Promise<Answer> {
  const server = createServer(toNodeHandler(app));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await send((server.address() as AddressInfo).port, sent, new Agent());
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Sends the request over a socket, its path exactly as written. */
export function send(port: number, sent: SentRequest, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', path, headers = {} } = sent;
    const outgoing = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent }, (incoming) =>
      read(incoming).then(resolve, reject),
    );
    outgoing.on('error', reject);
    outgoing.end(sent.body);
  });
}

async function read(incoming: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return {
    status: incoming.statusCode ?? 0,
    headers,
    cookies: incoming.headers['set-cookie'] ?? [],
    body: Buffer.concat(chunks).toString('utf8'),
  };
}
