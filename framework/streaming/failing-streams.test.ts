// Streams that fail after their first chunk, over sockets: the client receives the chunk, but no end of the body.
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { toNodeHandler } from '../app/to-node-handler.js';
import { exchange, statuses } from '../conformance/raw-client.js';
import type { FwErrorEvent } from '../tracing/error-channel.js';
import { SseEvent } from './sse-event.js';

describe('the chunks before a producer fails', () => {
  const app = () =>
    new App()
      .get('/events', (ctx) => ctx.sse(failing()))
      .get('/kept', (ctx) => ctx.sseKeepAlive(failing(), 60_000))
      .get('/text', (ctx) => ctx.stream(textsOf(failing()), 'text/plain'))
      .get('/slow', async () => {
        await new Promise(setImmediate);
        return 'first';
      });

  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const ways: Record<string, (use: (port: number) => Promise<void>) => Promise<void>> = {
    'its own server': async (use) => {
      const server = await app().listen(0);
      await use(server.port);
      await server.close();
    },
    'a foreign server': async (use) => {
      const server = createServer(toNodeHandler(app())).listen(0, '127.0.0.1');
      await once(server, 'listening');
      await use((server.address() as AddressInfo).port);
      server.close();
    },
  };

  it.each(
    ['/events', '/kept', '/text'].flatMap((path) => Object.keys(ways).map((way) => [path, way] as const)),
  )('are sent to the client of %s over %s, without an end of the body', async (path, way) => {
    await ways[way]?.(async (port) => {
      for (const requests of [ask(path), ask('/slow') + ask(path)]) {
        const answer = await exchange(port, requests, 2_000);
        expect(statuses(answer).at(-1)).toBe(200);
        expect(answer).toMatch(/\r\n\r\n9\r\ndata: 1\n\n\r\n$/);
      }
    });
  });
});

async function* textsOf(events: AsyncIterable<SseEvent>): AsyncGenerator<string> {
  for await (const event of events) yield String(event);
}

async function* failing(): AsyncGenerator<SseEvent> {
  yield SseEvent.data('1');
  throw new Error('the source broke');
}

it.each([undefined, null, 5])(
  'an iterator that gives %s for a result is an error that says so',
  async (result) => {
    const events: FwErrorEvent[] = [];
    const collect = (event: unknown): void => void events.push(event as FwErrorEvent);
    let count = 0;
    const odd = (first: unknown[]): never =>
      ({ [Symbol.asyncIterator]: () => ({ next: async () => first[count++] ?? result }) }) as never;
    const app = new App()
      .get('/stream', (ctx) => ctx.stream(odd([])))
      .get('/begun', (ctx) => ctx.stream(odd([{ value: 'a' }])))
      .get('/events', (ctx) => ctx.sse(odd([])));
    const server = await app.listen(0);
    diagnostics.subscribe('fw:error', collect);
    try {
      for (const [path, outcome] of [
        ['/stream', { status: 500 }],
        ['/events', { status: 500 }],
        ['/begun', { status: 200, isCut: true }],
      ] as const) {
        count = 0;
        await fetch(server.url + path)
          .then(
            (response) => response.text(),
            () => undefined,
          )
          .catch(() => undefined);
        const message = `next() of a stream gave ${result}; give { done, value }`;
        await expect.poll(() => events.pop()).toMatchObject({ path, ...outcome, error: { message } });
      }
    } finally {
      diagnostics.unsubscribe('fw:error', collect);
      await server.close();
    }
  },
);
