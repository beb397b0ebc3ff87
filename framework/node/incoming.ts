// Node: an IncomingMessage as the core's RequestSource, without making a web Request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bodyTooLarge } from '../body-limit.js';
import { FwError } from '../errors.js';
import { listsToken } from '../field-list.js';
import type { PeerAddress, RequestSource } from '../request-source.js';
import type { BodyWait, IdleBodies } from './idle-bodies.js';
import type { BodyProgress } from './unread-body.js';

export class NodeRequestSource implements RequestSource, BodyProgress {
  readonly method: string;
  readonly target: string;
  readonly refused: string | undefined;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #authority: string | undefined;
  #controller: AbortController | undefined = undefined;
  readonly #idleBodies: IdleBodies | undefined;
  isBodyBegun = false;
  bodyChunks = 0;

  /** @param idleBodies where the server is fw's own: others have their own times. */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, idleBodies?: IdleBodies) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#idleBodies = idleBodies;
    this.method = incoming.method as string;
    const { host } = incoming.headers;
    this.#authority = host;
    let refused = host === lastGoodHost ? undefined : checkHost(host, incoming.httpVersion);
    const url = incoming.url as string;
    if (url.charCodeAt(0) === 47 || url === '*') this.target = url;
    else {
      this.target = this.#fromAbsolute(url);
      refused ??= checkHost(this.#authority, incoming.httpVersion);
    }
    this.refused = refused;
  }

  get origin(): string {
    const scheme = (this.#incoming.socket as Socket & { encrypted?: boolean }).encrypted ? 'https' : 'http';
    const origin = `${scheme}://${this.#authority}`;
    // RFC 3986 allows names and ports that no URL has, such as `a%zz` and `a:99999`.
    const isUsable = this.#authority && this.refused === undefined && URL.canParse(origin);
    return isUsable ? origin : `${scheme}://localhost`;
  }

  get peer(): PeerAddress | undefined {
    const { remoteAddress, remotePort } = this.#incoming.socket;
    return remoteAddress === undefined || remotePort === undefined
      ? undefined
      : { address: remoteAddress, port: remotePort };
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      const outgoing = this.#outgoing;
      const abort = () => {
        if (!outgoing.writableFinished) controller.abort(new Error('the client closed the connection'));
      };
      if (outgoing.destroyed) abort();
      else outgoing.once('close', abort);
      this.#controller = controller;
    }
    return this.#controller.signal;
  }

  /** Aborts `signal`, for an answer that the server itself ends before its time. */
  abort(reason: Error): void {
    void this.signal;
    this.#controller?.abort(reason);
  }

  header(lowerName: string): string | undefined {
    const value: unknown = this.#incoming.headers[lowerName];
    if (typeof value === 'string') return value;
    // `set-cookie` alone comes as a list; anything else is a name of Object.prototype.
    return Array.isArray(value) ? value.join(', ') : undefined;
  }

  headers(): Record<string, string> {
    const headers: Record<string, string> = Object.create(null);
    for (const name of Object.keys(this.#incoming.headers)) headers[name] = this.header(name) as string;
    return headers;
  }

  readBody(maxBytes: number = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
    const incoming = this.#incoming;
    if (incoming.readableEnded || incoming.destroyed) {
      return Promise.reject(incoming.readableEnded ? readElsewhere() : clientGone());
    }
    this.isBodyBegun = true;
    this.#askForBody();
    return new Promise((resolve, reject) => {
      let chunks: Buffer[] = [];
      let size = 0;
      const give = (refuse: FwError): void => {
        chunks = [];
        wait?.end();
        incoming.off('data', collect).pause();
        this.abandonBody();
        reject(refuse);
      };
      const wait = this.#idleBodies?.wait(() => give(stoppedComing(this.#idleBodies)));
      const collect = (chunk: Buffer): void => {
        size += chunk.length;
        this.bodyChunks += 1;
        wait?.touch();
        if (size <= maxBytes) chunks.push(chunk);
        else give(bodyTooLarge(maxBytes));
      };
      incoming.on('data', collect);
      incoming.on('end', () => {
        wait?.end();
        resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
      });
      incoming.on('error', (cause) => {
        wait?.end();
        reject(clientGone(cause));
      });
    });
  }

  abandonBody(): void {
    // The answer then says `Connection: close`, and the socket ends behind it, unread bytes and all.
    this.#outgoing.shouldKeepAlive = false;
  }

  openBody(): ReadableStream<Uint8Array> {
    if (this.#incoming.readableEnded) throw readElsewhere();
    return ReadableStream.from(this.#unread());
  }

  /** The chunks of a body; one that breaks off is the client's fault, however it is read. */
  async *#unread(): AsyncGenerator<Uint8Array> {
    // A destroyed request would take the connection along, and with it the answer.
    const chunks = this.#incoming.iterator({ destroyOnReturn: false });
    this.isBodyBegun = true;
    this.#askForBody();
    try {
      while (true) {
        const { done, value } = await this.#inTime(chunks.next());
        if (done) return;
        this.bodyChunks += 1;
        yield value;
      }
    } finally {
      if (!this.#incoming.readableEnded) {
        this.#incoming.pause();
        this.abandonBody();
      }
    }
  }

  /** Tells a client that waits for it (`Expect: 100-continue`) to send the body; other servers have done so. */
  #askForBody(): void {
    const { headers } = this.#incoming;
    const outgoing = this.#outgoing;
    if (this.#idleBodies === undefined || headers.expect === undefined || outgoing.headersSent) return;
    if (headers.expect.toLowerCase() !== '100-continue' || this.#incoming.httpVersion === '1.0') return;
    outgoing.writeContinue();
    outgoing.shouldKeepAlive = !listsToken(headers.connection, 'close');
  }

  /** Waits for a chunk, as long as the reader wants one. */
  async #inTime<T>(chunk: Promise<T>): Promise<T> {
    const idleBodies = this.#idleBodies;
    let wait: BodyWait | undefined;
    try {
      if (idleBodies === undefined) return await chunk;
      const idle = new Promise<never>((_resolve, reject) => {
        wait = idleBodies.wait(() => reject(stoppedComing(idleBodies)));
      });
      return await Promise.race([chunk, idle]);
    } catch (error) {
      throw error instanceof FwError ? error : clientGone(error);
    } finally {
      wait?.end();
    }
  }

  /** RFC 9112, section 3.2.2: a server accepts the absolute form; its authority replaces the Host field. */
  #fromAbsolute(url: string): string {
    const found = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url);
    if (!found) return url;
    const [, authority, rest = ''] = found;
    this.#authority = authority;
    return rest.startsWith('/') ? rest : `/${rest}`;
  }
}

/** Nearly every request of a server names the same host: it is checked when it changes. */
let lastGoodHost: string | undefined = '';

// RFC 9112, section 3.2 and RFC 3986, section 3.2.2: host and optional port; several Host fields arrive joined by ','. Only IPv6 stands in brackets.
const HOST = /^(?:[A-Za-z0-9\-._~!$&'()*+;=%]+|\[(?=[0-9A-Fa-f.]*:)[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

function checkHost(host: string | undefined, httpVersion: string): string | undefined {
  if (host === undefined) return httpVersion === '1.1' ? 'the Host header is missing' : undefined;
  if (host !== '' && !HOST.test(host)) return 'the Host header is malformed';
  lastGoodHost = host;
  return undefined;
}

function clientGone(cause?: unknown): FwError {
  return FwError.badRequest('the client closed the connection before the body was complete', { cause });
}

function stoppedComing(idleBodies: IdleBodies | undefined): FwError {
  return FwError.requestTimeout(`no byte of the request body came for ${idleBodies?.idleMs} ms`);
}

function readElsewhere(): Error {
  return new Error('the request body was already read, by a middleware outside of fw; mount fw before it');
}
