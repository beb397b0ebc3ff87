import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGunzip,
  createGzip,
  gunzipSync,
  gzipSync,
} from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { App } from '../../app/app.js';
import type { Context } from '../../context/context.js';
import { negotiate } from '../../http/accept-encoding.js';
import { connectWebSocket } from '../../testing/websocket/index.js';
import { subscribe } from '../../tracing/subscribe.js';
import { websocket } from '../../websocket/index.js';
import { compressStream } from './compression.js';
import { Compression, type CompressionOptions, compression } from './index.js';

const encode = (text: string) => new TextEncoder().encode(text);

describe('negotiate', () => {
  const both = ['br', 'gzip'] as const;
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['GZIP ; Q=0.8', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['identity', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['identity;q=0.2, gzip;q=0.5', 'gzip'],
    ['br;q=2, gzip', 'gzip'],
    ['br;q=abc', undefined],
    ['deflate, zstd', undefined],
    ['brotli, gzipped', undefined],
  ])('%j → %s', (header, expected) => {
    expect(negotiate(header, both)).toBe(expected);
  });

  it('considers only the enabled codings', () => {
    expect(negotiate('br, gzip', ['gzip'])).toBe('gzip');
    expect(negotiate('br', ['gzip'])).toBeUndefined();
  });
});

describe('invalid options are refused when the App is set up', () => {
  it.each([
    [
      () => compression({ encodings: [] }),
      "compression: encodings is an empty array; give a list of at least one: 'br' or 'gzip'",
    ],
    [
      () => compression({ encodings: ['deflate' as never] }),
      "encodings[0] is 'deflate'; give 'br' or 'gzip'",
    ],
    [() => compression({ brotliQuality: 12 }), 'brotliQuality is 12; give a whole number from 0 to 11'],
    [() => compression({ gzipLevel: 0 }), 'gzipLevel is 0'],
    [() => new Compression().minSize(-1).build(), 'minSize is -1'],
  ])('%#', (make, message) => {
    expect(make).toThrow(message);
  });
});

