// Tests of WebSockets as users write them, and what is left open after them.
import { createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App } from '../../app/app.js';
import { Query } from '../../extract/query.js';
import { FwError } from '../../http/errors.js';
import { ChannelManager, websocket } from '../../websocket/index.js';
import { startServer } from '../index.js';
import { connectWebSocket, refusedWebSocket } from './index.js';

const resources = (kind: string): number =>
  process.getActiveResourcesInfo().filter((name) => name.startsWith(kind)).length;
/** Servers and connections that do not belong to these tests. */
const before = resources('TCP');

afterEach(async () => {
  await vi.waitFor(() => expect(resources('TCP')).toBeLessThanOrEqual(before), { interval: 2 });
});

const room = websocket({
  receives: { say: z.object({ text: z.string() }), quit: z.null() },
  sends: { said: z.object({ text: z.string() }), joined: z.string() },
  onOpen: (socket) => void socket.emit('joined', 'you'),
  on: {
    say: (socket, { text }) => void socket.emit('said', { text }),
    quit: (socket) => socket.close(4000, 'as you wish'),
  },
});

const echo = () =>
  new App().websocket('/', websocket({ onMessage: (socket, message) => void socket.send(message) }));

describe('connectWebSocket', () => {
  it('sends and awaits texts, bytes and JSON', async () => {
    await using socket = await connectWebSocket(echo(), '/');
    socket.send('a');
    socket.send(new Uint8Array([1, 2]));
    socket.sendJson({ b: 1 });
    expect(await socket.nextText()).toBe('a');
    expect(await socket.nextBytes()).toEqual(new Uint8Array([1, 2]));
    expect(await socket.nextJson<{ b: number }>()).toEqual({ b: 1 });
    const both = Promise.all([socket.nextText(), socket.nextText()]);
    socket.send('first');
    socket.send('second');
    expect(await both).toEqual(['first', 'second']);
    await socket.assertNothing();
  });

  it('awaits events by their names, and leaves the others', async () => {
    await using socket = await connectWebSocket<typeof room>(new App().websocket('/', room), '/');
    socket.emit('say', { text: 'hi' });
    expect(await socket.nextEvent('said')).toEqual({ text: 'hi' });
    expect(await socket.nextEvent()).toEqual({ event: 'joined', data: 'you' });
    socket.sendJson({ event: 'say', data: {} });
    expect(await socket.nextRefusal()).toMatchObject({ event: 'say', issues: [{ path: ['text'] }] });
    socket.emit('quit', null);
    expect(await socket.assertClosed(4000, 'as you wish')).toEqual(await socket.closed);
    expect(socket.isOpen).toBe(false);
    await socket.assertNothing();
  });

  it('connects with headers, query, sub-protocols and a token', async () => {
    const app = new App().websocket(
      '/rooms',
      Query(z.object({ as: z.array(z.string()) })),
      websocket(
        {
          data: ({ as }) => as,
          onOpen: (socket) => void socket.sendJson([socket.data, socket.protocol]),
        },
        { protocols: ['chat'], allowedOrigins: ['https://app.example.org'] },
      ),
    );
    const seen: (string | undefined)[] = [];
    app.use((ctx, next) => {
      seen.push(ctx.req.header('authorization'));
      return next();
    });
    await using socket = await connectWebSocket(app, '/rooms', {
      headers: { origin: 'https://app.example.org' },
      query: { as: ['a', 'b'] },
      protocols: ['other', 'chat'],
      token: 'secret',
    });
    expect(await socket.nextJson()).toEqual([['a', 'b'], 'chat']);
    expect(socket.protocol).toBe('chat');
    expect(seen).toEqual(['Bearer secret']);
  });

  it('serves an App once for all of its sockets, and closes the server with the last one', async () => {
    const closed: string[] = [];
    const app = echo().onClose(() => void closed.push('app'));
    const [one, two] = await Promise.all([connectWebSocket(app, '/'), connectWebSocket(app, '/')]);
    await one.close();
    await one.close();
    expect(closed).toEqual([]);
    two.send('still there');
    expect(await two.nextText()).toBe('still there');
    await two.terminate();
    expect(closed).toEqual(['app']);
    await using again = await connectWebSocket(app, '/');
    expect(again.isOpen).toBe(true);
  });

  it('closes the server also if the App closes the last socket', async () => {
    let close = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const app = new App()
      .websocket('/', websocket({ onOpen: (socket) => socket.close(4001) }))
      .onClose(() => close());
    await (await connectWebSocket(app, '/')).assertClosed(4001);
    await closed;
  });

  it('connects to a server that runs, and leaves it running', async () => {
    await using server = await startServer(echo().get('/up', () => 'up'));
    for (const target of [server, server.url]) {
      await using socket = await connectWebSocket(target, '/');
      socket.send('x');
      expect(await socket.nextText()).toBe('x');
    }
    (await server.client.get('/up')).assertText('up');
  });

  it('connects as a generated client, with the last ids of topics', async () => {
    const channels = new ChannelManager({ history: { messages: 10 } });
    const app = new App().websocket(
      '/',
      websocket(
        { receives: {}, on: {}, onOpen: (socket) => channels.subscribe(socket, 'news') },
        { pingIntervalMs: 5 },
      ),
    );
    await using server = await startServer(app);
    await using first = await connectWebSocket(server, '/', { resume: {} });
    expect(first.protocol).toBe('fw.events');
    channels.emit('news', 'a', 1);
    expect(await first.nextEvent('a')).toBe(1);
    await first.close();
    channels.emit('news', 'b', 2);
    await using second = await connectWebSocket(server, '/', { resume: first.lastIds });
    expect(await second.nextEvent()).toMatchObject({ event: 'b', data: 2, topic: 'news' });
    await second.assertNothing();
  });

  it('rejects with the response if the handshake is refused, and if there is none', async () => {
    const app = new App().websocket(
      '/',
      websocket({
        data: () => {
          throw FwError.unauthorized('who are you?');
        },
      }),
    );
    await expect(connectWebSocket(app, '/')).rejects.toThrow(
      /^GET \/ \(WebSocket\): expected status 101\n {2}got 401\n[\s\S]*who are you\?/,
    );
    await expect(connectWebSocket('http://127.0.0.1:1', '/')).rejects.toThrow('ECONNREFUSED');
    await expect(connectWebSocket('nonsense', '/')).rejects.toThrow("such as 'http://127.0.0.1:3000'");
    await expect(connectWebSocket(app, 'no-slash')).rejects.toThrow("a path that starts with '/'");
    await expect(connectWebSocket(echo(), '/', { resume: {} })).rejects.toThrow(
      "WebSocket /: the server selected none of the sub-protocols that were offered, which browsers refuse; offer one that 'protocols' of websocket() names; 'resume' needs 'receives'",
    );
    const other = new App().websocket('/', websocket({}, { protocols: ['chat'] }));
    await expect(connectWebSocket(other, '/', { resume: {}, protocols: ['chat'] })).rejects.toThrow(
      "the server selected 'chat'; 'resume' needs a WebSocket with 'receives'",
    );
  });

  it('gives up after the time-out if nobody answers the handshake', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const connecting = connectWebSocket(`http://127.0.0.1:${port}`, '/', { timeoutMs: 20 });
    await expect(connecting).rejects.toThrow('timed out');
    await new Promise((resolve) => silent.close(resolve));
  });
});

