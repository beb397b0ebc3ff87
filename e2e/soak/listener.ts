// A client of live changes: it speaks the protocol of typed events, and comes back where it was, as generated clients do.
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Account } from './account.js';
import { eventKey, Heard } from './live-account.js';

interface Place {
  readonly topic: string;
  readonly id?: string;
}

interface Frame {
  readonly event?: string;
  readonly data?: { readonly kind: string; readonly id: string; readonly version?: number };
  readonly topic?: string;
  readonly id?: string;
  readonly position?: Place;
  readonly missed?: Place;
}

export class Listener {
  readonly heard: Heard;
  /** How often it has come back. */
  reconnects = 0;
  /** Events that it does not take, to see that the check fails. */
  deaf = 0;
  readonly #url: string;
  readonly #account: Account;
  readonly #places: Record<string, string> = {};
  #socket: WebSocket | undefined;
  #isLeaving = false;
  #following: Promise<void> = Promise.resolve();
  #onPlace: () => void = () => {};

  constructor(name: string, url: string, account: Account) {
    this.heard = new Heard(name);
    this.#url = url;
    this.#account = account;
  }

  /** Resolves when it has its place, from which on it must hear everything. */
  async start(): Promise<void> {
    const hasPlace = new Promise<void>((resolve) => {
      this.#onPlace = resolve;
    });
    this.#following = this.#follow();
    const lost = this.#following.then(() => Promise.reject(new Error(`${this.heard.name} has left`)));
    await Promise.race([hasPlace, lost]);
  }

  async leave(): Promise<void> {
    this.#isLeaving = true;
    this.#socket?.terminate();
    await this.#following;
  }

  async #follow(): Promise<void> {
    while (!this.#isLeaving) {
      const socket = new WebSocket(this.#url, 'fw.events', { headers: this.#account.headers });
      this.#socket = socket;
      let refusal = 0;
      socket.on('open', () => socket.send(JSON.stringify({ resume: this.#places })));
      socket.on('message', (data) => this.#take(JSON.parse(String(data)) as Frame));
      socket.on('unexpected-response', (asked, { statusCode = 0 }) => {
        refusal = statusCode;
        asked.destroy();
        socket.terminate();
      });
      // A server that is away is tried again: what was missed meanwhile must come then.
      let problem = '';
      socket.on('error', (error) => {
        problem = String(error);
        socket.terminate();
      });
      const code = await new Promise<number>((resolve) => socket.on('close', resolve));
      if (this.#isLeaving) return;
      if (Object.keys(this.#places).length === 0 && this.heard.missedReports === 0)
        throw new Error(`${this.heard.name} got no place in its topic: ${refusal} ${code} ${problem}`);
      this.reconnects += 1;
      // 1008: the token has expired while it listened.
      if (refusal === 401 || code === 1008) await this.#account.renew();
      await sleep(200);
    }
  }

  #take({ event, data, topic, id, position, missed }: Frame): void {
    const place = position ?? missed ?? (topic === undefined ? undefined : { topic, ...(id && { id }) });
    if (place?.id !== undefined) this.#places[place.topic] = place.id;
    else if (missed !== undefined) delete this.#places[missed.topic];
    if (position !== undefined) this.#onPlace();
    if (missed !== undefined || event === 'missed') this.heard.missed();
    if (event !== 'task' || data === undefined) return;
    if (this.deaf > 0) this.deaf -= 1;
    else this.heard.event(eventKey(data.kind, data.id, data.version));
  }
}
