// Sends the requests that the page asks for, and finds the records of what was sent.

import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { BoundAddress } from '../../process/messages.js';
import { ORDER_FIELD } from '../worker/sent-order.js';
import type { RecordStore, StoredRequest } from './record-store.js';
import { Refusal } from './refusals.js';
import { checkOrder, type ReadyRequest, readyRequest, withKnownFields } from './send-order.js';

/** How long an answer may take, in milliseconds. */
const USUAL_LIMIT = 30_000;
/** How long the record of an answer may take, in milliseconds. */
const RECORD_TIME = 1000;
const MOST_REMEMBERED = 2000;

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
    const given = checkOrder(value);
    const from = given.from === undefined ? undefined : this.#find(given.from);
    const order = from === undefined ? withKnownFields(given, this.#store.all) : given;
    const { url, address, sendLimit = USUAL_LIMIT } = this.#options;
    const request = readyRequest(order, from, new URL(url).host);
    this.#count += 1;
    const number = this.#count;
    if (order.from !== undefined) this.#remember(number, order.from);
    const recording = new AbortController();
    const recorded = this.#store.whenAnswered(number, recording.signal);
    const limit = AbortSignal.timeout(sendLimit);
    const mark = [ORDER_FIELD, `${this.#token}.${number}`] as const;
    // What fails is recorded, too: the record says how.
    const problem = await sendRequest(request, address, mark, limit).then(
      () => undefined,
      (error: Error) => error,
    );
    const found = await Promise.race([recorded, delay(RECORD_TIME, undefined)]);
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
    if (found.raw.isJob) throw new Refusal(400, 'BadRequest', 'a job cannot be sent');
    return found;
  }

  #remember(order: number, from: number): void {
    this.#sentFrom.set(order, from);
    this.#sentFrom.delete(order - MOST_REMEMBERED);
  }
}

/** A wildcard address is reached on loopback. */
function reachable({ address }: BoundAddress): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

/**
 * Resolves when the whole answer was read; rejects if there is none, or when the signal aborts.
 *
 * @param mark the field by which the worker knows the request
 */
function sendRequest(
  { method, target, isEncrypted, fields, body }: ReadyRequest,
  to: BoundAddress,
  mark: readonly [name: string, value: string],
  signal: AbortSignal,
): Promise<void> {
  return new Promise((settle, reject) => {
    const options: https.RequestOptions = {
      host: reachable(to),
      port: to.port,
      method,
      path: target,
      headers: [...fields, mark, ['Connection', 'close'] as const].flat(),
      agent: false,
      // The certificate of a developer, for whatever name.
      rejectUnauthorized: false,
      signal,
    };
    const request = (isEncrypted ? https : http).request(options, (response) => {
      response.once('error', reject).once('end', settle).resume();
    });
    request.once('error', reject).end(body);
  });
}