describe('a failure', () => {
  it('shows what came instead, and where the test waited', async () => {
    await using socket = await connectWebSocket(echo(), '/', { timeoutMs: 1_000 });
    socket.sendJson({ event: 'other', data: 1 });
    socket.send(new Uint8Array(3));
    socket.send('');
    await socket.roundTrip();
    const failure = await socket.nextEvent('said').catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'AssertionError',
      message: [
        "WebSocket /: expected the event 'said'",
        '  received {"event":"other","data":1}',
        '  received 3 bytes',
        '  received (an empty text)',
        '  the connection is open',
      ].join('\n'),
      stack: expect.stringContaining('test-web-socket.test.ts'),
    });
    await expect(socket.nextBytes()).rejects.toThrow('expected bytes\n  received {"event":"other"');
    await expect(socket.assertNothing()).rejects.toThrow('expected no message\n  received {"event"');
    await socket.nextText();
    await expect(socket.nextJson()).rejects.toThrow('expected a JSON text\n  received 3 bytes');
    await expect(socket.assertClosed()).rejects.toThrow('expected the connection to be closed\n');
    for (let i = 0; i < 10; i++) socket.send(`${i}`);
    await socket.roundTrip();
    await expect(socket.nextText()).rejects.toThrow(/received 7\n {2}and 2 more\n/);
  });

  it('takes nothing that comes later, which the next one gets', async () => {
    await using socket = await connectWebSocket(echo(), '/', { timeoutMs: 50 });
    await expect(socket.nextText()).rejects.toThrow('expected a text\n  received no other message');
    socket.send('late');
    await vi.waitFor(() => expect(socket.nextText()).resolves.toBe('late'));
  });

  it('comes at once when the connection has closed', async () => {
    await using socket = await connectWebSocket<typeof room>(new App().websocket('/', room), '/');
    const waiting = socket.nextText().then(() => socket.nextText());
    socket.emit('quit', null);
    await expect(waiting).rejects.toThrow(
      'expected a text\n  received no other message\n  the connection was closed with 4000 "as you wish"',
    );
    await expect(socket.nextEvent()).rejects.toThrow('expected an event\n');
    expect(() => socket.send('x')).toThrow('expected an open connection to send on');
    await expect(socket.roundTrip()).rejects.toThrow('expected the answer to a ping');
    await expect(socket.assertClosed(1000)).rejects.toMatchObject({
      message: expect.stringContaining('expected the connection to be closed with 1000\n'),
      actual: { code: 4000, reason: 'as you wish' },
      expected: { code: 1000, reason: undefined },
    });
    await expect(socket.assertClosed(4000, 'other')).rejects.toThrow('to be closed with 4000 "other"');
    await expect(socket.assertClosed(4000, /^you/)).rejects.toThrow('to be closed with 4000 /^you/');
    await socket.assertClosed(4000, /wish$/);
  });

  it('and success leave no timer', async () => {
    const timers = resources('Timeout');
    const app = new App().websocket('/', room);
    await using server = await startServer(app);
    await using socket = await connectWebSocket<typeof room>(server, '/', { timeoutMs: 60_000, resume: {} });
    const said = socket.nextEvent('said');
    socket.emit('say', { text: 'hi' });
    await said;
    await socket.roundTrip();
    const never = expect(socket.nextBytes()).rejects.toThrow();
    const later = expect(socket.nextEvent('never' as never)).rejects.toThrow();
    socket.emit('quit', null);
    await Promise.all([never, later, socket.assertClosed(4000)]);
    await server.close();
    expect(resources('Timeout')).toBeLessThanOrEqual(timers);
  });

  it('of onOpen reaches a client that waits for ready', async () => {
    const app = new App().websocket(
      '/',
      websocket({
        receives: {},
        on: {},
        onOpen: () => {
          throw FwError.forbidden('not today');
        },
      }),
    );
    await expect(connectWebSocket(app, '/', { resume: {} })).rejects.toThrow(
      'expected \'ready\' after onOpen\n  received no other message\n  the connection was closed with 1008 "not today"',
    );
  });
});

