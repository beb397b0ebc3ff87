// The last requests of the app as they were. Nothing is masked here, and nothing leaves this process as it is.
import type { RawRecord } from '../../process/records.js';

const MOST_RECORDS = 1000;
const MOST_BYTES = 48 * 1024 * 1024;

export interface StoredRequest {
  readonly id: number;
  readonly raw: RawRecord;
}

interface Entry extends StoredRequest {
  raw: RawRecord;
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

  /** Keeps the records of one worker; returns them with their numbers. */
  take(worker: string, records: readonly RawRecord[]): StoredRequest[] {
    return records.map((raw) => this.#put(`${worker}:${raw.seq}`, raw));
  }

  /** A worker has ended: what it had not answered, it never will. Returns what changed. */
  gone(worker: string): StoredRequest[] {
    const open = [...this.#byId.values()].filter(
      ({ key, raw }) => raw.state === 'pending' && key.startsWith(`${worker}:`),
    );
    return open.map(({ key, raw }) => this.#put(key, { ...raw, state: 'aborted' }));
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
    const bytes = sizeOf(raw);
    const known = this.#byKey.get(key);
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

/** About as much as the record takes; every entry has a share of its own. */
function sizeOf(raw: RawRecord): number {
  const bodies = (raw.requestBody?.data.length ?? 0) + (raw.responseBody?.data.length ?? 0);
  const fields = [...raw.requestHeaders, ...raw.responseHeaders];
  const texts = [...raw.steps.map(({ name }) => name), ...raw.log.map(({ message }) => message)];
  const sum = fields.reduce((all, [name, value]) => all + name.length + value.length, 0);
  return 1000 + bodies + sum + texts.reduce((all, text) => all + text.length + 200, 0);
}
