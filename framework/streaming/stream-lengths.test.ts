// Streams of more or less bytes than their Content-Length, on a connection with a pipelined request.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { toNodeHandler } from '../app/to-node-handler.js';
import { exchange, statuses } from '../conformance/raw-client.js';
import { compression } from '../middleware/compression/compression.js';
import { subscribe } from '../tracing/subscribe.js';
import { SseEvent } from './sse-event.js';

/** Longer than closing a connection takes; if it stays open, the test only takes longer. */
const QUIET_MS = 3_000;

async function* chunks(...texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) {
    await new Promise(setImmediate);
    yield text;
  }
}

const app = (made = new App()) =>
  made
    .get('/exact', (ctx) => ctx.header('Content-Length', 6).stream(chunks('abc', 'dë'), 'text/plain'))
    .get('/less', (ctx) => ctx.header('Content-Length', 10).stream(chunks('abc', 'def'), 'text/plain'))
    .get('/nothing', (ctx) => ctx.header('Content-Length', 10).stream(chunks(), 'text/plain'))
    .get('/more', (ctx) => ctx.header('Content-Length', 6).stream(chunks('abc', 'def', 'ghi'), 'text/plain'))
    .get('/at-once', (ctx) => ctx.header('Content-Length', 3).stream(chunks('abcdef'), 'text/plain'))
    .get('/next', () => 'the next answer');

