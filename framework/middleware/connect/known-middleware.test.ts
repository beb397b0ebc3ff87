// Middleware that many apps use: helmet and morgan, as installed from npm.
import helmet from 'helmet';
import morgan from 'morgan';
import { describe, expect, it } from 'vitest';
import { ways } from '../../conformance/test-client-ways.js';
import { App } from '../../index.js';
import { connectWebSocket, refusedWebSocket } from '../../testing/websocket/index.js';
import { websocket } from '../../websocket/index.js';
import { fromConnect } from './from-connect.js';

describe.each(Object.entries(ways))('helmet %s', (_way, run) => {
  it('adds its fields to responses, errors and 404s, and removes X-Powered-By', async () => {
    const app = new App()
      .use(fromConnect(helmet()))
      .get('/', (ctx) => ctx.json({ a: 1 }))
      .get('/throws', () => {
        throw new Error('failed on purpose');
      });
    await run(app, async (client) => {
      for (const [path, status] of [
        ['/', 200],
        ['/nope', 404],
        ['/throws', 500],
      ] as const) {
        const answer = await client.get(path);
        answer
          .assertStatus(status)
          .assertHeader('content-security-policy', /default-src 'self'/)
          .assertHeader('x-content-type-options', 'nosniff')
          .assertHeader('content-type', 'application/json');
        expect(answer.header('x-powered-by')).toBeUndefined();
      }
    });
  });
});

describe.each(Object.entries(ways))('morgan %s', (_way, run) => {
  /** An App whose log lines can be awaited. */
  function logged(format: string): { app: App; line: () => Promise<string> } {
    const lines: string[] = [];
    let wake = () => {};
    const stream = {
      write(line: string) {
        lines.push(line);
        wake();
      },
    };
    const line = async () => {
      if (lines.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return lines.shift() as string;
    };
    return { app: new App().use(fromConnect(morgan(format, { stream }))), line };
  }

  it('logs method, URL, status, length, time and user agent of buffered responses', async () => {
    const { app, line } = logged(
      ':method :url :status :res[content-length] :response-time :user-agent :http-version',
    );
    app.get('/text', () => 'grüße').get('/none', () => undefined);
    await run(app, async (client) => {
      await client.get('/text?a=%20', { headers: { 'User-Agent': 'test' } });
      expect(await line()).toMatch(/^GET \/text\?a=%20 200 7 \d+\.\d+ test 1\.1\n$/);
      await client.post('/text');
      expect(await line()).toMatch(/^POST \/text 405 \d+ \d+\.\d+ /);
      await client.get('/none');
      expect(await line()).toMatch(/^GET \/none 204 - \d+\.\d+ /);
    });
  });

  it('logs a stream when it has ended, or when the client has left', async () => {
    const { app, line } = logged(':url :status');
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    app
      .get('/stream', (ctx) => {
        async function* produce() {
          yield 'first';
          await gate;
          yield 'last';
        }
        return ctx.stream(produce());
      })
      .get('/quick', () => 'quick');
    await run(app, async (client) => {
      const stream = await client.stream('/stream');
      await stream.next();
      await client.get('/quick');
      expect(await line()).toBe('/quick 200\n');
      go();
      await stream.rest();
      expect(await line()).toBe('/stream 200\n');
      const left = await client.stream('/stream');
      await left.close();
      expect(await line()).toBe('/stream 200\n');
    });
  });
});

describe('around a WebSocket', () => {
  const echo = websocket({ onMessage: (socket, message) => void socket.send(message) });

  it('helmet and morgan let it open, and see what is refused', async () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line) };
    const app = new App()
      .use(fromConnect(helmet()))
      .use(fromConnect(morgan(':url :status', { stream })))
      .websocket('/echo', echo);
    const socket = await connectWebSocket(app, '/echo');
    socket.send('hello');
    expect(await socket.nextText()).toBe('hello');
    await socket.close();
    const refusal = await refusedWebSocket(app, '/nope');
    expect(refusal.status).toBe(404);
    expect(lines).toEqual(['/echo 101\n', '/nope 404\n']);
  });

  it('a middleware that changes the status of the handshake is told', async () => {
    const app = new App()
      .use(
        fromConnect((_req, res, next) => {
          const { writeHead } = res;
          res.writeHead = () => writeHead.call(res, 202);
          next();
        }),
      )
      .websocket('/echo', echo);
    expect((await refusedWebSocket(app, '/echo')).status).toBe(500);
  });
});