describe('compressStream', () => {
  it('sends the chunks of a slow producer immediately', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* slow() {
      yield encode('first');
      await held;
      yield encode('second');
    }
    const app = new App()
      .use(compression({ encodings: ['gzip'] }))
      .get('/', () => new Response(ReadableStream.from(slow())));
    const answer = await app.oneshot(new Request('http://x/', { headers: { 'Accept-Encoding': 'gzip' } }));
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    const gunzip = createGunzip();
    const text: string[] = [];
    gunzip.setEncoding('utf8').on('data', (chunk: string) => text.push(chunk));
    const firstText = new Promise((resolve) => gunzip.once('data', resolve));
    const pump = (async () => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return gunzip.end();
        gunzip.write(value);
      }
    })();
    await firstText;
    expect(text.join('')).toBe('first');
    release();
    await pump;
    await new Promise((resolve) => gunzip.once('end', resolve));
    expect(text.join('')).toBe('firstsecond');
  });

  it('stops a silent producer when the consumer leaves', async () => {
    let cancelled = false;
    const silent = new ReadableStream<Uint8Array>({
      pull: () => new Promise(() => {}),
      cancel: () => {
        cancelled = true;
      },
    });
    const encoder = createBrotliCompress();
    const reader = compressStream(silent, encoder).getReader();
    const waiting = reader.read();
    await reader.cancel();
    await waiting;
    expect(cancelled).toBe(true);
    expect(encoder.destroyed).toBe(true);
  });

  it('fails if the producer fails', async () => {
    async function* failing() {
      yield 'some';
      throw new Error('the source broke');
    }
    const reader = compressStream(failing(), createBrotliCompress()).getReader();
    const drained = (async () => {
      while (!(await reader.read()).done);
    })();
    await expect(drained).rejects.toThrow('the source broke');
  });

  it.each<[string, unknown]>([
    ['sends more than it has said', 'abcd'],
    ['sends what is neither text nor bytes', 7],
  ])('stops a producer that %s', async (_what, chunk) => {
    let cancelled = false;
    const source = new ReadableStream({
      start: (controller) => controller.enqueue(chunk),
      cancel: () => {
        cancelled = true;
      },
    });
    const encoder = createBrotliCompress();
    const reader = compressStream(source as ReadableStream<string>, encoder, 3).getReader();
    await expect(reader.read()).rejects.toThrow();
    await expect.poll(() => cancelled).toBe(true);
    expect(encoder.destroyed).toBe(true);
  });

  it('takes as many bytes as the source has said, and no fewer', async () => {
    const texts = async (declared: number) => {
      const source = ReadableStream.from(['a', 'bé']);
      const chunks: Uint8Array[] = [];
      for await (const chunk of compressStream(source, createGzip(), declared)) chunks.push(chunk);
      return gunzipSync(Buffer.concat(chunks)).toString();
    };
    expect([await texts(4), await texts(Number.NaN)]).toEqual(['abé', 'abé']);
    await expect(texts(3)).rejects.toThrow('the stream yielded more than its Content-Length of 3 bytes');
    await expect(texts(5)).rejects.toThrow('the stream yielded less than its Content-Length of 5 bytes');
  });

  it('slows the producer down while the result is not read', async () => {
    let produced = 0;
    async function* endless() {
      for (;;) {
        produced++;
        // Bytes that cannot be compressed, so that the encoder's output fills up.
        yield crypto.getRandomValues(new Uint8Array(65_536));
      }
    }
    const app = new App()
      .use(compression({ encodings: ['gzip'] }))
      .get('/', () => new Response(ReadableStream.from(endless())));
    const answer = await app.oneshot(new Request('http://x/', { headers: { 'Accept-Encoding': 'gzip' } }));
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
    expect(produced).toBeLessThan(50);
    await reader.cancel();
  });

  it('compresses a large body without loss', async () => {
    const text = 'a line of text that repeats\n'.repeat(50_000);
    const app = new App().use(new Compression().gzip().build()).get('/', () => text);
    const answer = await app.oneshot(
      new Request('http://x/', { headers: { 'Accept-Encoding': 'br, gzip' } }),
    );
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(bytes.length).toBeLessThan(text.length / 50);
    expect(gunzipSync(bytes).toString('utf8')).toBe(text);
  });
});

it('leaves the handshake of a WebSocket alone, whatever the size from which bodies are compressed', async () => {
  const encodings: (string | undefined)[] = [];
  const app = new App()
    .use(async function watch(_ctx, next) {
      const response = await next();
      encodings.push(response.headers.get('Content-Encoding'));
      return response;
    })
    .use(compression({ minSize: 0 }))
    .websocket('/', websocket({}));
  const socket = await connectWebSocket(app, '/', { headers: { 'Accept-Encoding': 'gzip' } });
  await socket.close();
  expect(encodings).toEqual([undefined]);
});

it.each([
  ['by default', compression(), 1024],
  ['as it is told', compression({ minSize: 10 }), 10],
])('compresses bodies of exactly the smallest size and none below, %s', async (_, middleware, size) => {
  const app = new App().use(middleware).get('/:size', (ctx) => 'x'.repeat(Number(ctx.req.param('size'))));
  const coding = async (bytes: number) => {
    const request = new Request(`http://x/${bytes}`, { headers: { 'Accept-Encoding': 'gzip' } });
    return (await app.fetch(request)).headers.get('content-encoding');
  };
  expect([await coding(size - 1), await coding(size), await coding(size + 1)]).toEqual([
    null,
    'gzip',
    'gzip',
  ]);
});

it.each(['GET', 'HEAD'])('offers no ranges of what it compresses, for %s', async (method) => {
  const file = (ctx: Context) => ctx.header('Accept-Ranges', 'bytes').text('x'.repeat(5000));
  const app = new App().use(compression()).get('/', file);
  const rangesOf = async (fields: Record<string, string>) =>
    (await app.fetch(new Request('http://x/', { method, headers: fields }))).headers.get('accept-ranges');
  expect(await rangesOf({ 'Accept-Encoding': 'gzip' })).toBeNull();
  expect(await rangesOf({})).toBe('bytes');
});

