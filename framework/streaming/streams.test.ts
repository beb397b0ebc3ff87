// Streams over sockets: what a client receives, and what the producer is notified of.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createReadStream, type ReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { toNodeHandler } from '../app/to-node-handler.js';
import { openAnswer, readText } from '../conformance/open-answer.js';
import type { Context } from '../context/context.js';
import type { HandlerResult } from '../context/handlers.js';
import type { RunningServer } from '../runtime/node/listen.js';
import { sseChannel } from './sse-channel.js';
import { SseEvent } from './sse-event.js';

const running: RunningServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function serve(handler: (ctx: Context) => HandlerResult): Promise<RunningServer> {
  const server = await new App().get('/', handler).listen(0);
  running.push(server);
  return server;
}

/** Endless chunks; records how many were read, and when the producer was stopped. */
function endless<T>(item: T): { items: AsyncGenerator<T>; produced: () => number; stopped: Promise<void> } {
  let count = 0;
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  async function* produce(): AsyncGenerator<T> {
    try {
      for (;;) {
        count += 1;
        yield item;
      }
    } finally {
      stop();
    }
  }
  return { items: produce(), produced: () => count, stopped };
}

/** Waits until a number does not change for many turns of the event loop. */
async function settled(read: () => number): Promise<number> {
  for (let last = -1; last !== read(); ) {
    last = read();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return read();
}

const kilobytes64 = new Uint8Array(65_536);

describe('a slow reader', () => {
  it('slows the producer down over a socket, and stops it by leaving', async () => {
    const { items, produced, stopped } = endless(kilobytes64);
    const answer = await openAnswer((await serve((ctx) => ctx.stream(items))).url);
    const count = await settled(produced);
    // The size of the socket buffers; without back-pressure the number would not stop growing.
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(500);
    answer.destroy();
    await stopped;
    expect(produced()).toBeLessThan(500);
  });

  it('also slows down a producer of events', async () => {
    const { items, produced, stopped } = endless(SseEvent.data('x'.repeat(65_536)));
    const answer = await openAnswer((await serve((ctx) => ctx.sseKeepAlive(items, 5))).url);
    expect(await settled(produced)).toBeLessThan(500);
    answer.destroy();
    await stopped;
  });

  it('causes one read per chunk on the fetch path', async () => {
    const { items, produced, stopped } = endless(kilobytes64);
    const response = await new App().get('/', (ctx) => ctx.stream(items)).fetch(new Request('http://x/'));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(await settled(produced)).toBe(1);
    await reader.read();
    await reader.read();
    expect(await settled(produced)).toBe(2);
    await reader.cancel();
    await stopped;
  });
});

describe('a client that leaves', () => {
  it('unsubscribes from a silent channel', async () => {
    const { sender } = sseChannel();
    const answers = [];
    const server = await serve((ctx) => ctx.sseKeepAlive(sender.subscribe(), 60_000));
    for (let n = 0; n < 3; n += 1) answers.push(await openAnswer(server.url));
    expect(sender.subscribers).toBe(3);
    for (const answer of answers) answer.destroy();
    await expect.poll(() => sender.subscribers).toBe(0);
  });

  it('cancels a silent ReadableStream of events', async () => {
    let cancel = () => {};
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
    const answer = await openAnswer(
      (await serve((ctx) => ctx.sse(new ReadableStream<SseEvent>({ cancel })))).url,
    );
    answer.destroy();
    await cancelled;
  });

  it('aborts ctx.signal, and the resulting error of the producer is not reported', async () => {
    const errors: unknown[] = [];
    const collect = (event: unknown) => void errors.push(event);
    subscribe('fw:error', collect);
    let ended = () => {};
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    async function* silent(signal: AbortSignal): AsyncGenerator<SseEvent> {
      try {
        await once(new EventTarget(), 'never', { signal });
        yield SseEvent.data('never');
      } finally {
        ended();
      }
    }
    const answer = await openAnswer((await serve((ctx) => ctx.sse(silent(ctx.signal)))).url);
    answer.destroy();
    await end;
    await new Promise((resolve) => setImmediate(resolve));
    unsubscribe('fw:error', collect);
    expect(errors).toEqual([]);
  });
});

describe('HEAD', () => {
  it.each(['node', 'fetch'])('reads no chunk and unsubscribes from the channel over %s', async (way) => {
    const { sender } = sseChannel();
    const { items, produced } = endless('x');
    const app = new App()
      .get('/text', (ctx) => ctx.stream(items))
      .get('/events', (ctx) => ctx.sse(sender.subscribe()));
    const server = await app.listen(0);
    running.push(server);
    for (const path of ['/text', '/events']) {
      const request = new Request(server.url + path, { method: 'HEAD' });
      const response = await (way === 'node' ? fetch(request) : app.fetch(request));
      expect(response.status).toBe(200);
    }
    expect(produced()).toBe(0);
    expect(sender.subscribers).toBe(0);
  });
});

describe('a Node stream', () => {
  const missing = () => createReadStream('/nonexistent/file');

  it.each([
    ['HEAD', 200],
    ['GET', 500],
  ])('that fails to open does not end the process, over %s', async (method, status) => {
    let stream: ReadStream | undefined;
    const app = new App()
      .use(async (_ctx, next) => {
        const response = await next();
        // Longer than opening takes to fail.
        if (stream?.closed === false) await new Promise<void>((closed) => stream?.once('close', closed));
        return response;
      })
      .get('/', (ctx) => {
        stream = missing();
        return ctx.stream(stream);
      });
    const server = await app.listen(0);
    running.push(server);
    expect((await fetch(server.url, { method })).status).toBe(status);
  });

  it('is destroyed for HEAD, and when the client leaves while no chunk comes', async () => {
    const streams: PassThrough[] = [];
    const server = await serve((ctx) => {
      const stream = new PassThrough();
      streams.push(stream);
      stream.write('one');
      return ctx.stream(stream);
    });
    await fetch(server.url, { method: 'HEAD' });
    await expect.poll(() => streams[0]?.destroyed).toBe(true);
    const answer = await openAnswer(server.url);
    await once(answer, 'readable');
    expect(streams[1]?.destroyed).toBe(false);
    answer.destroy();
    await expect.poll(() => streams[1]?.destroyed).toBe(true);
  });
});

describe('a response that is destroyed while its producer is running', () => {
  it('stops the producer', async () => {
    const { items, stopped } = endless('x');
    let destroy = () => {};
    async function* late(): AsyncGenerator<string> {
      for await (const item of items) {
        destroy();
        yield item;
      }
    }
    const handler = toNodeHandler(new App().get('/', (ctx) => ctx.stream(late())));
    const server = createServer((incoming, outgoing) => {
      destroy = () => outgoing.destroy();
      handler(incoming, outgoing);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(fetch(`http://127.0.0.1:${port}`).then((answer) => answer.text())).rejects.toThrow();
    await stopped;
    server.close();
  });
});

describe('a producer that fails', () => {
  it.each([
    ['with an error', 200, () => ReadableStream.from(failing())],
    ['with what is not an event', 500, () => ReadableStream.from([{ data: 'x' }])],
    ['before its first event', 500, () => unreadable],
  ])('%s is answered %i or cut off, and reported', async (_, status, events) => {
    const reported = new Promise((resolve) => {
      const collect = (event: unknown) => {
        unsubscribe('fw:error', collect);
        resolve(event);
      };
      subscribe('fw:error', collect);
    });
    const server = await serve((ctx) => ctx.sse(events() as AsyncIterable<SseEvent>));
    const answer = await openAnswer(server.url);
    expect(answer.statusCode).toBe(status);
    if (status === 200) await expect(readText(answer)).rejects.toThrow('aborted');
    expect(await reported).toMatchObject({
      status,
      method: 'GET',
      path: '/',
      error: { message: expect.any(String) },
    });
  });
});

async function* failing(): AsyncGenerator<SseEvent> {
  yield SseEvent.data('1');
  throw new Error('the source broke');
}

const unreadable: AsyncIterable<SseEvent> = {
  [Symbol.asyncIterator]() {
    throw new Error('cannot be read');
  },
};
