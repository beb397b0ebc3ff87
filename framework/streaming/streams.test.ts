// Streams over sockets: what a client sees, and what the producer learns of it.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { App } from '../app.js';
import type { Context } from '../context.js';
import type { RunningServer } from '../node/listen.js';
import type { HandlerResult } from '../to-response.js';
import { sseChannel } from './sse-channel.js';
import { SseEvent } from './sse-event.js';

const running: RunningServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function serve(handler: (ctx: Context) => HandlerResult, graceMs = 2_000): Promise<RunningServer> {
  const server = await new App().shutdownGracePeriod(graceMs).get('/', handler).listen(0);
  running.push(server);
  return server;
}

/** An answer whose body nobody reads until the test does. */
async function open(server: RunningServer): Promise<IncomingMessage> {
  const request = get(server.url, { agent: false });
  request.on('error', () => {});
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.on('error', () => {});
  return answer;
}

async function readText(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  return text;
}

async function readUntil(answer: IncomingMessage, wanted: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    answer.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (wanted.test(text)) resolve(text);
    });
  });
}

/** Chunks without end; tells how many were asked for, and when it was stopped. */
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

/** Waits until a number stays the same over many turns of the event loop. */
async function settled(read: () => number): Promise<number> {
  for (let last = -1; last !== read(); ) {
    last = read();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return read();
}

const kilobytes64 = new Uint8Array(65_536);

describe('a slow reader', () => {
  it('holds the producer back over a socket, and ends it by leaving', async () => {
    const { items, produced, stopped } = endless(kilobytes64);
    const answer = await open(await serve((ctx) => ctx.stream(items)));
    const count = await settled(produced);
    // The buffers of both sockets; without back-pressure it would not come to rest.
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(500);
    answer.destroy();
    await stopped;
    expect(produced()).toBeLessThan(500);
  });

  it('holds the producer of events back too', async () => {
    const { items, produced, stopped } = endless(SseEvent.data('x'.repeat(65_536)));
    const answer = await open(await serve((ctx) => ctx.sseKeepAlive(items, 5)));
    expect(await settled(produced)).toBeLessThan(500);
    answer.destroy();
    await stopped;
  });

  it('is asked for every chunk on the fetch path', async () => {
    const { items, produced, stopped } = endless(kilobytes64);
    const response = await new App().get('/', (ctx) => ctx.stream(items)).fetch(new Request('http://x/'));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(produced()).toBe(0);
    await reader.read();
    await reader.read();
    expect(await settled(produced)).toBe(2);
    await reader.cancel();
    await stopped;
  });
});

describe('a client that leaves', () => {
  it('unsubscribes a channel that is silent', async () => {
    const { sender } = sseChannel();
    const answers = [];
    const server = await serve((ctx) => ctx.sseKeepAlive(sender.subscribe(), 60_000));
    for (let n = 0; n < 3; n += 1) answers.push(await open(server));
    expect(sender.subscribers).toBe(3);
    for (const answer of answers) answer.destroy();
    await expect.poll(() => sender.subscribers).toBe(0);
  });

  it('cancels a silent ReadableStream of events', async () => {
    let cancel = () => {};
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
    const answer = await open(await serve((ctx) => ctx.sse(new ReadableStream<SseEvent>({ cancel }))));
    answer.destroy();
    await cancelled;
  });

  it('aborts ctx.signal, and what its producer throws for that is not reported', async () => {
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
    const answer = await open(await serve((ctx) => ctx.sse(silent(ctx.signal))));
    answer.destroy();
    await end;
    await new Promise((resolve) => setImmediate(resolve));
    unsubscribe('fw:error', collect);
    expect(errors).toEqual([]);
  });
});

describe('HEAD', () => {
  it.each(['node', 'fetch'])('produces nothing and frees the channel over %s', async (way) => {
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

describe('a producer that fails', () => {
  it.each([
    ['with an error', () => ReadableStream.from(failing())],
    ['with what is no event', () => ReadableStream.from([{ data: 'x' }])],
    ['before its first event', () => unreadable],
  ])('%s cuts the connection and is reported', async (_, events) => {
    const reported = new Promise((resolve) => {
      const collect = (event: unknown) => {
        unsubscribe('fw:error', collect);
        resolve(event);
      };
      subscribe('fw:error', collect);
    });
    const server = await serve((ctx) => ctx.sse(events() as AsyncIterable<SseEvent>));
    const answer = await open(server);
    await expect(readText(answer)).rejects.toThrow('aborted');
    expect(await reported).toMatchObject({
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

describe('keep-alive', () => {
  it('pings while nothing comes, and loses no event over it', async () => {
    const { sender, stream } = sseChannel();
    const answer = await open(await serve((ctx) => ctx.sseKeepAlive(stream, 5)));
    await readUntil(answer, /^: ping\n\n: ping\n\n/);
    sender.send(SseEvent.data('a'));
    expect(await readUntil(answer, /data: a\n\n: ping\n\n/)).toMatch(/^(: ping\n\n)*data: a\n\n: ping\n\n/);
    sender.close();
    await once(answer, 'end');
  });

  it('passes on what the producer throws', async () => {
    const server = await serve((ctx) => ctx.sseKeepAlive(failing(), 60_000));
    await expect(readText(await open(server))).rejects.toThrow('aborted');
  });
});

describe('a broadcast', () => {
  it('reaches every client, and only the slow one loses its oldest events', async () => {
    const { sender } = sseChannel({ capacity: 10 });
    const server = await serve((ctx) => ctx.sse(sender.subscribe()));
    const [slow, ...fast] = [await open(server), await open(server), await open(server)] as const;
    const seen = fast.map(() => 0);
    fast.forEach((answer, n) => {
      answer.setEncoding('utf8').on('data', (text: string) => {
        seen[n] = (seen[n] as number) + text.split('event: big').length - 1;
      });
    });
    const big = 'x'.repeat(200_000);
    const total = 100;
    for (let n = 1; n <= total; n += 1) {
      sender.send(SseEvent.data(`${n} ${big}`).event('big'));
      await expect.poll(() => seen, { interval: 1 }).toEqual([n, n]);
    }
    expect(sender.dropped).toBeGreaterThan(0);
    sender.close();
    const ids = [...(await readText(slow)).matchAll(/^data: (\d+)/gm)].map(([, id]) => Number(id));
    expect(ids).toHaveLength(total - sender.dropped);
    expect(ids.at(-1)).toBe(total);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });
});

describe('at a drain', () => {
  it('event streams end at once, in good order; other streams go on', async () => {
    const { sender } = sseChannel();
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    async function* slow(): AsyncGenerator<string> {
      yield 'one ';
      await finished;
      yield 'two';
    }
    const signals: AbortSignal[] = [];
    const server = await new App()
      .get('/events', (ctx) => {
        signals.push(ctx.signal);
        return ctx.sseKeepAlive(sender.subscribe(), 60_000);
      })
      .get(
        '/web',
        () => new Response(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } }),
      )
      .get('/text', (ctx) => ctx.stream(slow(), 'text/plain'))
      .listen(0);
    const [events, web, text] = await Promise.all(
      ['/events', '/web', '/text'].map((path) => open({ ...server, url: server.url + path })),
    );
    const received = readText(events as IncomingMessage);
    await expect.poll(() => sender.subscribers).toBe(1);
    sender.send(SseEvent.data('a'));
    await once(events as IncomingMessage, 'readable');

    const closed = server.close();
    expect(await received).toBe('data: a\n\n');
    expect(await readText(web as IncomingMessage)).toBe('');
    expect(sender.subscribers).toBe(0);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    finish();
    expect(await readText(text as IncomingMessage)).toBe('one two');
    await closed;
  });

  it('an event stream that begins during it ends at once too', async () => {
    const { sender } = sseChannel();
    let go = () => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const server = await serve(async (ctx) => {
      begin();
      await gone;
      return ctx.sse(sender.subscribe());
    });
    const opened = open(server);
    await begun;
    const closed = server.close();
    go();
    const answer = await opened;
    expect(answer.headers.connection).toBe('close');
    expect(await readText(answer)).toBe('');
    expect(sender.subscribers).toBe(0);
    await closed;
  });
});
