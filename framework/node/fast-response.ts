// Node: the ServerResponse of fw's own server, which sends head and body as one prepared write.
import { ServerResponse, STATUS_CODES } from 'node:http';
import type { FwResponse, Stamp } from '../response.js';

/**
 * What node:http does for every response (collecting fields in an object, walking it, two writes under a cork)
 * costs a tenth of a small request. The fields used here are those by which node:http itself keeps a
 * message's state; `canPrepare` guards each use, and everything unusual takes the ordinary way.
 */
interface Internals {
  _header: string | null;
  _headerSent: boolean;
  _hasBody: boolean;
  finished: boolean;
  shouldKeepAlive: boolean;
  maxRequestsOnConnectionReached?: boolean;
  readonly outputData: readonly unknown[];
  _writeRaw(data: string, encoding: BufferEncoding, callback: () => void): boolean;
  _finish(): void;
}

export class FastResponse extends ServerResponse {
  /** Fields set on the ServerResponse itself, by code that knows nothing of fw, need the ordinary way. */
  #touched = false;

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.#touched = true;
    return super.setHeader(name, value);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    this.#touched = true;
    return super.appendHeader(name, value);
  }

  /** Sends a buffered response with a prepared head; false where the ordinary way must be taken. */
  sendPrepared(response: FwResponse, keepAliveSeconds: number): boolean {
    const internals = this as unknown as Internals;
    if (
      this.#touched ||
      !internals.shouldKeepAlive ||
      internals.maxRequestsOnConnectionReached ||
      !internals._hasBody ||
      !isSupported
    ) {
      return false;
    }
    const start = response.onlyContentType === undefined ? writtenHead(response) : knownHead(response);
    if (start === undefined) return false;
    const content = response.content as string | Uint8Array;
    const length = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
    const head = `${start}Content-Length: ${length}${tail(keepAliveSeconds)}`;
    this.statusCode = response.status;
    if (typeof content === 'string') this.#write(internals, head, content, length);
    else {
      internals._header = head;
      this.end(content);
    }
    return true;
  }

  #write(internals: Internals, head: string, content: string, length: number): void {
    internals._header = head;
    internals._headerSent = true;
    internals.finished = true;
    // As many bytes as UTF-16 units: all ASCII, which is written fastest as latin1.
    internals._writeRaw(head + content, length === content.length ? 'latin1' : 'utf8', () =>
      this.emit('finish'),
    );
    const { socket } = this as unknown as { socket: { _httpMessage?: unknown } | null };
    if (internals.outputData.length === 0 && socket?._httpMessage === this) internals._finish();
  }
}

/** Bodiless statuses and fields that node:http derives its own behaviour from are left to it. */
function writtenHead(response: FwResponse): string | undefined {
  const { status, headers } = response;
  if (isBodiless(status) || headers.framesItself) return undefined;
  headers.delete('Content-Length');
  let head = statusLine(status) + headers.toHead();
  for (const [name, value] of response.stamps) if (!headers.has(name)) head += `${name}: ${value}\r\n`;
  return isAscii(head) ? head : undefined;
}

/** Heads that hold nothing but a content type and the App's stamps are made once. */
function knownHead({ status, stamps, onlyContentType: type }: FwResponse): string | undefined {
  let byType = heads.get(stamps);
  if (byType === undefined) {
    byType = new Map();
    heads.set(stamps, byType);
  }
  const key = type as string;
  let byStatus = byType.get(key);
  if (byStatus === undefined) {
    byStatus = [];
    byType.set(key, byStatus);
  }
  let head = byStatus[status];
  if (head === undefined) {
    if (isBodiless(status)) return undefined;
    head = makeHead(status, key, stamps);
    byStatus[status] = head;
  }
  return head;
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

const heads = new WeakMap<readonly Stamp[], Map<string, (string | undefined)[]>>();

function makeHead(status: number, type: string, stamps: readonly Stamp[]): string {
  const fields = stamps.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${statusLine(status)}Content-Type: ${type}\r\n${fields}`;
}

function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

let tailText = '';
let tailSecond = 0;
let tailKeepAlive = -1;

/** The end of every head, made once a second: RFC 9110, section 6.6.1 wants a Date. */
function tail(keepAliveSeconds: number): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== tailSecond || keepAliveSeconds !== tailKeepAlive) {
    tailSecond = second;
    tailKeepAlive = keepAliveSeconds;
    const keepAlive = keepAliveSeconds > 0 ? `Keep-Alive: timeout=${keepAliveSeconds}\r\n` : '';
    tailText = `\r\nDate: ${new Date(second * 1000).toUTCString()}\r\nConnection: keep-alive\r\n${keepAlive}\r\n`;
  }
  return tailText;
}

/** Holds on every Node that has these members; another one answers correctly all the same, only slower. */
const isSupported: boolean = ['_writeRaw', '_finish'].every((name) => name in ServerResponse.prototype);
