// A client of HTTP that keeps one connection, and holds every answer to what was expected.
import { Agent, type IncomingMessage, request } from 'node:http';
import type { DisturbanceLog } from './disturbance-log.js';
import type { Outcome } from './ledger.js';
import type { Records } from './records.js';

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
  /** Statuses that are right. */
  readonly expected: readonly number[];
}

export interface Answer {
  /** 0 if the connection has broken before the answer. */
  readonly status: number;
  readonly json: unknown;
  /** When the request began. */
  readonly began: number;
}

/** An answer that takes longer is a fault: the app itself gives up after half a minute. */
const PATIENCE_MS = 60_000;

export class Caller {
  readonly #origin: string;
  readonly #records: Records;
  readonly #log: DisturbanceLog;
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(origin: string, records: Records, log: DisturbanceLog) {
    this.#origin = origin;
    this.#records = records;
    this.#log = log;
  }

  async call(kind: string, call: Call): Promise<Answer> {
    const began = performance.now();
    const { status, json, error } = await this.#send(call);
    const ended = performance.now();
    this.#records.answered(kind, status, ended - began);
    if (!call.expected.includes(status) && !this.#isExcused(status, began, ended)) {
      const { method = 'GET', path } = call;
      const what = error ?? JSON.stringify(json ?? null).slice(0, 200);
      this.#records.fault(`${kind}: ${method} ${path} was answered ${status}: ${what}`);
    }
    return { status, json, began };
  }

  /** Closes the connection; the next call opens another one, which any process may take. */
  close(): void {
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 });
  }

  #isExcused(status: number, from: number, to: number): boolean {
    if (status === 0) return this.#log.isWithin('breaks', from, to);
    if (status === 401) return this.#log.isWithin('expiry', from, to);
    return status >= 500 && this.#log.isWithin('failures', from, to);
  }

  /** A request on a connection that the server has just closed for idleness goes out once more (RFC 9112, section 9.3.1). */
  async #send(call: Call): Promise<{ status: number; json?: unknown; error?: string }> {
    for (;;) {
      try {
        const { answer, wasReused = false } = await this.#respond(call);
        if (answer === undefined && wasReused && call.method === undefined) continue;
        if (answer === undefined) return { status: 0, error: 'the connection was reset' };
        const text = (await answer.setEncoding('utf8').toArray()).join('');
        const isJson = /json/.test(answer.headers['content-type'] ?? '');
        return { status: answer.statusCode ?? 0, json: isJson && text !== '' ? JSON.parse(text) : undefined };
      } catch (error) {
        return { status: 0, error: String(error) };
      }
    }
  }

  #respond({
    method,
    path,
    headers,
    body,
  }: Call): Promise<{ answer?: IncomingMessage; wasReused?: boolean }> {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const fields = { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) };
    return new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const options = { agent: this.#agent, method: method ?? 'GET', headers: fields, signal };
      const sent = request(new URL(path, this.#origin), options, (answer) => resolve({ answer }));
      sent.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNRESET') resolve({ wasReused: sent.reusedSocket });
        else reject(error);
      });
      sent.end(text);
    });
  }
}

export function outcomeOf(status: number): Outcome {
  if (status === 0 || status >= 500) return 'unknown';
  return status < 300 ? 'acknowledged' : 'refused';
}
