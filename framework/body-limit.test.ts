// The limit of bodies that come in many small chunks, however they are read.
import { describe, expect, it } from 'vitest';
import { App } from './app.js';
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

/** A body of single bytes, and how many of them were asked for. */
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

  it('of the limit is read', async () => {
    expect(await post(reader, text, text.length)).toEqual({ status: 200, given: text.length });
  });

  it('over the limit is 413, and the rest is left', async () => {
    const { status, given } = await post(reader, text, text.length - 200);
    expect(status).toBe(413);
    expect(given).toBeLessThan(text.length - 190);
  });
});
