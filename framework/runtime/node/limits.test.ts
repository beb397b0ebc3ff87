// The timeouts of connections and bodies, from the point of view of a slow or silent client.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { App } from '../../app/app.js';
import { statuses } from '../../conformance/raw-client.js';

async function open(port: number, text: string): Promise<{ socket: Socket; closed: Promise<string> }> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (chunk: string) => {
    answer += chunk;
  });
  await once(socket, 'connect');
  socket.write(text, 'latin1');
  return { socket, closed: once(socket, 'close').then(() => answer) };
}

const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

async function served(app: App, use: (port: number) => Promise<void>): Promise<void> {
  const server = await app.listen(0);
  try {
    await use(server.port);
  } finally {
    await server.close();
  }
}

/** Long enough for a busy machine to send the next piece in time. */
const IDLE_MS = 400;

const reading = () =>
  new App()
    .connectionTimeouts({ idleBodyMs: IDLE_MS })
    .post('/text', (ctx) => ctx.req.text())
    .post('/stream', async (ctx) => {
      let length = 0;
      for await (const chunk of ctx.req.stream) length += chunk.length;
      return length;
    });

describe('a body that stops arriving', () => {
  it.each(['/text', '/stream'])('is answered with 408 if %s waits for it', async (path) => {
    await served(reading(), async (port) => {
      const { closed } = await open(port, `${head(path, 10)}abc`);
      const answer = await closed;
      expect(statuses(answer)).toEqual([408]);
      expect(answer).toMatch(/^connection: close\r$/im);
      expect(answer).toContain('no byte of the request body arrived for 400 ms');
    });
  });

  it.each(['/text', '/stream'])('may arrive slowly at %s', async (path) => {
    await served(reading(), async (port) => {
      const { socket, closed } = await open(port, head(path, 8));
      // Longer than the idle timeout in total, in pieces that are much shorter.
      for (let index = 0; index < 8; index += 1) {
        await new Promise((resolve) => setTimeout(resolve, IDLE_MS / 6));
        socket.write('x');
      }
      await once(socket, 'data');
      socket.end();
      const answer = await closed;
      expect(statuses(answer)).toEqual([200]);
      expect(answer.endsWith(path === '/text' ? 'xxxxxxxx' : '8')).toBe(true);
    });
  });

  it('times out only while the handler waits for it', async () => {
    let readOn = () => {};
    const paused = new Promise<void>((resolve) => {
      readOn = resolve;
    });
    const app = new App().connectionTimeouts({ idleBodyMs: 100 }).post('/', async (ctx) => {
      const chunks = ctx.req.stream[Symbol.asyncIterator]();
      const first = await chunks.next();
      await paused;
      const second = await chunks.next();
      return { first: first.value?.length, second: second.value?.length };
    });
    await served(app, async (port) => {
      const { socket, closed } = await open(port, `${head('/', 4)}ab`);
      // Much longer than the idle timeout, which is checked every 100 ms.
      await new Promise((resolve) => setTimeout(resolve, 350));
      await new Promise((written) => socket.write('cd', written));
      readOn();
      await once(socket, 'data');
      socket.end();
      expect(await closed).toContain('{"first":2,"second":2}');
    });
  });

  it('that a handler stops reading still gets the response, and the connection is closed', async () => {
    const app = new App().post('/', async (ctx) => {
      for await (const chunk of ctx.req.stream) return `read ${chunk.length}`;
      return 'nothing';
    });
    await served(app, async (port) => {
      const { closed } = await open(port, `${head('/', 1_000_000)}abc`);
      const answer = await closed;
      expect(answer).toContain('read 3');
      expect(answer).toMatch(/^connection: close\r$/im);
    });
  });
});

