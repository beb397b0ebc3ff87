// For tests: a bare server of ws that speaks the frames of fw.events by hand, and a transport without a network.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

type Frame = Readonly<Record<string, unknown>>;

/** One connection of a client. */
export interface ServedSocket {
  readonly request: IncomingMessage;
  readonly socket: WebSocket;
  /** The frames that the client has sent. */
  readonly frames: Frame[];
  send(frame: object | string): void;
}

export interface SocketServer {
  readonly url: string;
  readonly connections: ServedSocket[];
  close(): Promise<void>;
}

/** @param onFrame runs for each frame of a client; by default `resume` is answered with `ready` */
export async function socketServer(
  onFrame: (frame: Frame, from: ServedSocket) => void = (frame, { send }) => {
    if (frame.resume !== undefined) send({ ready: { heartbeatMs: 30_000 } });
  },
): Promise<SocketServer> {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    handleProtocols: (offered) => (offered.has('fw.events') ? 'fw.events' : false),
  });
  const connections: ServedSocket[] = [];
  server.on('connection', (socket, request) => {
    const served: ServedSocket = {
      request,
      socket,
      frames: [],
      send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    };
    connections.push(served);
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as Frame;
      served.frames.push(frame);
      onFrame(frame, served);
    });
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    connections,
    async close() {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

type Listener = (event: object) => void;

/** A WebSocket whose events the test makes. */
export class FakeTransport {
  static made: FakeTransport[] = [];
  /** Thrown by the constructor, if it is set. */
  static fault: Error | undefined;
  static get last(): FakeTransport {
    return FakeTransport.made.at(-1) as FakeTransport;
  }

  readonly url: string;
  readonly protocols: readonly string[];
  readonly sent: Frame[] = [];
  readonly closes: unknown[][] = [];
  readonly #listeners: [type: string, listener: Listener][] = [];
  readyState = 0;

  constructor(url: string, protocols: string[]) {
    if (FakeTransport.fault !== undefined) throw FakeTransport.fault;
    this.url = url;
    this.protocols = protocols;
    FakeTransport.made.push(this);
  }

  /** The names of the events that are listened to. */
  get listened(): string[] {
    return this.#listeners.map(([type]) => type);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Frame);
  }

  close(...given: unknown[]): void {
    this.closes.push(given);
    if (this.readyState < 2) this.readyState = 2;
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.push([type, listener]);
  }

  removeEventListener(type: string, listener: Listener): void {
    const at = this.#listeners.findIndex(([known, one]) => known === type && one === listener);
    if (at !== -1) this.#listeners.splice(at, 1);
  }

  tell(type: 'open' | 'message' | 'close' | 'error', event: object = {}): void {
    if (type === 'open') this.readyState = 1;
    if (type === 'close') this.readyState = 3;
    for (const [known, listener] of [...this.#listeners]) if (known === type) listener({ type, ...event });
  }

  frame(frame: unknown): void {
    this.tell('message', { data: typeof frame === 'string' ? frame : JSON.stringify(frame) });
  }

  ready(heartbeatMs = 30_000): void {
    this.tell('open');
    this.frame({ ready: { heartbeatMs } });
  }
}
