// Node: the ServerResponse of fw's own server, which sends head and body in one write.
import { ServerResponse, STATUS_CODES } from 'node:http';
import { type DefaultHeader, type FwResponse, isBodiless } from '../../http/response.js';

/**
 * What node:http does for every response (collecting fields in an object, iterating over it, two corked writes)
 * costs a tenth of the time of a small request. This class uses internal members of node:http that hold the state
 * of a message; `canPrepare` checks that they exist, and everything unusual is sent by node:http itself.
 */
interface Internals {
  _header: string | null;
  _headerSent: boolean;
  _hasBody: boolean;
  finished: boolean;
  shouldKeepAlive: boolean;
  maxRequestsOnConnectionReached?: boolean;
  readonly outputData: readonly unknown[];
  _writeRaw(data: string | Buffer, encoding: BufferEncoding, callback: () => void): boolean;
  _finish(): void;
}

export class FastResponse extends ServerResponse {
  /** Fields that other code has set on the ServerResponse are sent only by node:http itself. */
  #touched = false;

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.#touched = true;
    return super.setHeader(name, value);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    this.#touched = true;
    return super.appendHeader(name, value);
  }

  /** Sends a buffered response with a prepared head; false if node:http must send it. */
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
    // Stryker disable next-line ConditionalExpression: a cached head has the same text
    const start = response.onlyContentType === undefined ? writtenHead(response) : knownHead(response);
    if (start === undefined) return false;
    const { content } = response;
    const length = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
    const head = `${start}Content-Length: ${length}${tail(keepAliveSeconds)}`;
    this.statusCode = response.status;
    // As many bytes as UTF-16 units means ASCII only, which is written fastest as latin1.
    if (typeof content === 'string') this.#write(internals, head, head + content, length === content.length);
    else if (length <= MOST_JOINED) this.#write(internals, head, joined(head, content), true);
    else {
      internals._header = head;
      this.end(content);
    }
    return true;
  }

  #write(internals: Internals, head: string, message: string | Buffer, isLatin1: boolean): void {
    internals._header = head;
    internals._headerSent = true;
    internals.finished = true;
    internals._writeRaw(message, isLatin1 ? 'latin1' : 'utf8', () => this.emit('finish'));
    const { socket } = this as unknown as { socket: { _httpMessage?: unknown } | null };
    if (internals.outputData.length === 0 && socket?._httpMessage === this) internals._finish();
  }
}

/** Bytes that are copied behind their head, because one small write takes less time than two that are gathered. */
const MOST_JOINED = 3_072;

function joined(head: string, content: Uint8Array): Buffer {
  const message = Buffer.allocUnsafe(head.length + content.byteLength);
  message.write(head, 0, 'latin1');
  message.set(content, head.length);
  return message;
}

/** False for bodiless statuses and for fields that node:http acts on: it sends these itself. */
function writtenHead(response: FwResponse): string | undefined {
  const { status, headers } = response;
  if (isBodiless(status) || headers.framesItself) return undefined;
  headers.delete('Content-Length');
  let head = statusLine(status) + headers.toHead();
  for (const [name, value] of response.defaultHeaders) head += `${name}: ${value}\r\n`;
  return isAscii(head) ? head : undefined;
}

/** Heads with only a content type and the App's default fields are cached. */
function knownHead({ status, defaultHeaders, onlyContentType: type }: FwResponse): string | undefined {
  let byType = heads.get(defaultHeaders);
  // Stryker disable next-line ConditionalExpression: without the cache, the same text is made every time
  if (byType === undefined) {
    byType = new Map();
    heads.set(defaultHeaders, byType);
  }
  const key = type as string;
  let byStatus = byType.get(key);
  // Stryker disable next-line ConditionalExpression: without the cache, the same text is made every time
  if (byStatus === undefined) {
    byStatus = [];
    byType.set(key, byStatus);
  }
  let head = byStatus[status];
  // Stryker disable next-line ConditionalExpression: without the cache, the same text is made every time
  if (head === undefined) {
    if (isBodiless(status)) return undefined;
    head = makeHead(status, key, defaultHeaders);
    byStatus[status] = head;
  }
  return head;
}

const heads = new WeakMap<readonly DefaultHeader[], Map<string, (string | undefined)[]>>();

function makeHead(status: number, type: string, defaults: readonly DefaultHeader[]): string {
  const fields = defaults.map(([name, value]) => `${name}: ${value}\r\n`).join('');
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

/** The end of every head, made once per second because of the Date (RFC 9110, section 6.6.1). */
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

/** True if Node has these members; otherwise node:http sends every response, which is only slower. */
const isSupported: boolean = ['_writeRaw', '_finish'].every((name) => name in ServerResponse.prototype);
