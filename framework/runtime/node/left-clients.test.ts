// What happens in the server if a client leaves, or if the producer of its response fails.
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { App } from '../../app/app.js';
import { toNodeHandler } from '../../app/to-node-handler.js';
import { gate } from '../../conformance/gate.js';
import { openAnswer, readText } from '../../conformance/open-answer.js';
import type { Context } from '../../context/context.js';
import { RpcRegistry } from '../../rpc/index.js';
import type { FwErrorEvent } from '../../tracing/error-channel.js';

describe('the signal of a request', () => {
  it('aborts when the client leaves, but not after the response was sent', async () => {
    const left = gate();
    const started = gate();
    let quiet = true;
    const app = new App()
      .get('/wait', async (ctx) => {
        ctx.signal.addEventListener('abort', left.open);
        started.open();
        await left.opened;
      })
      .get('/', (ctx) => {
        ctx.signal.addEventListener('abort', () => {
          quiet = false;
        });
        return 'x';
      });
    const server = await app.listen(0);
    const leaving = request({ host: '127.0.0.1', port: server.port, path: '/wait' }).on('error', () => {});
    leaving.end();
    await started.opened;
    leaving.destroy();
    await left.opened;
    await (await fetch(server.url, { headers: { Connection: 'close' } })).text();
    await server.close();
    expect(quiet).toBe(true);
  });
});

it('is not an error of the server where it is passed on', async () => {
  const events: FwErrorEvent[] = [];
  const collect = (event: unknown): void => void events.push(event as FwErrorEvent);
  const waiting = (signal: AbortSignal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      started?.();
    });
  let started: (() => void) | undefined;
  const rpc = new RpcRegistry().query('wait', (_: unknown, { signal }) => waiting(signal));
  const server = await new App()
    .get('/wait', ({ signal }) => waiting(signal))
    .mountRpc('/rpc', rpc)
    .mountRest('/api', rpc)
    .listen(0);
  diagnostics.subscribe('fw:error', collect);
  try {
    for (const [method, path] of [
      ['GET', '/wait'],
      ['GET', '/api/wait'],
      ['POST', '/rpc'],
    ] as const) {
      const begun = new Promise<void>((resolve) => {
        started = resolve;
      });
      const headers = { 'Content-Type': 'application/json' };
      const leaving = request({ host: '127.0.0.1', port: server.port, method, path, headers });
      leaving.on('error', () => {}).end(method === 'POST' ? '{"jsonrpc":"2.0","method":"wait","id":1}' : '');
      await begun;
      leaving.destroy();
      await expect.poll(() => events.pop()).toMatchObject({ path, status: 400 });
    }
  } finally {
    diagnostics.unsubscribe('fw:error', collect);
    await server.close();
  }
});

describe('streams', () => {
  it('stop the producer when the client leaves', async () => {
    const stopped = gate();
    async function* endless() {
      try {
        for (;;) {
          yield new Uint8Array(65_536);
          await new Promise(setImmediate);
        }
      } finally {
        stopped.open();
      }
    }
    const server = await new App().get('/', () => new Response(ReadableStream.from(endless()))).listen(0);
    const leaving = request({ host: '127.0.0.1', port: server.port }, (incoming) => {
      incoming.once('data', () => leaving.destroy());
    });
    leaving.on('error', () => {}).end();
    await stopped.opened;
    await server.close();
  });

  it('are cancelled when the client leaves while no chunk comes', async () => {
    const cancelled = gate();
    const silent = () =>
      new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array(1)),
        cancel: cancelled.open,
      });
    const server = await new App().get('/', () => new Response(silent())).listen(0);
    const leaving = request({ host: '127.0.0.1', port: server.port }, (incoming) => {
      incoming.once('data', () => leaving.destroy());
    });
    leaving.on('error', () => {}).end();
    await cancelled.opened;
    await server.close();
  });

  it('close the connection when the producer fails', async () => {
    const app = new App().get(
      '/',
      () => new Response(ReadableStream.from(failing()), { headers: { 'Content-Type': 'text/plain' } }),
    );
    const server = await app.listen(0);
    await expect(readText(await openAnswer(server.url))).rejects.toThrow('aborted');
    await server.close();
  });
});

async function* failing(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(10);
  throw new Error('the source broke');
}

describe('a body that has arrived before the client left', () => {
  const readers: Record<string, (ctx: Context) => Promise<string>> = {
    text: (ctx) => ctx.req.text(),
    json: (ctx) => ctx.req.json<string>(),
    bytes: async (ctx) => Buffer.from(await ctx.req.bytes()).toString(),
    stream: async (ctx) => {
      const chunks = [];
      for await (const chunk of ctx.req.stream) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    },
  };

  async function listenForeign(app: App): Promise<{ port: number; close: () => unknown }> {
    const server = createServer(toNodeHandler(app)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, close: () => server.close() };
  }

  /** What the handler reads once the client has left, of two pieces of a body of 9 bytes. */
  async function readLate(
    read: (ctx: Context) => Promise<string>,
    own: boolean,
    rest: string,
  ): Promise<string> {
    const started = gate();
    let readBody: Promise<string> | undefined;
    const app = new App().maxBodySize(100).post('/', async (ctx) => {
      const left = new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }));
      started.open();
      await left;
      readBody = read(ctx);
      await readBody.catch(() => {});
      return 'too late';
    });
    const { port, close } = own ? await app.listen(0) : await listenForeign(app);
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"first');
    await started.opened;
    socket.end(rest);
    await once(socket.resume(), 'close');
    await vi.waitFor(() => expect(readBody).toBeDefined());
    const text = await (readBody as Promise<string>).catch((error: Error) => error.message);
    await close();
    return text;
  }

  it.each(Object.keys(readers).flatMap((name) => [[name, true] as const, [name, false] as const]))(
    'can be read as %s, on a server of its own: %s',
    async (name, own) => {
      const read = readers[name] as (ctx: Context) => Promise<string>;
      expect((await readLate(read, own, ' 2"')).replaceAll('"', '')).toBe('first 2');
    },
  );

  it.each([true, false])('is refused if the rest is missing, on a server of its own: %s', async (own) => {
    expect(await readLate((ctx) => ctx.req.text(), own, '')).toContain(
      'the client closed the connection before the body was complete',
    );
  });
});