const transports: Record<string, (use: (port: number) => Promise<void>) => Promise<void>> = {
  'its own server': async (use) => {
    const server = await app().listen(0);
    await use(server.port).finally(() => server.close());
  },
  'a foreign server': async (use) => {
    const server = createServer(toNodeHandler(app())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await use((server.address() as AddressInfo).port).finally(() => server.close());
  },
};

/** The responses to a request and a pipelined one, and whether an error was reported. */
async function ask(port: number, path: string): Promise<{ answer: string; isReported: boolean }> {
  const errors: unknown[] = [];
  const stop = subscribe(({ fields }) => errors.push(fields.error));
  const head = (target: string, close = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${close}\r\n`;
  const answer = await exchange(port, head(path) + head('/next', 'Connection: close\r\n'), QUIET_MS);
  stop();
  return { answer, isReported: errors.some((error) => /Content-Length/.test(String(error))) };
}

describe.each(Object.entries(transports))('over %s, a stream', (_name, serve) => {
  it('of its declared length leaves the connection to the next request', async () => {
    await serve(async (port) => {
      const { answer } = await ask(port, '/exact');
      expect(statuses(answer)).toEqual([200, 200]);
      expect(answer).toContain('abcd\u00c3\u00abHTTP/1.1 200 OK');
      expect(answer).toMatch(/the next answer$/);
    });
  });

  it.each([
    ['/less', 'abcdef'],
    ['/more', 'abcdef'],
  ])(
    'of another length sends at most the declared bytes, closes the connection and is reported: %s',
    async (path, body) => {
      await serve(async (port) => {
        const { answer, isReported } = await ask(port, path);
        expect(statuses(answer)).toEqual([200]);
        expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(body);
        expect(isReported).toBe(true);
      });
    },
  );

  it.each(['/nothing', '/at-once'])(
    'of another length in its first chunk is answered as an error, and the connection stays: %s',
    async (path) => {
      await serve(async (port) => {
        const { answer, isReported } = await ask(port, path);
        expect(statuses(answer)).toEqual([500, 200]);
        expect(answer).toMatch(/the next answer$/);
        expect(isReported).toBe(true);
      });
    },
  );
});

describe('the declared length of a stream', () => {
  /** Whether the client has got a complete answer, and what was reported. */
  const outcome = async (app: App, path: string, fields = {}): Promise<unknown> => {
    const messages: string[] = [];
    const stop = subscribe(({ fields }) => fields.error !== undefined && messages.push(String(fields.error)));
    const answer = await app.fetch(new Request(`http://x${path}`, { headers: fields }));
    const text = await answer.text().catch(() => 'cut');
    stop();
    return [answer.status === 200 && text !== 'cut', ...messages];
  };
  const less = 'Error: the stream yielded less than its Content-Length of 10 bytes';
  const more = 'Error: the stream yielded more than its Content-Length of 6 bytes';

  it('is held where a web Response is made of it, and where the stream is compressed', async () => {
    for (const made of [app(), app(new App().use(compression()))]) {
      const fields = { 'Accept-Encoding': 'gzip' };
      expect(await outcome(made, '/less', fields)).toEqual([false, less]);
      expect(await outcome(made, '/more', fields)).toEqual([false, more]);
      expect(await outcome(made, '/exact', fields)).toEqual([true]);
    }
  });

  it('is held before anything is sent, and the producer is stopped', async () => {
    const stopped: string[] = [];
    async function* stoppable(name: string, text: string) {
      try {
        yield text;
        yield 'x';
      } finally {
        stopped.push(name);
      }
    }
    const add = (made: App) =>
      made
        .get('/much', (ctx) => ctx.header('Content-Length', 6).stream(stoppable('much', 'dëfghi')))
        .get('/fetched', (ctx) =>
          ctx
            .header('Content-Length', 6)
            .header('Content-Encoding', 'gzip')
            .stream(stoppable('fetched', 'abcdefg')),
        );
    for (const made of [add(app()), add(app(new App().use(compression())))]) {
      const fields = { 'Accept-Encoding': 'gzip' };
      expect(await outcome(made, '/nothing', fields)).toEqual([false, less]);
      expect(await outcome(made, '/much', fields)).toEqual([false, more]);
      expect(await outcome(made, '/fetched', fields)).toEqual([
        false,
        expect.stringMatching(/^Error: .* of 6 bytes; if it is the body of a response of fetch, /),
      ]);
      for (const path of ['/nothing', '/much']) {
        const answer = await made.fetch(new Request(`http://x${path}`, { headers: fields }));
        expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('Internal')]);
      }
    }
    await expect.poll(() => stopped).toEqual(['much', 'fetched', 'much', 'much', 'fetched', 'much']);
  });

  it('of none is that of an empty stream, and nothing of an event stream', async () => {
    const made = new App()
      .get('/empty', (ctx) => ctx.header('Content-Length', 0).stream(chunks()))
      .get('/events', (ctx) =>
        ctx.header('Content-Length', 1).sse(ReadableStream.from([SseEvent.data('a')])),
      );
    expect(await outcome(made, '/empty')).toEqual([true]);
    expect(await outcome(made, '/events')).toEqual([true]);
  });

  it.each(['3x', '-1', '+3', '1e1', '3, 3', '0x3'])(
    'is an error if it is not a number of bytes: %s',
    async (length) => {
      const wrong = new App()
        .get('/stream', (ctx) => ctx.header('Content-Length', length).stream(chunks('abc')))
        .get('/web', () => new Response('abc', { headers: { 'Content-Length': length } }));
      const fault = `Error: the Content-Length '${length}' is not a number of bytes; leave it out, or give the length of the stream`;
      for (const path of ['/stream', '/web']) expect(await outcome(wrong, path)).toEqual([false, fault]);
    },
  );
});

describe('a later chunk that is neither a text nor bytes', () => {
  it.each([5, null, undefined, { a: 1 }])('cuts the stream, and is named: %s', async (chunk) => {
    let hasEnded = 0;
    const wrong = (made = new App()) =>
      made.get('/', (ctx) =>
        ctx.stream(
          (async function* () {
            try {
              yield 'x'.repeat(100_000);
              yield chunk as never;
            } finally {
              hasEnded += 1;
            }
          })(),
        ),
      );
    const messages: string[] = [];
    const stop = subscribe(({ fields }) => fields.error !== undefined && messages.push(String(fields.error)));
    const compressed = wrong(new App().use(compression()));
    const request = () => new Request('http://x/', { headers: { 'Accept-Encoding': 'gzip' } });
    await Promise.allSettled([wrong(), compressed].map(async (made) => (await made.fetch(request())).text()));
    const server = await wrong().listen(0);
    await expect(fetch(server.url).then((answer) => answer.text())).rejects.toThrow();
    await server.close();
    stop();
    expect(messages).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^TypeError: a stream gave .+; give texts/)),
    );
    expect(hasEnded).toBe(3);
  });
});
