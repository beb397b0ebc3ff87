// Streams and events of a TestClient, in the process and over HTTP.
import { afterEach, describe, expect, it } from 'vitest';
import { App, SseEvent, sseChannel } from '../index.js';
import { startServer, TestClient, type TestServer, withServer } from './index.js';

const servers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const ways: Record<string, (app: App) => Promise<TestClient>> = {
  'in process': async (app) => new TestClient(app),
  'over HTTP': async (app) => {
    const server = await startServer(app);
    servers.push(server);
    return server.client;
  },
};

/** Yields a chunk for every call of `go`; records when it was stopped, and whether `ctx.signal` was aborted then. */
function stepwise(): { app: App; go: () => void; stopped: Promise<void>; aborted: Promise<void> } {
  const steps: (() => void)[] = [];
  let ready = 0;
  let stop = () => {};
  let abort = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const aborted = new Promise<void>((resolve) => {
    abort = resolve;
  });
  const step = () =>
    new Promise<void>((resolve) => {
      if (ready > 0) {
        ready -= 1;
        resolve();
      } else steps.push(resolve);
    });
  async function* produce() {
    try {
      for (let i = 1; ; i++) {
        await step();
        yield `chunk ${i}`;
      }
    } finally {
      stop();
    }
  }
  const app = new App().get('/', (ctx) => {
    ctx.signal.addEventListener('abort', () => {
      abort();
      go();
    });
    return ctx.stream(produce(), 'text/plain');
  });
  const go = () => {
    const waiting = steps.shift();
    if (waiting) waiting();
    else ready += 1;
  };
  return { app, go, stopped, aborted };
}

const text = (chunk: Uint8Array | undefined) => new TextDecoder().decode(chunk);

describe.each(Object.entries(ways))('a stream %s', (_way, connect) => {
  it('returns chunks as they arrive', async () => {
    const { app, go } = stepwise();
    const client = await connect(app);
    go();
    const stream = await client.stream('/');
    stream.assertStatus(200).assertHeader('content-type', 'text/plain');
    expect(text(await stream.next())).toBe('chunk 1');
    go();
    expect(text(await stream.next())).toBe('chunk 2');
    await stream.close();
    expect(await stream.next()).toBeUndefined();
  });

  it('notifies the App when it is closed', async () => {
    const { app, go, stopped, aborted } = stepwise();
    const client = await connect(app);
    go();
    const stream = await client.stream('/');
    await stream.next();
    const pending = stream.next();
    await stream.close();
    expect(await pending).toBeUndefined();
    await Promise.all([stopped, aborted]);
  });

  it('is ended by a signal', async () => {
    const { app, go, stopped } = stepwise();
    const client = await connect(app);
    const controller = new AbortController();
    go();
    const stream = await client.stream('/', { signal: controller.signal });
    const chunks: string[] = [];
    for await (const chunk of stream) {
      chunks.push(text(chunk));
      controller.abort();
    }
    expect(chunks).toEqual(['chunk 1']);
    await stopped;
  });

  it('can be read to its end, with another method and a body', async () => {
    const app = new App().post('/', async (ctx) => {
      const body = await ctx.req.text();
      async function* produce() {
        yield body;
        yield 'ü';
      }
      return ctx.stream(produce());
    });
    const stream = await (await connect(app)).stream('/', { method: 'POST', body: 'sent ' });
    expect(await stream.rest()).toBe('sent ü');
  });

  it('rejects if the response is cut off', async () => {
    let fail = () => {};
    const failing = new Promise<void>((_resolve, reject) => {
      fail = () => reject(new Error('broken on purpose'));
    });
    const app = new App().get('/', (ctx) => {
      async function* produce() {
        yield 'some';
        await failing;
      }
      return ctx.stream(produce());
    });
    const stream = await (await connect(app)).stream('/');
    expect(text(await stream.next())).toBe('some');
    fail();
    await expect(stream.rest()).rejects.toThrow();
  });

  it('is closed with its client', async () => {
    const { app, go, stopped } = stepwise();
    const client = await connect(app);
    go();
    const stream = await client.stream('/');
    await stream.next();
    await client.close();
    await stopped;
    expect(await stream.next()).toBeUndefined();
  });
});

