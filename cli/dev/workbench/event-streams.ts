// The open event streams of the page about the app, or of the pages of the app that ask for the live script; and
// whether requests are recorded, which depends on them.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** A page that has not read this many bytes is cut off: it connects again and loads its lists anew. */
const MOST_BACKLOG = 1024 * 1024;
const MOST_STREAMS = 100;
/** Milliseconds between two comments, which show that the client is still there. */
const HEARTBEAT = 15_000;

export class EventStreams {
  readonly #open = new Set<ServerResponse>();
  readonly #onCount: (count: number) => void;
  /** Of this run of `fw dev`: pages that a former run has answered see another one. */
  readonly #run = randomUUID();
  #timer: NodeJS.Timeout | undefined;

  /** @param onCount called when a stream was opened or closed */
  constructor(onCount: (count: number) => void = () => {}) {
    this.#onCount = onCount;
  }

  get isFull(): boolean {
    return this.#open.size >= MOST_STREAMS;
  }

  /** Opens a stream with its first event. The header fields of the response are set. */
  add(response: ServerResponse, event: string, data: unknown): void {
    response.socket?.setTimeout(0);
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    response.writeHead(200);
    this.#open.add(response);
    response.once('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0) clearInterval(this.#timer);
      this.#onCount(this.#open.size);
    });
    if (this.#open.size === 1) {
      this.#timer = setInterval(() => this.#write(':\n\n'), HEARTBEAT);
      this.#timer.unref();
    }
    this.#onCount(this.#open.size);
    response.write(`retry: 300\nid: ${this.#run}\n\n${textOf(event, data)}`);
  }

  send(event: string, data: unknown): void {
    if (this.#open.size > 0) this.#write(textOf(event, data));
  }

  close(): void {
    clearInterval(this.#timer);
    for (const response of this.#open) response.end();
  }

  #write(text: string): void {
    for (const response of this.#open) {
      if (response.destroyed) continue;
      if (response.writableLength > MOST_BACKLOG) response.destroy();
      else response.write(text);
    }
  }
}

/** JSON has no line breaks that an event could not have. */
function textOf(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** How long recording goes on after the last page left, in milliseconds: a reload must not lose requests. */
const GRACE = 30_000;

/** Whether requests are recorded, by how many pages are open. */
export class RecordingSwitch {
  readonly #onChange: (isOn: boolean) => void;
  readonly #grace: number;
  #timer: NodeJS.Timeout | undefined;
  #pages = 0;
  /** Somebody looks without a page until then, in milliseconds since 1970. */
  #until = 0;
  /** Milliseconds since 1970; undefined while nothing is recorded. */
  #since: number | undefined;

  constructor(onChange: (isOn: boolean) => void, graceMs: number = GRACE) {
    this.#onChange = onChange;
    this.#grace = graceMs;
  }

  get isOn(): boolean {
    return this.#since !== undefined;
  }

  /** Since when requests are recorded. */
  get since(): number {
    return this.#since ?? Date.now();
  }

  /** The number of pages that are open. */
  pages(count: number): void {
    this.#pages = count;
    if (count > 0) this.#begin();
    else this.#endLater();
  }

  /** For who looks without a page, for as long. */
  touch(ms: number = this.#grace): void {
    this.#until = Math.max(this.#until, Date.now() + ms);
    this.#begin();
    if (this.#pages === 0) this.#endLater();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    if (this.#since !== undefined) return;
    this.#since = Date.now();
    this.#onChange(true);
  }

  #endLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#since = undefined;
        this.#onChange(false);
      },
      Math.max(this.#grace, this.#until - Date.now()),
    );
    this.#timer.unref();
  }
}
