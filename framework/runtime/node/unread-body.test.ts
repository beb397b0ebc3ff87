// Bodies that are not read, or not read to their end: the connection of a client that sends them forever is closed.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { App } from '../../app/app.js';
import { statuses } from '../../conformance/raw-client.js';
import type { RunningServer } from './listen.js';

const IDLE_MS = 200;

let server: RunningServer;
let socket: Socket;

afterEach(async () => {
  socket.destroy();
  await server.close();
});

/** A client; `answer()` returns what it has received of the response. */
async function open(
  app: App,
  text: string,
  idleBodyMs = IDLE_MS,
): Promise<{ answer: () => string; closed: Promise<unknown> }> {
  server = await app.connectionTimeouts({ idleBodyMs }).listen(0);
  socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  // A client whose connection is closed while it sends may receive a reset.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  socket.write(text, 'latin1');
  return { answer: () => answer, closed };
}

const post = (path: string, framing: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`;
const LENGTH = 'Content-Length: 1000';
const CHUNKED = 'Transfer-Encoding: chunked';

/** Sends bytes, far more often than the idle timeout, until the connection is closed. */
async function trickle(closed: Promise<unknown>, piece: string): Promise<void> {
  const timer = setInterval(() => socket.write(piece), IDLE_MS / 10);
  await closed;
  clearInterval(timer);
}

const ignoring = () =>
  new App()
    .post('/ignored', () => 'not read')
    .post('/begun', async (ctx) => {
      const { value } = await ctx.req.stream[Symbol.asyncIterator]().next();
      return value?.length;
    })
    .post('/taken', (ctx) => {
      // Taken, but never read.
      return `${ctx.req.stream.locked}`;
    });

describe('a body that is not read', () => {
  it.each([
    ['/nope', LENGTH, 'x', 404],
    ['/nope', CHUNKED, '1\r\nx\r\n', 404],
    ['/ignored', LENGTH, 'x', 200],
    ['/taken', LENGTH, 'x', 200],
    ['/taken', CHUNKED, '1\r\nx\r\n', 200],
    ['/begun', LENGTH, 'x', 200],
    ['/begun', CHUNKED, '1\r\nx\r\n', 200],
  ])('closes the connection if it arrives slowly: %s, %s', async (path, framing, piece, status) => {
    const { answer, closed } = await open(ignoring(), post(path, framing));
    await trickle(closed, piece);
    expect(statuses(answer())).toEqual([status]);
  });

  it.each(['/nope', '/ignored', '/taken', '/begun'])(
    'closes the connection if it is endless: %s',
    async (path) => {
      const { answer, closed } = await open(ignoring(), post(path, CHUNKED));
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      let isClosed = false;
      void closed.then(() => {
        isClosed = true;
      });
      while (!isClosed) {
        if (!socket.write(chunk))
          await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
      }
      expect(statuses(answer())).toHaveLength(1);
      // 1 MiB, and the content of the buffers on the way.
      expect(socket.bytesWritten).toBeLessThan(50_000_000);
    },
  );

  it('leaves the connection to the next request if it is complete', async () => {
    const { answer } = await open(ignoring(), post('/nope', 'Content-Length: 500000'));
    await once(socket, 'data');
    socket.write('x'.repeat(500_000));
    socket.write('GET /next HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => statuses(answer())).toEqual([404, 404]);
    expect(answer()).toContain('no route for GET /next');
  });
});

describe('a body that the handler reads after its response', () => {
  it('is not cut off as long as the handler reads', async () => {
    let received = 0;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const app = new App().post('/', async (ctx) => {
      const chunks = ctx.req.stream[Symbol.asyncIterator]();
      const readOn = async () => {
        const { done, value } = await chunks.next();
        received += value?.length ?? 0;
        if (done) finish();
        else await readOn();
      };
      const { value } = await chunks.next();
      received += value?.length ?? 0;
      void readOn();
      return 'accepted';
    });
    // Long enough that a busy machine, which sends a byte late, is not taken for a client that sends nothing.
    const idleMs = 1000;
    const { answer } = await open(app, post('/', 'Content-Length: 15'), idleMs);
    const timer = setInterval(() => socket.write('x'), idleMs / 5);
    await finished;
    clearInterval(timer);
    // Three times as long as the idle timeout in total, most of it after the response.
    expect(received).toBe(15);
    expect(statuses(answer())).toEqual([200]);
  });
});