describe('connection times', () => {
  it('close a connection without a complete head', async () => {
    await served(new App().connectionTimeouts({ headersMs: 200 }), async (port) => {
      const { closed } = await open(port, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      expect(statuses(await closed)).toEqual([408]);
    });
  });

  it('close an idle connection, and inform the client of the timeout', async () => {
    await served(
      new App().connectionTimeouts({ keepAliveMs: 1_000 }).get('/', () => 'hi'),
      async (port) => {
        const { closed } = await open(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        expect(await closed).toMatch(/^keep-alive: timeout=1\r$/im);
      },
    );
  });

  it.each([
    [
      { headersMs: 0 },
      'connectionTimeouts: headersMs is 0; give a whole number of milliseconds from 1 to 2147483647',
    ],
    [{ idleBodyMs: Number.NaN }, 'connectionTimeouts: idleBodyMs is NaN; give'],
    [
      { headTimeout: 5 },
      "connectionTimeouts has no option 'headTimeout'; there are headersMs, idleBodyMs, keepAliveMs",
    ],
  ])('%j are refused', (times, message) => {
    expect(() => new App().connectionTimeouts(times as object)).toThrow(message);
  });
});

describe('a shutdown under load', () => {
  it('answers every request that has begun, and refuses connections afterwards', async () => {
    const app = new App()
      .get('/', () => 'quick')
      .get('/slow', async () => {
        // Some turns of the event loop, so that the drain begins during some of the requests.
        for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
        return 'slow';
      })
      .post('/', async (ctx) => `${(await ctx.req.bytes()).length}`);
    const listening = await app.listen(0);
    const { port } = listening;
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    let isClosing = false;
    const answers = { complete: 0, duringDrain: 0, refused: 0, lost: [] as string[] };

    const ask = (method: string, path: string, body?: string) =>
      new Promise<void>((resolve) => {
        const outgoing = request({ host: '127.0.0.1', port, method, path, agent }, async (incoming) => {
          let text = '';
          for await (const chunk of incoming) text += chunk;
          const expected = body === undefined ? (path === '/' ? 'quick' : 'slow') : `${body.length}`;
          if (text !== expected) answers.lost.push(`${method} ${path} got '${text}'`);
          answers.complete += 1;
          if (isClosing) answers.duringDrain += 1;
          resolve();
        });
        outgoing.on('error', (error: NodeJS.ErrnoException) => {
          // A connection that was refused, or closed before a byte of the request was read, did not lose a request.
          if (error.code === 'ECONNREFUSED') answers.refused += 1;
          else answers.lost.push(`${method} ${path} ${error.code} reused=${outgoing.reusedSocket}`);
          resolve();
        });
        outgoing.end(body);
      });
    const client = async () => {
      while (answers.refused === 0) {
        await ask('GET', '/');
        await ask('GET', '/slow');
        await ask('POST', '/', 'x'.repeat(100_000));
      }
    };
    const clients = Array.from({ length: 20 }, client);
    while (answers.complete < 200) await new Promise(setImmediate);
    isClosing = true;
    await listening.close();
    await Promise.all(clients);
    agent.destroy();
    expect(answers.lost).toEqual([]);
    expect(answers.duringDrain).toBeGreaterThan(0);
    expect(answers.refused).toBeGreaterThan(0);
  });
});

describe('Expect: 100-continue', () => {
  const expecting = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n`;
  const app = () =>
    new App()
      .maxBodySize(100)
      .post('/read', (ctx) => ctx.req.text())
      .post('/stream', async (ctx) => {
        for await (const chunk of ctx.req.stream) return chunk.length;
        return 0;
      })
      .post('/ignored', () => 'not read');

  it.each(['/read', '/stream'])('is answered when %s reads the body', async (path) => {
    await served(app(), async (port) => {
      const { socket, closed } = await open(port, expecting(path));
      const [first] = await once(socket, 'data');
      expect(first).toBe('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write('abc');
      await once(socket, 'data');
      socket.end();
      expect(statuses(await closed)).toEqual([100, 200]);
    });
  });

  it('is not answered if the body is not read, and the connection is closed', async () => {
    await served(app(), async (port) => {
      const { closed } = await open(port, expecting('/ignored'));
      const answer = await closed;
      expect(statuses(answer)).toEqual([200]);
      expect(answer).toMatch(/^connection: close\r$/im);
    });
  });

  it('is not answered if the body would be too large', async () => {
    await served(app(), async (port) => {
      const { closed } = await open(port, expecting('/read').replace(': 3', ': 1000'));
      expect(statuses(await closed)).toEqual([413]);
    });
  });
});
