import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import type { Context } from '../context/context.js';
import type { HandlerResult } from '../context/handlers.js';
import { FwError } from '../http/errors.js';
import { proxy } from '../interop/proxy.js';
import { WebRequestSource } from './web-request-source.js';

const MESSAGE = 'the request body broke off before it was complete';

const READERS: Record<string, (ctx: Context) => HandlerResult | Promise<HandlerResult>> = {
  text: (ctx) => ctx.req.text(),
  json: (ctx) => ctx.req.json(),
  bytes: (ctx) => ctx.req.bytes(),
  request: (ctx) => ctx.req.request().text(),
  stream: async (ctx) => {
    for await (const _ of ctx.req.stream) void _;
  },
};

function post(path: string, body: ReadableStream<Uint8Array>): Request {
  return new Request(`http://localhost${path}`, { method: 'POST', body, duplex: 'half' });
}

/** One chunk, and then the error. */
function failing(error: unknown): ReadableStream<Uint8Array> {
  let isBegun = false;
  return new ReadableStream({
    pull(controller) {
      if (isBegun) controller.error(error);
      else controller.enqueue(new TextEncoder().encode('{'));
      isBegun = true;
    },
  });
}

describe('The body of a web Request that fails', () => {
  const limits = { unlimited: new App(), limited: new App().maxBodySize(1000) };
  for (const app of Object.values(limits)) {
    for (const [name, read] of Object.entries(READERS)) app.post(`/${name}`, read);
    app.mount('/mounted', async (request) => new Response(await request.text()));
  }
  const names = [...Object.keys(READERS), 'mounted'];

  it.each(names.flatMap((name) => Object.keys(limits).map((kind) => [name, kind] as const)))(
    'is answered 400 if it is read by %s, %s',
    async (name, kind) => {
      const app = limits[kind as keyof typeof limits];
      for (const error of [new Error('disk'), 'text', undefined]) {
        const response = await app.fetch(post(`/${name}`, failing(error)));
        expect(response.status).toBe(400);
        expect(await response.json()).toEqual({ error: 'BadRequest', message: MESSAGE });
      }
    },
  );

  it('by an error with a status is answered with it', async () => {
    const response = await limits.unlimited.fetch(post('/text', failing(FwError.payloadTooLarge('much'))));
    expect(response.status).toBe(413);
  });

  it('is an error of the application if that has read it before', async () => {
    const request = post('/text', new Blob(['read']).stream());
    await request.text();
    expect((await limits.unlimited.fetch(request)).status).toBe(500);
  });
});

describe('The body of a web Request', () => {
  it('is cancelled with its stream', async () => {
    let reason: unknown;
    const body = new ReadableStream<Uint8Array>({
      cancel(given) {
        reason = given;
      },
    });
    await new WebRequestSource(post('/', body)).openBody().cancel('enough');
    expect(reason).toBe('enough');
  });

  it('of unknown length is sent on by proxy', async () => {
    const server = createServer((incoming, outgoing) => void incoming.pipe(outgoing)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const app = new App().all('/echo', (ctx) => proxy(ctx.req, { to }));
    const response = await app.fetch(post('/echo', new Blob(['sent']).stream()));
    expect(await response.text()).toBe('sent');
    const without = await app.fetch(new Request('http://localhost/echo', { method: 'POST' }));
    expect(await without.text()).toBe('');
    server.close();
  });
});
