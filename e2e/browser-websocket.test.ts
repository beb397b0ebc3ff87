// WebSockets of an App in a browser: messages, sub-protocols, tokens, close codes, origins and sessions.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { App } from '../framework/index.js';
import { MemoryStore, session } from '../framework/session/index.js';
import { startServer, type TestServer } from '../framework/testing/index.js';
import { websocket } from '../framework/websocket/index.js';
import { launchBrowser, noBrowser } from './browser.js';

const closes: unknown[] = [];

/** The listed origin is the server's own, under the name of its address; `localhost` is foreign. */
function makeApp(own: string): App {
  const echo = websocket(
    {
      onMessage: (socket, message) => void socket.send(message),
      onClose: (_socket, code, reason) => void closes.push([code, reason]),
    },
    { protocols: ['chat'] },
  );
  return new App()
    .use(session(new MemoryStore(), { secure: false }))
    .get('/', (ctx) => ctx.html('<!doctype html><title>page</title>'))
    .post('/login', (ctx) => {
      ctx.session().signIn('ada');
    })
    .websocket('/echo', echo)
    .websocket('/closes', websocket({ onOpen: (socket) => socket.close(4321, 'ünï') }))
    .websocket(
      '/listed',
      websocket({ onOpen: (socket) => void socket.send('in') }, { allowedOrigins: [own] }),
    )
    .websocket(
      '/me',
      websocket(
        {
          data: (ctx) => [ctx.session().userId, ctx.req.header('authorization')],
          onOpen: (socket) => void socket.sendJson(socket.data),
        },
        { protocols: ['chat'] },
      ),
    );
}

/** In the page: sends the messages, and resolves with as many answers, or with the code of the close. */
const script = `
window.talk = (path, messages = [], count = messages.length, protocols = []) => new Promise((resolve) => {
  const socket = new WebSocket(location.origin.replace('http', 'ws') + path, protocols);
  socket.binaryType = 'arraybuffer';
  const received = [];
  socket.onopen = () => { for (const message of messages) socket.send(message); };
  socket.onclose = ({ code, reason, wasClean }) => resolve({ code, reason, wasClean });
  socket.onmessage = ({ data }) => {
    received.push(typeof data === 'string' ? data : [...new Uint8Array(data)]);
    if (received.length < count) return;
    socket.onclose = () => resolve({ received, protocol: socket.protocol });
    socket.close(4000, 'done');
  };
});`;

describe.skipIf(noBrowser !== undefined)('a WebSocket in Chromium', () => {
  let browser: Browser;
  let server: TestServer;
  let page: Page;

  const open = async (origin: string): Promise<Page> => {
    const one = await browser.newPage();
    await one.goto(origin);
    await one.evaluate(script);
    return one;
  };

  beforeAll(async () => {
    // The port is in the list of origins, so it must be known before.
    const first = await startServer(new App());
    const { port } = first;
    await first.close();
    const app = makeApp(`http://127.0.0.1:${port}`);
    server = await startServer({ listen: () => app.listen(port) });
    browser = await launchBrowser();
    page = await open(server.url);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test('exchanges text, bytes and 1 MB', async () => {
    const answer = await page.evaluate(`talk('/echo', ['ünï', new Uint8Array([0, 255])], 2)`);
    expect(answer).toEqual({ received: ['ünï', [0, 255]], protocol: '' });
    const large = await page.evaluate(
      `talk('/echo', ['x'.repeat(1000000)]).then(({ received: [text] }) => text === 'x'.repeat(1000000))`,
    );
    expect(large).toBe(true);
    await vi.waitFor(() =>
      expect(closes.splice(0)).toEqual([
        [4000, 'done'],
        [4000, 'done'],
      ]),
    );
  });

  test('gets the sub-protocol, and the close code of the server', async () => {
    expect(await page.evaluate(`talk('/echo', ['a'], 1, ['other', 'chat'])`)).toMatchObject({
      protocol: 'chat',
    });
    expect(await page.evaluate(`talk('/closes')`)).toEqual({ code: 4321, reason: 'ünï', wasClean: true });
    expect(await page.evaluate(`talk('/nowhere')`)).toMatchObject({ code: 1006 });
  });

  test('connects only from the origins that are listed', async () => {
    expect(await page.evaluate(`talk('/listed', [], 1)`)).toMatchObject({ received: ['in'] });
    const foreign = await open(server.url.replace('127.0.0.1', 'localhost'));
    expect(await foreign.evaluate(`talk('/listed', [], 1)`)).toMatchObject({ code: 1006 });
    expect(await foreign.evaluate(`talk('/echo', ['a'])`)).toMatchObject({ received: ['a'] });
    await foreign.close();
  });

  test('is signed in by a session, and by a token', async () => {
    await page.evaluate(`fetch('/login', { method: 'POST' })`);
    const token = `fw.bearer.${Buffer.from('secret').toString('base64url')}`;
    expect(await page.evaluate(`talk('/me', [], 1, ['chat', '${token}'])`)).toEqual({
      received: ['["ada","Bearer secret"]'],
      protocol: 'chat',
    });
  });

  test('is closed with its page', async () => {
    const other = await open(server.url);
    await other.evaluate(
      `new Promise((resolve) => { window.kept = new WebSocket(location.origin.replace('http', 'ws') + '/echo'); kept.onopen = resolve; })`,
    );
    closes.length = 0;
    await other.close();
    await vi.waitFor(() => expect(closes).toEqual([[1001, '']]));
  });
});
