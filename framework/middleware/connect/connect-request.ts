// Interop: the `req` of adapted Connect middleware, made from a Context on every runtime.
import type { Context } from '../../context/context.js';
import { reportFor } from '../../dispatch/error-response.js';
import { ConnectEmitter } from './connect-emitter.js';

/** The members of a socket that middleware uses. */
export class ConnectSocket extends ConnectEmitter {
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly encrypted: boolean;
  readonly readable = true;
  readonly writable = true;
  destroyed = false;

  constructor(ctx: Context, report: (error: unknown) => void) {
    super(report);
    this.setMaxListeners(0);
    const peer = ctx.peerAddr();
    this.remoteAddress = peer?.address;
    this.remotePort = peer?.port;
    this.encrypted = ctx.req.uri.protocol === 'https:';
  }
}

/**
 * Method, target, header fields and addresses of a request; middleware may store values on it for other middleware.
 * It does not have the body, which the handler reads.
 */
export class ConnectRequest extends ConnectEmitter {
  readonly method: string;
  /** Path and query as sent. Changing it does not reroute the request. */
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
  /** What nobody can catch. @internal */
  readonly report: (error: unknown) => void;
  readonly #ctx: Context;

  constructor(ctx: Context) {
    const report = (error: unknown): void => reportFor(ctx, error, 500);
    super(report);
    this.report = report;
    this.#ctx = ctx;
    this.method = ctx.req.method;
    this.url = ctx.req.target;
    this.originalUrl = this.url;
    this.headers = ctx.req.headers();
    this.socket = new ConnectSocket(ctx, report);
    this.connection = this.socket;
    // Each adapted middleware adds its own listeners.
    this.setMaxListeners(0);
    this.on('newListener', (event) => {
      if (event === 'data' || event === 'readable') throw unreadable(`req.on('${event}')`);
    });
  }

  get rawHeaders(): string[] {
    return Object.entries(this.headers).flat();
  }

  /** The client's address, the same as `ctx.clientIp()`. */
  get ip(): string | undefined {
    return this.#ctx.clientIp();
  }

  /** Called when the client has disconnected before the response was complete. @internal */
  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.socket.destroyed = true;
    this.notify('aborted');
    for (const emitter of [this, this.socket]) emitter.notify('close');
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

/** The `req` of a request: the same for all adapted middleware, so that they can share values on it. */
export function connectRequest(ctx: Context): ConnectRequest {
  const known = requests.get(ctx) ?? new ConnectRequest(ctx);
  requests.set(ctx, known);
  return known;
}

function unreadable(what: string): Error {
  return new Error(
    `${what} is not available under fromConnect(): adapted middleware cannot read the body; read it with ctx.req`,
  );
}
