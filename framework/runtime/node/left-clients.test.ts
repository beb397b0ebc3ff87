// What happens in the server if a client leaves, or if the producer of its response fails.
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { App } from '../../app/app.js';
import { gate } from '../../conformance/gate.js';
import { openAnswer, readText } from '../../conformance/open-answer.js';

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