describe.each(Object.entries(ways))('events %s', (_way, connect) => {
  it('are parsed as they arrive', async () => {
    const { sender, stream } = sseChannel();
    const app = new App().get('/feed', (ctx) => {
      sender.send(SseEvent.data(`after ${ctx.lastEventId()}`));
      return ctx.sse(stream);
    });
    const events = await (await connect(app)).events('/feed', { lastEventId: '7' });
    expect(events.status).toBe(200);
    expect(await events.next()).toMatchObject({ event: 'message', data: 'after 7' });
    sender.send(SseEvent.data('a\nb').event('news').id('8').retry(250));
    sender.send(SseEvent.comment('ping'));
    expect(await events.take(2)).toEqual([
      { event: 'news', data: 'a\nb', id: '8', retry: 250, comments: [] },
      { event: 'message', data: undefined, id: undefined, retry: undefined, comments: ['ping'] },
    ]);
    sender.close();
    const left = [];
    for await (const event of events) left.push(event);
    expect(left).toEqual([]);
    await expect(events.take(1)).rejects.toThrow('the event stream ended after 0 of 1 events');
  });

  it('end when the test closes them', async () => {
    const { stream } = sseChannel();
    const events = await (await connect(new App().get('/', (ctx) => ctx.sse(stream)))).events('/');
    const next = events.next();
    await events.close();
    expect(await next).toBeUndefined();
  });

  it('fail with the response if it is not an event stream', async () => {
    const client = await connect(new App().get('/', () => 'no events'));
    await expect(client.events('/')).rejects.toThrow(
      /GET \/: expected header content-type[\s\S]*got 200\n[\s\S]*a body that was not read/,
    );
    await expect(client.events('/nope')).rejects.toThrow('GET /nope: expected status 200\n  got 404');
  });
});

describe('a client over HTTP', () => {
  it('sends a stream in chunks, and accepts a response before its end', async () => {
    const app = new App()
      .maxBodySize(100)
      .post('/', async (ctx) => ctx.text(`${ctx.req.header('transfer-encoding')} ${await ctx.req.text()}`));
    const sending = (chunk: string, count: number) =>
      ReadableStream.from(Array.from({ length: count }, () => new TextEncoder().encode(chunk)));
    await withServer(app, async ({ client }) => {
      (await client.post('/', { body: sending('ab', 3) })).assertText('chunked ababab');
      (await client.post('/', { body: sending('x'.repeat(60), 3) })).assertStatus(413);
    });
  });

  it('rejects if there is no server, or if the signal is aborted', async () => {
    const server = await startServer(
      new App().get('/', () => new Promise<never>(() => {})).shutdownGracePeriod(0),
    );
    const controller = new AbortController();
    const answer = server.client.get('/', { signal: controller.signal });
    controller.abort();
    await expect(answer).rejects.toThrow('aborted');
    await server.close();
    await expect(new TestClient(server.url).get('/')).rejects.toThrow('ECONNREFUSED');
  });

  it('reads responses without a body', async () => {
    const app = new App().get('/', () => undefined).get('/text', () => 'text');
    await withServer(app, async ({ client }) => {
      (await client.get('/')).assertStatus(204).assertText('');
      (await client.head('/text')).assertStatus(200).assertHeader('content-length', '4').assertText('');
    });
  });
});

describe('withServer', () => {
  it('serves over HTTP, keeps cookies and does not follow redirects', async () => {
    const app = new App()
      .get('/', (ctx) => ctx.redirect('/elsewhere'))
      .get('/peer', (ctx) =>
        ctx.json([ctx.peerAddr()?.address, ctx.req.header('x-agent'), ctx.req.uri.origin]),
      );
    const result = await withServer(
      app,
      async ({ url, client, port }) => {
        (await client.get('/')).assertStatus(302).assertHeader('location', '/elsewhere');
        (await client.get('/peer')).assertJson(['127.0.0.1', 'test', url]);
        return port;
      },
      { headers: { 'X-Agent': 'test' } },
    );
    expect(result).toBeGreaterThan(0);
    await expect(fetch(`http://127.0.0.1:${result}/`)).rejects.toThrow();
  });

  it('closes the server and the streams of its client if the test fails', async () => {
    let url = '';
    const { stream } = sseChannel();
    const app = new App().get('/', (ctx) => ctx.sse(stream));
    const failing = withServer(app, async (server) => {
      url = server.url;
      await server.client.events('/');
      throw new Error('failed on purpose');
    });
    await expect(failing).rejects.toThrow('failed on purpose');
    await expect(fetch(url)).rejects.toThrow();
  });

  it('can be closed with Symbol.asyncDispose', async () => {
    const server = await startServer(new App().get('/', () => 'up'));
    const client = new TestClient(server.url);
    (await client.get('/')).assertText('up');
    await client.close();
    await server[Symbol.asyncDispose]();
    await expect(fetch(server.url)).rejects.toThrow();
  });
});
