// The last requests of the app as they were. Nothing is masked here, and nothing leaves this process as it is.
import type { RawMessages, RawRecord } from '../../process/records.js';
import { KeptMessages } from './kept-messages.js';

const MOST_RECORDS = 1000;
/** So long before an error, a request may have begun what failed, in milliseconds. */
const BEFORE = 5000;
const MOST_BYTES = 48 * 1024 * 1024;

export interface StoredRequest {
  readonly id: number;
  readonly raw: RawRecord;
  /** Of a WebSocket or an event stream. */
  readonly messages?: KeptMessages;
}

interface Entry extends StoredRequest {
  raw: RawRecord;
  messages?: KeptMessages;
  bytes: number;
  readonly key: string;
}

export class RecordStore {
  readonly #byId = new Map<number, Entry>();
  readonly #byKey = new Map<string, Entry>();
  /** The numbers of those of the frontend, the oldest first: they are forgotten before any of the app. */
  readonly #ofFrontend = new Set<number>();
  readonly #orders = new Map<number, (request: StoredRequest) => void>();
  readonly #pages = new Map<string, (request: StoredRequest) => void>();
  readonly #mostBytes: number;
  #count = 0;
  #bytes = 0;

  constructor(most: number = MOST_BYTES) {
    this.#mostBytes = most;
  }

  /** The oldest first. */
  get all(): Iterable<StoredRequest> {
    return this.#byId.values();
  }

  get(id: number): StoredRequest | undefined {
    return this.#byId.get(id);
  }

  /** The request or the job of that number of a worker. */
  find(worker: string, seq: number): StoredRequest | undefined {
    return this.#byKey.get(`${worker}:${seq}`);
  }

  /** The last request of the app that began in the seconds before that time, in milliseconds since 1970. */
  lastBefore(time: number): StoredRequest | undefined {
    return [...this.#byId.values()].findLast(
      ({ raw }) => !raw.isOfFrontend && raw.began <= time && raw.began > time - BEFORE,
    );
  }

  /** Keeps the records of one worker; returns them with their numbers. */
  take(worker: string, records: readonly RawRecord[]): StoredRequest[] {
    return records.map((raw) => this.#put(`${worker}:${raw.seq}`, raw));
  }

  /** Keeps messages of requests that are known; returns these requests. */
  takeMessages(worker: string, logs: readonly RawMessages[]): StoredRequest[] {
    return logs.flatMap((log) => {
      const entry = this.#byKey.get(`${worker}:${log.seq}`);
      if (entry === undefined) return [];
      entry.messages ??= new KeptMessages();
      entry.messages.add(log);
      return [this.#put(entry.key, entry.raw)];
    });
  }

  /** A worker has ended: what it had not answered, it never will. Returns what changed. */
  gone(worker: string): StoredRequest[] {
    const own = [...this.#byId.values()].filter(({ key }) => key.startsWith(`${worker}:`));
    const open = own.filter(({ raw, messages }) => raw.state === 'pending' || isOpen(raw, messages));
    return open.map(({ key, raw, messages }) => {
      if (messages !== undefined && isOpen(raw, messages)) messages.end = 'gone';
      return this.#put(key, raw.state === 'pending' ? { ...raw, state: 'aborted' } : raw);
    });
  }

  clear(): void {
    this.#byId.clear();
    this.#byKey.clear();
    this.#ofFrontend.clear();
    this.#bytes = 0;
  }

  /** Resolves when the request of that order was answered, or broke off; undefined when the signal aborts. */
  whenAnswered(order: number, signal: AbortSignal): Promise<StoredRequest | undefined> {
    return new Promise((settle) => {
      const end = (request?: StoredRequest): void => {
        this.#orders.delete(order);
        signal.removeEventListener('abort', leave);
        settle(request);
      };
      const leave = (): void => end();
      if (signal.aborted) return end();
      signal.addEventListener('abort', leave);
      this.#orders.set(order, end);
    });
  }

  /** Resolves when the request that an error page shows was answered; undefined when the signal aborts. */
  whenPage(page: string, signal: AbortSignal): Promise<StoredRequest | undefined> {
    const known = [...this.#byId.values()].find(({ raw }) => raw.page === page && raw.state !== 'pending');
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((settle) => {
      const end = (request?: StoredRequest): void => {
        this.#pages.delete(page);
        signal.removeEventListener('abort', leave);
        settle(request);
      };
      const leave = (): void => end();
      if (signal.aborted) return end();
      signal.addEventListener('abort', leave);
      this.#pages.set(page, end);
    });
  }

  #put(key: string, raw: RawRecord): Entry {
    const known = this.#byKey.get(key);
    const bytes = sizeOf(raw) + (known?.messages?.bytes ?? 0);
    const entry = known ?? { id: ++this.#count, key, raw, bytes: 0 };
    this.#bytes += bytes - entry.bytes;
    entry.raw = raw;
    entry.bytes = bytes;
    this.#byId.set(entry.id, entry);
    this.#byKey.set(key, entry);
    if (raw.isOfFrontend) this.#ofFrontend.add(entry.id);
    this.#forgetOldest();
    if (raw.page !== undefined && raw.state !== 'pending') this.#pages.get(raw.page)?.(entry);
    if (raw.order !== undefined && raw.state !== 'pending') this.#orders.get(raw.order)?.(entry);
    return entry;
  }

  #forgetOldest(): void {
    while (this.#byId.size > MOST_RECORDS || this.#bytes > this.#mostBytes) {
      const [id] = this.#ofFrontend.size > 0 ? this.#ofFrontend : this.#byId.keys();
      const entry = id === undefined ? undefined : this.#byId.get(id);
      if (entry === undefined) return;
      this.#ofFrontend.delete(entry.id);
      this.#byId.delete(entry.id);
      this.#byKey.delete(entry.key);
      this.#bytes -= entry.bytes;
    }
  }
}

function isOpen(raw: RawRecord, messages: KeptMessages | undefined): boolean {
  return raw.isWebSocket && messages !== undefined && messages.end === undefined;
}

/** About as much as the record takes; every entry has a share of its own. */
function sizeOf(raw: RawRecord): number {
  const bodies = (raw.requestBody?.data.length ?? 0) + (raw.responseBody?.data.length ?? 0);
  const fields = [...raw.requestHeaders, ...raw.responseHeaders];
  const texts = [...raw.steps.map(({ name }) => name), ...raw.log.map(({ message }) => message)];
  const sum = fields.reduce((all, [name, value]) => all + name.length + value.length, 0);
  return 1000 + bodies + sum + texts.reduce((all, text) => all + text.length + 200, 0);
}
