// Tests of channels: real WebSocket servers and clients, and members of the smallest kind around their connections.
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { ChannelMember } from '../../websocket/channel-member.js';
import type { Frame, FrameBatch } from '../../websocket/frame.js';

/** A connection of a server, and how often it was written to. */
class TrialMember implements ChannelMember {
  readonly isResumable: boolean;
  writes = 0;
  readonly #socket: WebSocket;
  readonly #resume: Map<string, string>;

  constructor(socket: WebSocket, resume: Readonly<Record<string, string>> | undefined) {
    this.#socket = socket;
    this.isResumable = resume !== undefined;
    this.#resume = new Map(Object.entries(resume ?? {}));
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  sendFrame({ bytes }: Frame): boolean {
    return this.#write(bytes);
  }

  sendFrames({ bytes }: FrameBatch): boolean {
    return this.#write(bytes);
  }

  whenClosed(callback: () => void): void {
    if (this.#socket.readyState === WebSocket.CLOSED) callback();
    else this.#socket.once('close', callback);
  }

  takeResumePoint(topic: string): string | undefined {
    const id = this.#resume.get(topic);
    this.#resume.delete(topic);
    return id;
  }

  /** Listeners that were added to the connection. */
  get closeListeners(): number {
    return this.#socket.listenerCount('close');
  }

  #write(bytes: Buffer): boolean {
    if (!this.isOpen) return false;
    this.writes += 1;
    (this.#socket as unknown as { readonly _socket: Socket })._socket.write(bytes);
    return true;
  }
}

/** A client and its connection at the server. */
export interface Pair {
  readonly client: WebSocket;
  readonly member: TrialMember;
  /** Everything that the client has got: texts, and bytes as Buffers. */
  readonly got: (string | Buffer)[];
}

/** A server on a port of its own. */
export class TrialServer {
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer) {
    this.#server = server;
  }

  static async open(): Promise<TrialServer> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    return new TrialServer(server);
  }

  /** @param resume the last ids by topic, of a client that resumes. */
  async connect(resume?: Readonly<Record<string, string>>): Promise<Pair> {
    const { port } = this.#server.address() as AddressInfo;
    const accepted = once(this.#server, 'connection') as Promise<[WebSocket]>;
    const client = new WebSocket(`ws://127.0.0.1:${port}`);
    const got: (string | Buffer)[] = [];
    client.on('message', (data: Buffer, isBinary) => got.push(isBinary ? data : data.toString()));
    const [[socket]] = await Promise.all([accepted, once(client, 'open')]);
    return { client, member: new TrialMember(socket, resume), got };
  }

  async close(): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
