// Tests: a client of ws that keeps what it receives.
import { once } from 'node:events';
import { afterEach } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import type { App } from '../../app/app.js';
import type { RunningServer } from '../../runtime/node/listen.js';

/** A client that is connected. */
class TrialSocket {
  readonly ws: WebSocket;
  readonly received: (string | Buffer)[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;

  constructor(url: string, protocols: string[] = [], options: ClientOptions = {}) {
    this.ws = new WebSocket(url, protocols, options);
    this.ws.on('message', (data: Buffer, isBinary) => this.received.push(isBinary ? data : data.toString()));
    this.closed = new Promise((resolve) => {
      this.ws.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    this.ws.on('error', () => {});
  }

  async opened(): Promise<this> {
    if (this.ws.readyState !== WebSocket.OPEN) await once(this.ws, 'open');
    return this;
  }

  send(message: unknown): void {
    this.ws.send(
      typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message),
    );
  }

  /** The messages received so far, as JSON. */
  get json(): unknown[] {
    return this.received.map((one) => JSON.parse(String(one)));
  }
}

const servers: RunningServer[] = [];
const clients: TrialSocket[] = [];

type Connect = (path: string, protocols?: string[], options?: ClientOptions) => Promise<TrialSocket>;

/** Serves an App until the end of the test. */
export async function serve(app: App): Promise<{ url: string; connect: Connect }> {
  const server = await app.listen(0);
  servers.push(server);
  const base = server.url.replace('http', 'ws');
  const connect: Connect = async (path, protocols = [], options = {}) => {
    const client = new TrialSocket(base + path, protocols, options);
    clients.push(client);
    return client.opened();
  };
  return { url: server.url, connect };
}

afterEach(async () => {
  for (const { ws } of clients.splice(0)) ws.terminate();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
