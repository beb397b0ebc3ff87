// Clients that are slow, never read, or leave in the middle: they cost the server something, and nobody else.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Account } from './account.js';

export class RudeClients {
  readonly #port: number;
  readonly #account: Account;

  /** @param account whose tasks nobody counts */
  constructor(port: number, account: Account) {
    this.#port = port;
    this.#account = account;
  }

  /** All kinds at once, for so long; then they are gone without a word. */
  async visit(ms: number): Promise<void> {
    const slow = await Promise.all([
      this.#drip('GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: yes\r\n\r\n'),
      this.#drip(
        '{"title":"slow"}',
        this.#head('POST /tasks', 'Content-Type: application/json\r\nContent-Length: 16'),
      ),
      this.#neverReads(),
      this.#readsSlowly(),
    ]);
    const deaf = await this.#deafListener();
    const until = performance.now() + ms;
    while (performance.now() < until) {
      await this.#leavesInBody();
      await this.#leavesInAnswer();
      await this.#leavesListening();
      await sleep(100);
    }
    for (const end of slow) end();
    deaf.terminate();
    await once(deaf, 'close');
  }

  #head(line: string, more = 'Accept: */*'): string {
    const fields = Object.entries(this.#account.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${line} HTTP/1.1\r\nHost: localhost\r\n${fields.join('')}${more}\r\n\r\n`;
  }

  async #open(text = ''): Promise<Socket> {
    const socket = connect(this.#port, '127.0.0.1');
    // The server may close it, as slow as it is.
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  }

  /** A byte now and then. */
  async #drip(text: string, before = ''): Promise<() => void> {
    const socket = await this.#open(before);
    let at = 0;
    const timer = setInterval(() => {
      if (!socket.destroyed && at < text.length) socket.write(text[at++] ?? '');
    }, 500);
    return () => {
      clearInterval(timer);
      socket.destroy();
    };
  }

  /** Asks for more than buffers hold, and reads nothing. */
  async #neverReads(): Promise<() => void> {
    const socket = await this.#open();
    socket.pause();
    for (let i = 0; i < 100; i++) socket.write(this.#head('GET /tasks?limit=100'));
    return () => socket.destroy();
  }

  async #readsSlowly(): Promise<() => void> {
    const socket = await this.#open(this.#head('GET /tasks?limit=100'));
    socket.pause();
    const timer = setInterval(() => socket.read(1), 1_000);
    return () => {
      clearInterval(timer);
      socket.destroy();
    };
  }

  async #deafListener(): Promise<WebSocket> {
    const socket = new WebSocket(`ws://127.0.0.1:${this.#port}/live`, { headers: this.#account.headers });
    await once(socket, 'open');
    socket.pause();
    return socket;
  }

  async #leavesInBody(): Promise<void> {
    const length = 'Content-Type: application/json\r\nContent-Length: 1000';
    const socket = await this.#open(`${this.#head('POST /tasks', length)}{"title":"never to be stored",`);
    await sleep(20);
    socket.resetAndDestroy();
  }

  async #leavesInAnswer(): Promise<void> {
    const socket = await this.#open(this.#head('GET /tasks?limit=100'));
    await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    socket.resetAndDestroy();
  }

  async #leavesListening(): Promise<void> {
    const socket = new WebSocket(`ws://127.0.0.1:${this.#port}/live`, { headers: this.#account.headers });
    await once(socket, 'open');
    socket.terminate();
    await once(socket, 'close');
  }
}
