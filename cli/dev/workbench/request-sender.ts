// Sends the requests that the page asks for, and finds the records of what was sent.
import { setTimeout as delay } from 'node:timers/promises';
import type { BoundAddress } from '../../process/messages.js';
import { orderField } from '../worker/sent-order.js';
import type { RecordStore, StoredRequest } from './record-store.js';
import { Refusal } from './refusals.js';
import { checkOrder, readyRequest } from './send-order.js';
import { sendRequest } from './send-request.js';

/** How long an answer may take, in milliseconds. */
const usualLimit = 30_000;
/** How long the record of an answer may take, in milliseconds. */
const recordTime = 1000;
const mostRemembered = 2000;

interface SenderOptions {
  readonly url: string;
  readonly address: BoundAddress;
  readonly sendLimit?: number;
}

export class RequestSender {
  readonly #options: SenderOptions;
  readonly #store: RecordStore;
  readonly #token: string;
  readonly #sentFrom = new Map<number, number>();
  #count = 0;

  constructor(options: SenderOptions, store: RecordStore, token: string) {
    this.#options = options;
    this.#store = store;
    this.#token = token;
  }

  /** The numbers of the requests that orders were made from, by the numbers of the orders. */
  get sentFrom(): ReadonlyMap<number, number> {
    return this.#sentFrom;
  }

  /** Resolves to the number of the new request. @throws Refusal if it cannot be sent, or is not answered */
  async send(value: unknown): Promise<{ id: number }> {
    const order = checkOrder(value);
    const from = order.from === undefined ? undefined : this.#find(order.from);
    const { url, address, sendLimit = usualLimit } = this.#options;
    const request = readyRequest(order, from, new URL(url).host);
    this.#count += 1;
    const number = this.#count;
    if (order.from !== undefined) this.#remember(number, order.from);
    const recording = new AbortController();
    const recorded = this.#store.whenAnswered(number, recording.signal);
    const limit = AbortSignal.timeout(sendLimit);
    const mark = [orderField, `${this.#token}.${number}`] as const;
    // What fails is recorded, too: the record says how.
    const problem = await sendRequest(request, address, mark, limit).then(
      () => undefined,
      (error: Error) => error,
    );
    const found = await Promise.race([recorded, delay(recordTime, undefined)]);
    recording.abort();
    if (found !== undefined) return { id: found.id };
    if (limit.aborted)
      throw new Refusal(504, 'NoAnswer', `the app did not answer within ${sendLimit / 1000} s`);
    const why = problem === undefined ? 'there is no version of the app that could answer' : problem.message;
    throw new Refusal(502, 'NoAnswer', `the request was not recorded: ${why}`);
  }

  #find(id: number): StoredRequest {
    const found = this.#store.get(id);
    if (found === undefined) throw new Refusal(404, 'NotFound', `request ${id} is not kept any more`);
    return found;
  }

  #remember(order: number, from: number): void {
    this.#sentFrom.set(order, from);
    this.#sentFrom.delete(order - mostRemembered);
  }
}
