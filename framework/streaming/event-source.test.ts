// Server-sent events, read by an EventSource that follows the standard.
import { once } from 'node:events';
import { EventSource, type EventSourceInit } from 'eventsource';
import { afterEach, describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import type { Context } from '../context/context.js';
import type { HandlerResult } from '../context/handlers.js';
import type { RunningServer } from '../runtime/node/listen.js';
import { sseChannel } from './sse-channel.js';
import { SseEvent } from './sse-event.js';

const servers: RunningServer[] = [];
const clients: EventSource[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function connect(
  handler: (ctx: Context) => HandlerResult,
  init: EventSourceInit = {},
): Promise<EventSource> {
  // Otherwise a finished stream leaves a connection open, for which the drain of every test would wait.
  const app = new App().get('/', (ctx) => handler(ctx.header('Connection', 'close')));
  const server = await app.listen(0);
  servers.push(server);
  const client = new EventSource(server.url, init);
  clients.push(client);
  return client;
}

/** Calls `seen` when the client has received the wanted text, which may not be visible as an event. */
function watching(wanted: RegExp, seen: () => void): EventSourceInit {
  let text = '';
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      text += Buffer.from(chunk).toString();
      if (wanted.test(text)) seen();
    },
  });
  return {
    async fetch(url, options) {
      const answer = await fetch(url, options as RequestInit);
      return new Response(answer.body?.pipeThrough(watch), answer);
    },
  };
}

/** The next events of these types, in order. */
function nextEvents(client: EventSource, count: number, ...types: string[]): Promise<MessageEvent[]> {
  const events: MessageEvent[] = [];
  return new Promise((resolve) => {
    for (const type of types) {
      client.addEventListener(type, (event) => {
        events.push(event as MessageEvent);
        if (events.length === count) resolve(events);
      });
    }
  });
}

describe('an EventSource', () => {
  it('opens before the first event', async () => {
    const { sender, stream } = sseChannel();
    const client = await connect((ctx) => ctx.sse(stream));
    await once(client, 'open');
    expect(client.readyState).toBe(EventSource.OPEN);
    const message = once(client, 'message');
    sender.send(SseEvent.new({ a: 1 }));
    const [{ data, type, lastEventId }] = (await message) as [MessageEvent];
    expect([data, type, lastEventId]).toEqual(['{"a":1}', 'message', '']);
  });

  it('reads names, ids and data with line breaks', async () => {
    async function* events(): AsyncGenerator<SseEvent> {
      yield SseEvent.data('').event('tick').id('ü 1');
      yield SseEvent.comment('not seen');
      yield SseEvent.data(' a\n\nb\r\nc\rd ').event('tick').id('2');
      yield SseEvent.data('plain').id('');
    }
    const client = await connect((ctx) => ctx.sse(events()));
    const got = (await nextEvents(client, 3, 'tick', 'message')).map(({ type, data, lastEventId }) => [
      type,
      data,
      lastEventId,
    ]);
    expect(got).toEqual([
      ['tick', '', 'ü 1'],
      ['tick', ' a\n\nb\nc\nd ', '2'],
      ['message', 'plain', ''],
    ]);
  });

  it.each(['a\r\n\r\nevent: x', '\n\nevent: x\ndata: forged\n\n', '\revent: x\r\r', 'id: 9\nretry: 1'])(
    'reads %j as the data of one event',
    async (hostile) => {
      async function* events(): AsyncGenerator<SseEvent> {
        yield SseEvent.data(hostile);
        yield SseEvent.comment(hostile);
        yield SseEvent.data('last');
      }
      const client = await connect((ctx) => ctx.sse(events()));
      const got = await nextEvents(client, 2, 'message', 'x');
      expect(got.map(({ type, data, lastEventId }) => [type, data, lastEventId])).toEqual([
        ['message', hostile.replaceAll(/\r\n|\r/g, '\n'), ''],
        ['message', 'last', ''],
      ]);
    },
  );

  it('reconnects with the id of its last event', async () => {
    async function* after(id: number): AsyncGenerator<SseEvent> {
      for (const n of [id + 1, id + 2]) yield SseEvent.data(`event ${n}`).id(String(n)).retry(1);
    }
    const asked: (string | undefined)[] = [];
    const client = await connect((ctx) => {
      asked.push(ctx.lastEventId());
      return ctx.sse(after(Number(ctx.lastEventId() ?? 0)));
    });
    const got = await nextEvents(client, 5, 'message');
    expect(got.slice(0, 5).map(({ data }) => data)).toEqual([1, 2, 3, 4, 5].map((n) => `event ${n}`));
    expect(asked).toEqual([undefined, '2', '4']);
  });

  it('ignores pings', async () => {
    const { sender, stream } = sseChannel();
    let pinged = () => {};
    const pings = new Promise<void>((resolve) => {
      pinged = resolve;
    });
    const client = await connect(
      (ctx) => ctx.sseKeepAlive(stream, 2),
      watching(/: ping\n\n: ping\n\n/, () => pinged()),
    );
    const got = nextEvents(client, 1, 'message');
    await pings;
    sender.send(SseEvent.data('x'));
    expect((await got).map(({ data }) => data)).toEqual(['x']);
  });

  it('reconnects after a drain', async () => {
    const client = await connect((ctx) => ctx.sse(sseChannel().stream));
    await once(client, 'open');
    const error = once(client, 'error');
    const closed = servers[0]?.close();
    await error;
    expect(client.readyState).toBe(EventSource.CONNECTING);
    await closed;
  });
});
