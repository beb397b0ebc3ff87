// The limit of bodies: of many small chunks, in every way to read them, and what happens to the connection.
import { describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import type { RequestSource } from '../http/request-source.js';
import type { Context } from './context.js';

const HEAD = '--B\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n';

const readers: Record<string, (ctx: Context) => Promise<unknown>> = {
  bytes: (ctx) => ctx.req.bytes(),
  text: (ctx) => ctx.req.text(),
  async stream(ctx) {
    for await (const _ of ctx.req.stream);
  },
  async multipart(ctx) {
    for await (const part of ctx.req.multipart()) await part.bytes();
  },
  formData: (ctx) => ctx.req.formData(),
};

/** A body of single bytes, and how many of them were read. */
function trickling(text: string): { body: ReadableStream<Uint8Array>; given: () => number } {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at === bytes.length) controller.close();
        else controller.enqueue(bytes.subarray(at, ++at));
      },
    },
    { highWaterMark: 0 },
  );
  return { body, given: () => at };
}

async function post(
  reader: string,
  text: string,
  maxBytes: number,
): Promise<{ status: number; given: number }> {
  const app = new App().maxBodySize(maxBytes).post('/', async (ctx) => {
    await readers[reader]?.(ctx);
    return 'read';
  });
  const { body, given } = trickling(text);
  const response = await app.fetch(
    new Request('http://x/', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'multipart/form-data; boundary=B' },
      duplex: 'half',
    } as RequestInit),
  );
  return { status: response.status, given: given() };
}

describe.each(Object.keys(readers))('a body of single bytes, read by %s', (reader) => {
  const text = `${HEAD}${'x'.repeat(500)}\r\n--B--\r\n`;

  it('is read up to the limit', async () => {
    expect(await post(reader, text, text.length)).toEqual({ status: 200, given: text.length });
  });

  it('over the limit is answered with 413, and its rest is not read', async () => {
    const { status, given } = await post(reader, text, text.length - 200);
    expect(status).toBe(413);
    expect(given).toBeLessThan(text.length - 190);
  });
});

/** A request of a server; `body` is what was called on it. */
function request(fields: Record<string, string>): { source: RequestSource; body: string[] } {
  const body: string[] = [];
  const source: RequestSource = {
    method: 'POST',
    target: '/a?b',
    origin: 'https://x',
    refused: undefined,
    peer: { address: '10.0.0.1', port: 7 },
    signal: AbortSignal.abort('gone'),
    whenOver: () => () => {},
    header: (name) => fields[name],
    isRepeated: () => false,
    hasBody: true,
    headers: () => fields,
    readBody: async (maxBytes) => {
      body.push(`read up to ${maxBytes}`);
      return new Uint8Array();
    },
    readText: async () => {
      body.push('read as text');
      return '';
    },
    openBody: () => {
      body.push('opened');
      return ReadableStream.from([new Uint8Array(6), new Uint8Array(6)]);
    },
    abandonBody: () => body.push('abandoned'),
  };
  return { source, body };
}

/** Sends the request through a limit of 10 bytes, and returns what was called on the server's body until the response. */
async function sendLimited(
  fields: Record<string, string>,
  use: (ctx: Context) => unknown = () => {},
): Promise<string[]> {
  const { source, body } = request(fields);
  const app = new App()
    .maxBodySize(10)
    .use(async (ctx) => {
      await use(ctx);
      return ctx.text('used');
    })
    .post('/a', () => {});
  await new Promise((resolve) => app.handler()(source, resolve));
  return body;
}

const CHUNKED = { 'transfer-encoding': 'chunked' };
const declaring = (length: number) => ({ 'content-length': `${length}` });
const tooLarge = expect.objectContaining({ status: 413, variant: 'PayloadTooLarge' });

describe('a limited request', () => {
  it.each([
    ['declares no more than the limit', declaring(10)],
    ['has no body', {}],
  ])('that %s keeps its connection, although its body is not read', async (_what, fields) => {
    expect(await sendLimited(fields)).toEqual([]);
  });

  it('is read with its limit, also as text', async () => {
    expect(await sendLimited(declaring(10), ({ req }) => req.text())).toEqual(['read up to 10']);
  });

  it('that declares a larger body is not read, and its connection is closed', async () => {
    const body = await sendLimited(declaring(11), async ({ req }) => {
      await expect(req.bytes()).rejects.toEqual(tooLarge);
    });
    expect(body).toEqual(['abandoned']);
    const streamed = await sendLimited(declaring(11), ({ req }) => {
      expect(() => req.stream).toThrow(tooLarge);
    });
    expect(streamed).toEqual(['abandoned']);
  });

  it('of unknown length loses its connection unless the body is read', async () => {
    expect(await sendLimited(CHUNKED)).toEqual(['abandoned']);
    expect(await sendLimited(CHUNKED, ({ req }) => req.bytes())).toEqual(['read up to 10']);
    expect(await sendLimited(CHUNKED, ({ req }) => void req.stream)).toEqual(['opened']);
  });

  it('whose stream exceeds the limit loses its connection at that chunk', async () => {
    const body = await sendLimited(CHUNKED, async ({ req }) => {
      const reader = req.stream.getReader();
      expect((await reader.read()).value).toHaveLength(6);
      await expect(reader.read()).rejects.toEqual(tooLarge);
    });
    expect(body).toEqual(['opened', 'abandoned']);
  });

  it('may have a limit of 0 bytes', async () => {
    const app = new App().maxBodySize(0).post('/', (ctx) => ctx.req.text());
    const ask = (body: string) => app.fetch(new Request('http://x/', { method: 'POST', body }));
    expect((await ask('')).status).toBe(200);
    expect((await ask('x')).status).toBe(413);
  });

  it('that declares a larger body reaches the middleware, but not the handler', async () => {
    const ran: string[] = [];
    const app = new App()
      .maxBodySize(10)
      .use((_ctx, next) => {
        ran.push('middleware');
        return next();
      })
      .post('/', () => {
        ran.push('handler');
      });
    const headers = { 'Content-Length': '11' };
    const answer = await app.fetch(new Request('http://x/', { method: 'POST', headers }));
    expect(answer.status).toBe(413);
    expect(ran).toEqual(['middleware']);
  });
});
