// An App in an HTTP/2 server, where the streams of all responses share a socket.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type ClientHttp2Session, connect, constants, createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { App } from '../../app/app.js';
import { toNodeHandler } from '../../app/to-node-handler.js';
import type { Context } from '../../context/context.js';
import type { RouteHandler } from '../../context/handlers.js';
import { subscribe } from '../../tracing/subscribe.js';
import { websocket } from '../../websocket/index.js';

let server: Http2Server;
let session: ClientHttp2Session;
let response: ServerResponse;
const reported: string[] = [];
let stop = () => {};

beforeEach(() => {
  stop = subscribe(({ fields }) => reported.push((fields.error as Error).message));
});

afterEach(async () => {
  stop();
  reported.length = 0;
  session.close();
  await new Promise((resolve) => server.close(resolve));
});

async function serve(app: App): Promise<void> {
  const handle = toNodeHandler(app);
  server = createServer((incoming, outgoing) => {
    response = outgoing as unknown as ServerResponse;
    handle(incoming as never, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

async function ask(method: string, path: string, body?: string, authority?: string) {
  const stream = session.request({ ':method': method, ':path': path, ':authority': authority });
  const answer = { status: 0, text: '', error: '' };
  stream.on('response', (headers) => {
    answer.status = Number(headers[':status']);
  });
  stream.setEncoding('utf8').on('data', (chunk) => {
    answer.text += chunk;
  });
  stream.on('error', (error) => {
    answer.error = error.message;
  });
  stream.end(body);
  await new Promise((resolve) => stream.once('close', resolve));
  return answer;
}

describe('the request', () => {
  const app = () =>
    new App()
      .get('/uri', (ctx) =>
        ctx.json([ctx.req.uri.href, Object.keys(ctx.req.headers()).filter((name) => name[0] === ':')]),
      )
      .post('/handed', async (ctx) => {
        const request = ctx.req.request();
        return [request.url, await request.text()];
      })
      .mount('/mounted', async (request) => Response.json([request.url, await request.text()]));

  it('has the authority that the client has asked for, and no pseudo-fields', async () => {
    await serve(app());
    const { port } = server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    expect(JSON.parse((await ask('GET', '/uri')).text)).toEqual([`${origin}/uri`, []]);
    expect(JSON.parse((await ask('POST', '/handed', 'x')).text)).toEqual([`${origin}/handed`, 'x']);
    expect(JSON.parse((await ask('POST', '/mounted/a', 'x')).text)).toEqual([`${origin}/a`, 'x']);
  });

  it('is refused if its authority is one that no URL can have', async () => {
    await serve(app());
    expect(await ask('GET', '/uri', undefined, 'a:99999')).toMatchObject({ status: 400, error: '' });
  });
});

async function* failing(): AsyncGenerator<string> {
  yield 'begun';
  await new Promise(setImmediate);
  throw new Error('the source broke');
}

describe('over HTTP/2', () => {
  const app = () =>
    new App()
      .get('/', (ctx) => ctx.text('hello'))
      .post('/', async (ctx) => `got ${await ctx.req.text()}`)
      .get('/whole', (ctx) => ctx.stream(ReadableStream.from(['a', 'b'])))
      .get('/fails', (ctx) => ctx.stream(failing()))
      .get('/at-once', (ctx) => ctx.header('Content-Length', 2).stream(ReadableStream.from(['begun'])))
      .get('/less', (ctx) => ctx.header('Content-Length', 9).stream(ReadableStream.from(['begun'])));

  it.each([
    ['GET', '/', 200, 'hello'],
    ['HEAD', '/', 200, ''],
    ['POST', '/', 200, 'got it'],
    ['GET', '/whole', 200, 'ab'],
  ])('%s %s is answered', async (method, path, status, text) => {
    await serve(app());
    const body = method === 'POST' ? 'it' : undefined;
    expect(await ask(method, path, body)).toEqual({ status, text, error: '' });
  });

  it('a path of a WebSocket is answered 426, without the fields of a connection', async () => {
    await serve(app().websocket('/live', websocket({ onMessage() {} })));
    expect(await ask('GET', '/live')).toMatchObject({ status: 426, error: '' });
  });

  it.each(['Connection', 'HTTP2-Settings', 'Keep-Alive', 'Proxy-Connection', 'TE', 'Upgrade'])(
    'a response is sent without %s',
    async (name) => {
      await serve(
        new App()
          .get('/', (ctx) => ctx.header(name, 'x').text('hello'))
          .get('/stream', (ctx) => ctx.header(name, 'x').stream(ReadableStream.from(['hello']))),
      );
      expect(await ask('GET', '/')).toEqual({ status: 200, text: 'hello', error: '' });
      expect(await ask('GET', '/stream')).toEqual({ status: 200, text: 'hello', error: '' });
      expect(reported).toEqual([]);
    },
  );

  it('a head that Node refuses is reported and answered 500', async () => {
    const twice = (ctx: Context) => ctx.header('ETag', '"a"').header('ETag', '"b"', { append: true });
    const ended: string[] = [];
    const chunks = new ReadableStream({ cancel: () => void ended.push('events') });
    async function* rows() {
      try {
        while (true) yield 'row';
      } finally {
        ended.push('rows');
      }
    }
    await serve(
      new App()
        .get('/', (ctx) => twice(ctx).text('hello'))
        .get('/events', (ctx) => twice(ctx).sse(chunks))
        .get('/rows', (ctx) => twice(ctx).stream(rows())),
    );
    expect(await ask('GET', '/')).toMatchObject({
      status: 500,
      text: '{"error":"Internal","message":"internal server error"}',
    });
    expect(await ask('GET', '/events')).toMatchObject({ status: 500, error: '' });
    expect(await ask('GET', '/rows')).toMatchObject({ status: 500, error: '' });
    expect(reported).toEqual(Array(3).fill('Header field "etag" must only have a single value'));
    expect(ended).toEqual(['events', 'rows']);
  });

  it.each([
    ['/fails', 'the source broke'],
    ['/less', 'the stream yielded less than its Content-Length of 9 bytes'],
  ])(
    'a stream that fails ends with an error after its chunks, and does not affect others: %s',
    async (path, why) => {
      await serve(app());
      expect(await ask('GET', path)).toEqual({
        status: 200,
        text: 'begun',
        error: 'Stream closed with error code NGHTTP2_INTERNAL_ERROR',
      });
      expect(reported).toEqual([why]);
      expect(await ask('GET', '/')).toMatchObject({ text: 'hello' });
    },
  );

  it('a stream whose first chunk is longer than its length is answered as an error', async () => {
    await serve(app());
    expect(await ask('GET', '/at-once')).toMatchObject({ status: 500, error: '' });
    expect(reported).toEqual(['the stream yielded more than its Content-Length of 2 bytes']);
  });
});

describe('a client that leaves during a response over HTTP/2', () => {
  /** Leaves when the handler calls `leave`; resolves when the server has noticed. */
  async function leaveWhile(handler: (leave: () => void) => RouteHandler): Promise<void> {
    let leave = () => {};
    await serve(
      new App()
        .get(
          '/',
          handler(() => leave()),
        )
        .get('/next', () => 'next'),
    );
    const stream = session.request({ ':path': '/' });
    leave = () => stream.close(constants.NGHTTP2_CANCEL);
    stream.on('error', () => {});
    await new Promise((resolve) => stream.once('close', resolve));
    expect(await ask('GET', '/next')).toMatchObject({ text: 'next' });
  }

  it('aborts the signal, and the resulting error of the producer is not reported', async () => {
    const reasons: unknown[] = [];
    await leaveWhile((leave) => (ctx) => {
      const { signal } = ctx;
      const waiting = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason);
          reject(signal.reason);
        });
      });
      return ctx.stream(
        (async function* () {
          yield 'begun';
          leave();
          await waiting;
        })(),
      );
    });
    await expect
      .poll(() => reasons)
      .toMatchObject([{ status: 400, message: 'the client closed the connection' }]);
    await new Promise(setImmediate);
    expect(reported).toEqual([]);
  });

  it('has an aborted signal if it left before the signal was read, and the stream is cancelled without being read', async () => {
    const seen: unknown[] = [];
    await leaveWhile((leave) => async (ctx) => {
      const closed = once(response, 'close');
      leave();
      await closed;
      seen.push(ctx.signal.aborted);
      return ctx.stream(new ReadableStream({ cancel: () => void seen.push('cancelled') }));
    });
    await expect.poll(() => seen).toEqual([true, 'cancelled']);
  });

  it('leaves no listener behind if its producer continues for a while', async () => {
    let ended = () => {};
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    let left: ServerResponse | undefined;
    await leaveWhile((leave) => (ctx) => {
      left = response;
      const closed = once(response, 'close');
      return ctx.stream(
        (async function* () {
          try {
            yield 'begun';
            leave();
            await closed;
            yield 'nobody reads this';
          } finally {
            ended();
          }
        })(),
      );
    });
    await end;
    await new Promise(setImmediate);
    expect(['drain', 'close'].map((event) => left?.listenerCount(event))).toEqual([0, 0]);
  });
});
