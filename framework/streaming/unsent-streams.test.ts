// What is not sent is ended: no descriptor stays open, however a response with a stream is lost.
import { createReadStream, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
import type { Context } from '../context/context.js';
import { route } from '../extract/route.js';
import { FwError } from '../http/errors.js';
import type { FwResponse } from '../http/response.js';
import { compression } from '../middleware/compression/index.js';
import { RpcRegistry } from '../rpc/index.js';
import { startServer, TestClient } from '../testing/index.js';

const folder = mkdtempSync(join(tmpdir(), 'fw-unsent-'));
const file = join(folder, 'large');
writeFileSync(file, Buffer.alloc(500_000, 'x'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

/** Descriptors of the file that are open. */
function descriptors(): number {
  const isIt = (name: string): boolean => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === file;
    } catch {
      return false;
    }
  };
  return readdirSync('/proc/self/fd').filter(isIt).length;
}

const opened = async () => (await open(file)).createReadStream();
const stream = async (ctx: Context) => ctx.stream(await opened());
const webResponse = async () => new Response(Readable.toWeb(await opened()) as ReadableStream<Uint8Array>);
const events = async (ctx: Context) => ctx.sse((await opened()) as never);
const noFile = (response: FwResponse) => {
  response.body = { kind: 'full', bytes: new Uint8Array() };
};
const rest = async (app: App, path = '/') => app.get(path, stream);

/** Every way to lose a response; each app has opened the file when it has answered `/`. */
const losses: Record<string, () => App | Promise<App>> = {
  'middleware that throws after next()': () =>
    rest(
      new App().use(async (_ctx, next) => {
        await next();
        throw FwError.conflict('no');
      }),
    ),
  'middleware that answers something else': () =>
    rest(
      new App().use(async (ctx, next) => {
        await next();
        return ctx.text('x');
      }),
    ),
  'middleware that does not wait for next()': () =>
    rest(
      new App().use((ctx, next) => {
        void next();
        return ctx.text('x');
      }),
    ),
  'middleware that replaces the body': () =>
    rest(
      new App().use(async (_ctx, next) => {
        noFile(await next());
      }),
    ),
  'middleware that replaces the stream by another': () =>
    rest(
      new App().use(async (_ctx, next) => {
        const response = await next();
        response.body = { kind: 'stream', stream: Readable.from(['another']) };
      }),
    ),
  'middleware around compression() that throws': () =>
    rest(
      new App()
        .use(async (_ctx, next) => {
          await next();
          throw FwError.conflict('no');
        })
        .use(compression()),
    ),
  'middleware that sets a status without a body': () =>
    rest(
      new App().use(async (_ctx, next) => {
        (await next()).status = 204;
      }),
    ),
  'a status that is none': () =>
    rest(
      new App().use(async (_ctx, next) => {
        (await next()).status = 99;
      }),
    ),
  'a web Response that is replaced': () =>
    new App()
      .use(async (ctx, next) => {
        await next();
        return ctx.text('x');
      })
      .get('/', webResponse),
  'the response of a mounted handler that is replaced': () =>
    new App()
      .use(async (ctx, next) => {
        await next();
        return ctx.text('x');
      })
      .mount('/mounted', webResponse)
      .get('/', (ctx) => ctx.redirect('/mounted')),
  events: () =>
    new App()
      .use(async (ctx, next) => {
        await next();
        return ctx.text('x');
      })
      .get('/', events),
  'a handler that throws after it has made the response': () =>
    new App().get('/', async (ctx) => {
      await stream(ctx);
      throw FwError.conflict('no');
    }),
  'returns, which refuses a response': () =>
    new App().get(route('/', { returns: z.object({}) }), stream as never),
  'returns, which refuses a web Response': () =>
    new App().get(route('/', { returns: z.object({}) }), webResponse as never),
  'returns, which refuses a stream': () =>
    new App().get(route('/', { returns: z.object({}) }), opened as never),
  'a status that is not declared': () =>
    new App().get(route('/', { returns: { 201: { contentType: 'text/plain' } } }), stream as never),
  'a handler that returns a Readable itself': () => new App().get('/', opened as never),
  'onError that returns a Readable itself': () =>
    new App().onError(opened as never).get('/', () => {
      throw new Error('x');
    }),
  'a handler that is late': () =>
    new App().requestTimeout(20).get('/', async (ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return stream(ctx);
    }),
  'a handler inside of middleware that is late': () =>
    new App()
      .requestTimeout(20)
      .use((_ctx, next) => next())
      .get('/', async (ctx) => {
        await new Promise((resolve) => setTimeout(resolve, 40));
        return stream(ctx);
      }),
  'a thrown web Response that is replaced': () =>
    new App()
      .use(async (ctx, next) => {
        await next().catch(() => undefined);
        return ctx.text('x');
      })
      .get('/', async (ctx) => {
        throw await stream(ctx);
      }),
};

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** In process and over a socket, three times each. */
async function expectClosed(app: App, path = '/', { method = 'GET', ...options }: Sent = {}): Promise<void> {
  const server = await startServer(app);
  for (const client of [new TestClient(app), server.client]) {
    for (let n = 0; n < 3; n += 1) await client.request(method, path, options);
  }
  await server.close();
  await expect.poll(descriptors).toBe(0);
}

describe('no descriptor stays open for', () => {
  it.each(Object.entries(losses))('%s', async (_name, make) => {
    await expectClosed(await make());
  });
});

describe('no descriptor stays open for a procedure that returns', () => {
  const call = (body: object) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const registry = (handler: unknown) =>
    new RpcRegistry().mutationWithTypes('file', handler as never, 'void', 'string');

  it.each([
    ['a Readable', opened],
    ['a web Response', webResponse],
  ])('%s', async (_name, handler) => {
    const id = { jsonrpc: '2.0', id: 1, method: 'file' };
    const app = new App().mountRpc('/rpc', registry(handler));
    await expectClosed(app, '/rpc', call(id));
    await expectClosed(app, '/rpc', call([id, { jsonrpc: '2.0', method: 'file' }]));
    const checked = new RpcRegistry().mutation(
      'file',
      { input: z.object({}), output: z.object({}) },
      handler as never,
    );
    await expectClosed(new App().mountRpc('/rpc', checked), '/rpc', call({ ...id, params: {} }));
  });
});

describe('what is sent is left alone', () => {
  it('also if middleware has put a generator around it, which reads late', async () => {
    async function* upper(inner: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
      for await (const chunk of inner) yield String(chunk).toUpperCase();
    }
    const app = new App()
      .use(async (_ctx, next) => {
        const response = await next();
        const { body } = response;
        if (body.kind === 'stream') response.body = { kind: 'stream', stream: upper(body.stream) };
      })
      .use(async (ctx, next) => {
        const { body } = await next();
        return body.kind === 'stream' ? ctx.stream(body.stream) : undefined;
      })
      .get('/', async (ctx) => ctx.stream((await opened()).setEncoding('latin1')));
    const text = (await new TestClient(app).get('/')).text();
    expect(text).toBe('X'.repeat(500_000));
    await expect.poll(descriptors).toBe(0);
  });

  it('and a stream that was replaced before it was read is ended behind the one that is sent', async () => {
    const source = createReadStream(file);
    const app = new App()
      .use(async (_ctx, next) => {
        const response = await next();
        response.body = { kind: 'stream', stream: Readable.from(['another']) };
      })
      .get('/', (ctx) => ctx.stream(source));
    (await new TestClient(app).get('/')).assertText('another');
    await expect.poll(() => source.destroyed).toBe(true);
  });
});