it('says of a stream that others read what is wrong', async () => {
  const errors: string[] = [];
  const stop = subscribe(({ fields }) => fields.error !== undefined && errors.push(String(fields.error)));
  const stream = new ReadableStream({ start: (controller) => controller.enqueue('x') });
  stream.getReader();
  const app = new App().use(compression()).get('/', (ctx) => ctx.stream(stream));
  const request = new Request('http://x/', { headers: { 'Accept-Encoding': 'gzip' } });
  expect((await app.fetch(request)).status).toBe(500);
  stop();
  expect(errors).toEqual(['Error: a stream is already being read; return it unread']);
});

it.each(['GET', 'HEAD'])('removes digests of the body that it compresses, for %s', async (method) => {
  const digest = (ctx: Context) => ctx.header('Content-Digest', 'sha-256=:x:').text('x'.repeat(5000));
  const app = new App().use(compression()).get('/', digest);
  const fields = { 'Accept-Encoding': 'gzip' };
  const { headers } = await app.fetch(new Request('http://x/', { method, headers: fields }));
  expect([headers.get('content-encoding'), headers.get('content-digest')]).toEqual(['gzip', null]);
});

describe('what compression is told', () => {
  const text = Array.from({ length: 2_000 }, (_, index) => `line ${index * 7919}`).join('\n');
  const compressed = async (middleware = compression(), accept = 'br', asStream = false) => {
    const app = new App()
      .use(middleware)
      .get('/', (ctx) => (asStream ? ctx.stream(ReadableStream.from([encode(text)])) : text));
    const answer = await app.fetch(new Request('http://x/', { headers: { 'Accept-Encoding': accept } }));
    return [
      answer.headers.get('content-encoding'),
      Buffer.from(await answer.arrayBuffer()).toString('base64'),
    ];
  };
  const brotli = (quality: number) =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).toString('base64');
  const gzip = (level: number) => gzipSync(text, { level }).toString('base64');

  it.each<[CompressionOptions, number, number]>([
    [{}, 4, 6],
    [{ brotliQuality: 11, gzipLevel: 9 }, 11, 9],
    [{ brotliQuality: 0, gzipLevel: 1 }, 0, 1],
  ])('%j is how small bodies become', async (options, quality, level) => {
    expect(await compressed(compression(options))).toEqual(['br', brotli(quality)]);
    expect(await compressed(compression(options), 'gzip')).toEqual(['gzip', gzip(level)]);
  });

  it('counts for streams too', async () => {
    const [best, fast] = [
      { brotliQuality: 9, gzipLevel: 9 },
      { brotliQuality: 0, gzipLevel: 1 },
    ];
    for (const coding of ['br', 'gzip']) {
      const [of, small] = await compressed(compression(best), coding, true);
      const [, large] = await compressed(compression(fast), coding, true);
      expect(of).toBe(coding);
      expect(small?.length).toBeLessThan(large?.length ?? 0);
    }
  });

  it('are the codings of a builder, and both without one', async () => {
    const codings = async (built: Compression) => {
      const answers = ['br', 'gzip'].map((accept) => compressed(built.build(), accept));
      return (await Promise.all(answers)).map(([coding]) => coding);
    };
    expect(await codings(new Compression())).toEqual(['br', 'gzip']);
    expect(await codings(new Compression().brotli())).toEqual(['br', null]);
    expect(await codings(new Compression().gzip())).toEqual([null, 'gzip']);
    expect(await codings(new Compression().gzip().brotli())).toEqual(['br', 'gzip']);
    expect(await codings(new Compression().minSize(text.length))).toEqual(['br', 'gzip']);
    expect(await codings(new Compression().minSize(text.length + 1))).toEqual([null, null]);
    expect(() => Reflect.construct(Compression, [{}])).toThrow('give options to compression(options)');
  });
});
