// Event streams over sockets: pings, broadcasts, and how a drain ends them.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
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

async function readUntil(answer: IncomingMessage, wanted: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    answer.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (wanted.test(text)) resolve(text);
    });
  });
}

async function* failing(): AsyncGenerator<SseEvent> {
  yield SseEvent.data('1');
  throw new Error('the source broke');
}

describe('keep-alive', () => {
  it('pings while there are no events, and loses no event', async () => {
    const { sender, stream } = sseChannel();
    const answer = await openAnswer((await serve((ctx) => ctx.sseKeepAlive(stream, 5))).url);
    await readUntil(answer, /^: ping\n\n: ping\n\n/);
    sender.send(SseEvent.data('a'));
    expect(await readUntil(answer, /data: a\n\n: ping\n\n/)).toMatch(/^(: ping\n\n)*data: a\n\n: ping\n\n/);
    sender.close();
    await once(answer, 'end');
  });

  it('rethrows the error of the producer', async () => {
    const server = await serve((ctx) => ctx.sseKeepAlive(failing(), 60_000));
    await expect(readText(await openAnswer(server.url))).rejects.toThrow('aborted');
  });
});

describe('a broadcast', () => {
  it('reaches every client, and only the slow one loses its oldest events', async () => {
    const { sender } = sseChannel({ capacity: 10 });
    const server = await serve((ctx) => ctx.sse(sender.subscribe()));
    const [slow, ...fast] = [
      await openAnswer(server.url),
      await openAnswer(server.url),
      await openAnswer(server.url),
    ] as const;
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
  it('event streams end immediately and completely; other streams continue', async () => {
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
      ['/events', '/web', '/text'].map((path) => openAnswer(server.url + path)),
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

  it('an event stream that begins during the drain also ends immediately', async () => {
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
    const opened = openAnswer(server.url);
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
