// Interop: the `req` that an adapted Connect middleware sees, made from a Context on every runtime.
import { EventEmitter } from 'node:events';
import type { Context } from '../context.js';

/** The part of a socket that middleware asks for. */
export class ConnectSocket extends EventEmitter {
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly encrypted: boolean;
  readonly readable = true;
  readonly writable = true;
  destroyed = false;

  constructor(ctx: Context) {
    super();
    this.setMaxListeners(0);
    const peer = ctx.peerAddr();
    this.remoteAddress = peer?.address;
    this.remotePort = peer?.port;
    this.encrypted = ctx.req.uri.protocol === 'https:';
  }
}

/**
 * Method, target, header fields and addresses of a request, and room for what middleware leaves for the next one.
 * Its body is not there: the handler reads it, once.
 */
export class ConnectRequest extends EventEmitter {
  readonly method: string;
  /** Path and query as sent. Middleware cannot send the request elsewhere by changing it. */
  readonly url: string;
  readonly originalUrl: string;
  readonly headers: Record<string, string>;
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly socket: ConnectSocket;
  readonly connection: ConnectSocket;
  readonly complete = false;
  aborted = false;
  readonly #ctx: Context;

  constructor(ctx: Context) {
    super();
    this.#ctx = ctx;
    this.method = ctx.req.method;
    this.url = ctx.req.target;
    this.originalUrl = this.url;
    this.headers = ctx.req.headers();
    this.socket = new ConnectSocket(ctx);
    this.connection = this.socket;
    // Each adapted middleware adds its own.
    this.setMaxListeners(0);
    this.on('newListener', (event) => {
      if (event === 'data' || event === 'readable') throw unreadable(`req.on('${event}')`);
    });
  }

  get rawHeaders(): string[] {
    return Object.entries(this.headers).flat();
  }

  /** The client's address as `ctx.clientIp()` knows it. */
  get ip(): string | undefined {
    return this.#ctx.clientIp();
  }

  /** The client left before it had its answer. @internal */
  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.socket.destroyed = true;
    for (const emitter of [this, this.socket]) emitter.emit('close');
  }

  pipe(): never {
    throw unreadable('req.pipe()');
  }

  read(): never {
    throw unreadable('req.read()');
  }

  [Symbol.asyncIterator](): never {
    throw unreadable('an iteration of req');
  }
}

const requests = new WeakMap<Context, ConnectRequest>();

/** The one `req` of a request, so that adapted middleware finds on it what others left there. */
export function connectRequest(ctx: Context): ConnectRequest {
  const known = requests.get(ctx) ?? new ConnectRequest(ctx);
  requests.set(ctx, known);
  return known;
}

function unreadable(what: string): Error {
  return new Error(
    `${what} is not there under fromConnect(): adapted middleware cannot read the body; read it by ctx.req`,
  );
}
