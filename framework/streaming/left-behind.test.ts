// What must not remain after a client that leaves or reads slowly: errors, listeners, timers, pending reads.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { toNodeHandler } from '../app/to-node-handler.js';
import { openAnswer } from '../conformance/open-answer.js';
import type { Chunks } from '../http/chunks.js';
import { KeepAlive } from './keep-alive.js';
import { sseChannel } from './sse-channel.js';
import { SseEvent } from './sse-event.js';

afterEach(() => vi.useRealTimers());

/** The errors that would end the process during the run. */
async function unhandled(run: () => Promise<void>): Promise<unknown[]> {
  const seen: unknown[] = [];
  const collect = (reason: unknown) => void seen.push(reason);
  const others = process.rawListeners('unhandledRejection') as NodeJS.UnhandledRejectionListener[];
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', collect);
  try {
    await run();
    // Unhandled rejections are emitted after the microtasks.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const other of others) process.on('unhandledRejection', other);
  }
  return seen;
}

/** Yields one chunk, then waits forever; the test decides what stopping it does. */
function silent<T>(first: T, stop: () => Promise<IteratorResult<T>>): AsyncIterable<T> {
  let isFirst = true;
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        if (!isFirst) return new Promise<never>(() => {});
        isFirst = false;
        return Promise.resolve({ done: false, value: first });
      },
      return: stop,
    }),
  };
}

describe('a producer that fails while it is stopped', () => {
  const failures: Record<string, () => Promise<never>> = {
    rejects: () => Promise.reject(new Error('cannot stop')),
    throws: () => {
      throw new Error('cannot stop');
    },
  };

  it.each(Object.keys(failures))('does not end the process if it %s', async (how) => {
    const seen = await unhandled(async () => {
      for (const path of ['/text', '/events', '/kept']) {
        let stopped = () => {};
        const stopping = new Promise<void>((resolve) => {
          stopped = resolve;
        });
        const stop = (): Promise<never> => {
          stopped();
          return (failures[how] as () => Promise<never>)();
        };
        const event = SseEvent.data('1');
        const server = await new App()
          .get('/text', (ctx) => ctx.stream(silent('1', stop)))
          .get('/events', (ctx) => ctx.sse(silent(event, stop)))
          .get('/kept', (ctx) => ctx.sseKeepAlive(silent(event, stop), 60_000))
          .listen(0);
        const answer = await openAnswer(server.url + path);
        await once(answer, 'readable');
        answer.destroy();
        await stopping;
        await server.close();
      }
    });
    expect(seen).toEqual([]);
  });
});

describe('a stream that waits for its reader many times', () => {
  it('does not accumulate listeners', async () => {
    const rounds = 30;
    const large = 'x'.repeat(4_000_000);
    let response: ServerResponse | undefined;
    let most = 0;
    async function* chunks(): AsyncGenerator<string> {
      for (let round = 0; round < rounds; round += 1) {
        yield large;
        const res = response as ServerResponse;
        most = Math.max(
          most,
          ...['drain', 'close', 'finish', 'error'].map((event) => res.listenerCount(event)),
        );
      }
    }
    const handler = toNodeHandler(new App().get('/', (ctx) => ctx.stream(chunks())));
    const server = createServer((req, res) => {
      response = res;
      handler(req, res);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const answer = await openAnswer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    let length = 0;
    for await (const chunk of answer) length += chunk.length;
    expect(length).toBe(rounds * large.length);
    expect(most).toBeLessThan(5);
    server.close();
  });
});

describe('a reader that leaves', () => {
  it('ends a pending read of an event, and clears its timer', async () => {
    vi.useFakeTimers();
    let isEnded = false;
    const never: Chunks<string> = {
      next: () => new Promise(() => {}),
      end: async () => {
        isEnded = true;
      },
    };
    const kept = new KeepAlive(never, 60_000);
    const pending = kept.next();
    expect(vi.getTimerCount()).toBe(1);
    await kept.return();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(vi.getTimerCount()).toBe(0);
    expect(isEnded).toBe(true);
  });

  it('clears the timer if an event came before the ping', async () => {
    vi.useFakeTimers();
    let send = (_text: string) => {};
    const one: Chunks<string> = {
      next: () =>
        new Promise((resolve) => {
          send = (value) => resolve({ done: false, value });
        }),
      end: async () => {},
    };
    const kept = new KeepAlive(one, 60_000);
    const pending = kept.next();
    send('event');
    expect(await pending).toEqual({ done: false, value: 'event' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends a pending read of a channel', async () => {
    const { stream, sender } = sseChannel();
    const events = stream[Symbol.asyncIterator]();
    const pending = events.next();
    await events.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(sender.subscribers).toBe(0);
  });
});
