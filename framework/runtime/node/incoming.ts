// Node: an IncomingMessage as a RequestSource, without creating a web Request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bodyTooLarge } from '../../http/body-limit.js';
import { asFwError, type FwError } from '../../http/errors.js';
import { listsToken } from '../../http/field-list.js';
import type { PeerAddress, RequestSource } from '../../http/request-source.js';
import { codingFault, hostFault } from '../../http/request-target.js';
import { clientLeft, shared } from '../../http/shared-signal.js';
import { BodyCollector } from './body-collector.js';
import { clientGone, stoppedComing } from './body-errors.js';
import type { BodyMessage } from './body-message.js';
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

  /** @param idleBodies given by fw's own server; other servers have their own timeouts. */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, idleBodies?: IdleBodies) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#idleBodies = idleBodies;
    this.method = incoming.method as string;
    // HTTP/2 has a pseudo-field instead (RFC 9113, section 8.3.1).
    const host = incoming.headers.host ?? authorityOf(incoming);
    this.#authority = host;
    let refused = checkHost(host, incoming.httpVersion);
    const url = incoming.url as string;
    // Stryker disable next-line ConditionalExpression,LogicalOperator: a target that is not in absolute form is returned unchanged
    if (url.charCodeAt(0) === 47 || url === '*') this.target = url;
    else {
      this.target = this.#fromAbsolute(url);
      refused ??= checkHost(this.#authority, incoming.httpVersion);
    }
    const coding = incoming.headers['transfer-encoding'];
    this.refused = refused ?? (coding === undefined ? undefined : codingFault(coding));
  }

  get origin(): string {
    const scheme = (this.#incoming.socket as Socket & { encrypted?: boolean }).encrypted ? 'https' : 'http';
    const isUsable = this.#authority && this.refused === undefined;
    return `${scheme}://${isUsable ? this.#authority : 'localhost'}`;
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
        // If the client leaves, the compatibility response of HTTP/2 is finished, but was not ended.
        if (!outgoing.writableFinished || !outgoing.writableEnded) controller.abort(clientLeft());
      };
      if (outgoing.destroyed || outgoing.writableFinished) abort();
      else outgoing.once('close', abort);
      shared(controller.signal);
      this.#controller = controller;
    }
    return this.#controller.signal;
  }

  whenOver(callback: () => void): () => void {
    const outgoing = this.#outgoing;
    if (outgoing.destroyed || outgoing.writableFinished) {
      callback();
      return () => {};
    }
    outgoing.once('close', callback);
    return () => outgoing.off('close', callback);
  }

  /** Aborts `signal` when the server ends a response early. */
  abort(reason: Error): void {
    void this.signal;
    this.#controller?.abort(reason);
  }

  header(lowerName: string): string | undefined {
    const value: unknown = this.#incoming.headers[lowerName];
    if (typeof value === 'string') return value;
    // Only `set-cookie` is an array; any other value is a member of Object.prototype.
    return Array.isArray(value) ? value.join(', ') : undefined;
  }

  isRepeated(lowerName: string): boolean {
    const { rawHeaders } = this.#incoming;
    let count = 0;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const name = rawHeaders[i] as string;
      if (name.length === lowerName.length && name.toLowerCase() === lowerName) count += 1;
    }
    return count > 1;
  }

  headers(): Record<string, string> {
    const headers: Record<string, string> = Object.create(null);
    for (const name of Object.keys(this.#incoming.headers)) {
      // The pseudo-fields of HTTP/2 are not header fields (RFC 9113, section 8.3).
      if (!name.startsWith(':')) headers[name] = this.header(name) as string;
    }
    return headers;
  }

  readBody(maxBytes: number = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
    const incoming = this.#incoming;
    if (incoming.readableEnded || hasBrokenOff(incoming)) {
      return Promise.reject(incoming.readableEnded ? readElsewhere() : clientGone());
    }
    this.isBodyBegun = true;
    this.#askForBody();
    if (isCollectable(incoming)) return new BodyCollector(this, incoming, maxBytes, this.#idleBodies).bytes;
    if (incoming.destroyed) return withinLimit(arrivedChunks(incoming), maxBytes);
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
      const wait = this.#idleBodies?.wait(() => give(stoppedComing(this.#idleBodies as IdleBodies)));
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

  get hasBody(): boolean {
    const { headers } = this.#incoming;
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return true;
    // A body of HTTP/2 needs neither field (RFC 9113, section 8.1).
    const { stream } = this.#incoming as IncomingMessage & { stream?: { endAfterHeaders?: boolean } };
    return stream?.endAfterHeaders === false;
  }

  abandonBody(): void {
    // The response then has `Connection: close`, and the socket is closed after it, with the unread bytes.
    this.#outgoing.shouldKeepAlive = false;
  }

  openBody(): ReadableStream<Uint8Array> {
    if (this.#incoming.readableEnded) throw readElsewhere();
    return ReadableStream.from(this.#unread());
  }

  /** The chunks of a body; if it breaks off, that is the client's error, however the body is read. */
  async *#unread(): AsyncGenerator<Uint8Array> {
    if (this.#incoming.destroyed && this.#incoming.complete) {
      this.isBodyBegun = true;
      yield* arrivedChunks(this.#incoming);
      return;
    }
    // Destroying the request would destroy the connection, and with it the response.
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

  /** Sends 100 (Continue) to a client that waits for it (`Expect: 100-continue`); other servers have done so. */
  #askForBody(): void {
    const { headers } = this.#incoming;
    const outgoing = this.#outgoing;
    if (this.#idleBodies === undefined || headers.expect === undefined) return;
    if (outgoing.headersSent || this.#incoming.destroyed) return;
    if (headers.expect.toLowerCase() !== '100-continue' || this.#incoming.httpVersion === '1.0') return;
    outgoing.writeContinue();
    outgoing.shouldKeepAlive = !listsToken(headers.connection, 'close');
  }

  /** Waits for a chunk, subject to the idle timeout. */
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
      throw asFwError(error) ?? clientGone(error);
    } finally {
      wait?.end();
    }
  }

  /** RFC 9112, section 3.2.2: servers accept the absolute form; its authority replaces the Host field. */
  #fromAbsolute(url: string): string {
    const found = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url);
    if (!found) return url;
    const [, authority, rest = ''] = found;
    this.#authority = authority;
    return rest.startsWith('/') ? rest : `/${rest}`;
  }
}

function authorityOf({ headers }: IncomingMessage): string | undefined {
  const authority = headers[':authority'];
  return typeof authority === 'string' ? authority : undefined;
}

function checkHost(host: string | undefined, httpVersion: string): string | undefined {
  if (host === undefined) return httpVersion === '1.1' ? 'the Host header is missing' : undefined;
  return hostFault(host);
}

/** Not by `instanceof`: the class loads node:http, which importing fw must not, as `toNodeHandler` is part of it. */
function isCollectable(incoming: IncomingMessage): incoming is BodyMessage {
  return (incoming as Partial<BodyMessage>).isCollectable === true;
}

/** Whether the client has left before the whole body was here. */
function hasBrokenOff(incoming: IncomingMessage): boolean {
  return incoming.destroyed && !incoming.complete;
}

/** The unread body of a client that has left after it had sent everything. */
function arrivedChunks(incoming: IncomingMessage): Buffer[] {
  const chunks: Buffer[] = [];
  if (isCollectable(incoming)) {
    incoming.collect({ bodyChunk: (chunk) => void chunks.push(chunk), bodyEnded() {}, bodyFailed() {} });
    return chunks;
  }
  for (let chunk = incoming.read(); chunk !== null; chunk = incoming.read()) chunks.push(chunk);
  return chunks;
}

async function withinLimit(chunks: readonly Buffer[], maxBytes: number): Promise<Uint8Array> {
  const bytes = Buffer.concat(chunks);
  if (bytes.length > maxBytes) throw bodyTooLarge(maxBytes);
  return bytes;
}

function readElsewhere(): Error {
  return new Error(
    'the request body was already read by middleware outside of fw; mount fw before that middleware',
  );
}