describe('assertNothing', () => {
  it('sees what channels publish at the end of the turn', async () => {
    const channels = new ChannelManager();
    const app = new App().websocket(
      '/',
      websocket({
        onOpen: (socket) => channels.subscribe(socket, 'all'),
        onMessage: () => void channels.publish('all', 'published'),
      }),
    );
    await using socket = await connectWebSocket(app, '/');
    socket.send('x');
    await expect(socket.assertNothing()).rejects.toThrow('received published');
  });
});

describe('refusedWebSocket', () => {
  it('resolves with the plain response', async () => {
    const app = new App().websocket('/', websocket({}, { allowedOrigins: ['https://app.example.org'] }));
    const headers = { origin: 'https://evil.example' };
    (await refusedWebSocket(app, '/', { headers })).assertStatus(403).assertText(/may not connect/);
    (await refusedWebSocket(app, '/nope')).assertStatus(404);
  });

  it('rejects if the handshake is accepted', async () => {
    await expect(refusedWebSocket(echo(), '/')).rejects.toThrow(
      'WebSocket /: expected the handshake to be refused, but it was accepted',
    );
  });
});

describe('a socket that resumes', () => {
  const feed = (messages = 10) => {
    const channels = new ChannelManager({ history: { messages } });
    const route = websocket({ receives: {}, on: {}, onOpen: (one) => channels.subscribe(one, 'feed') });
    return { channels, app: new App().websocket('/', route) };
  };

  it('continues from its place before its first event, as generated clients do', async () => {
    const { channels, app } = feed();
    await using server = await startServer(app);
    const one = await connectWebSocket(server, '/', { resume: {} });
    await one.assertNothing();
    const resume = one.lastIds;
    expect(resume).toEqual({ feed: expect.stringMatching(/-0$/) });
    await one.terminate();
    channels.emit('feed', 'said', 1);
    await using back = await connectWebSocket(server, '/', { resume });
    expect(await back.nextEvent('said')).toBe(1);
    expect(back.lastIds.feed).toMatch(/-1$/);
  });

  it('sees that messages are missed, and continues from the place that it is told', async () => {
    const { channels, app } = feed(1);
    await using server = await startServer(app);
    for (const n of [1, 2]) channels.emit('feed', 'said', n);
    await using one = await connectWebSocket(server, '/', { resume: { feed: 'unknown-1' } });
    expect(await one.nextJson()).toEqual({ missed: { topic: 'feed', id: expect.stringMatching(/-2$/) } });
    expect(one.lastIds.feed).toMatch(/-2$/);
  });

  it('keeps the last 1,000 places, as generated clients do', async () => {
    const route = websocket({
      receives: {},
      on: {},
      onOpen(socket) {
        for (let n = 0; n <= 1_000; n++) socket.sendJson({ position: { topic: `t${n}`, id: '1-0' } });
        socket.sendJson({ position: 'odd' });
        socket.sendJson({ missed: { topic: 't5' } });
      },
    });
    await using socket = await connectWebSocket(new App().websocket('/', route), '/', { resume: {} });
    const topics = Object.keys(socket.lastIds);
    expect([topics.length, topics[0], topics.includes('t5')]).toEqual([999, 't1', false]);
    expect(await socket.nextJson()).toEqual({ position: 'odd' });
  });
});
