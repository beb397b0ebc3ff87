import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventOfBalancer, eventV1, eventV2 } from '../../conformance/trial-events.js';
import { App, ConfigError, Cookie } from '../../index.js';
import { handle, streamHandle } from './index.js';
import type { StreamHead } from './result.js';

/** Answers with what it has seen of the request. */
function seeing(): App {
  return App.withoutDefaults().all('/*rest', async (ctx) => ({
    method: ctx.req.method,
    url: ctx.req.uri.href,
    queries: ctx.req.queries(),
    cookies: ctx.cookies(),
    header2: ctx.req.header('header2'),
    ip: ctx.clientIp(),
    body: await ctx.req.text(),
  }));
}

const seen = async (event: object, app = seeing()) => JSON.parse((await handle(app)(event)).body) as unknown;

describe('a request', () => {
  it('is read from the payload 2.0', async () => {
    expect(await seen(eventV2())).toEqual({
      method: 'POST',
      url: 'https://id.lambda-url.us-west-2.on.aws/my/path?parameter1=value1&parameter1=value2&parameter2=value',
      queries: { parameter1: ['value1', 'value2'], parameter2: ['value'] },
      cookies: { cookie1: '1', cookie2: '2' },
      header2: 'value1,value2',
      ip: '123.123.123.123',
      body: '{"hello":"world"}',
    });
  });

  it('is read from the payload 1.0', async () => {
    expect(await seen(eventV1())).toEqual({
      method: 'GET',
      url: 'https://id.execute-api.us-east-1.amazonaws.com/my/path?parameter1=value1&parameter1=value2&a%20b=c%26d',
      queries: { parameter1: ['value1', 'value2'], 'a b': ['c&d'] },
      cookies: { cookie1: '1', cookie2: '2' },
      header2: 'value1, value2',
      ip: '192.0.2.1',
      body: '',
    });
  });

  it('is read from a load balancer, whose query is encoded, and which reports the client in a field', async () => {
    const expected = {
      method: 'GET',
      url: 'http://lambda-alb-123578498.us-east-2.elb.amazonaws.com/my/path?query=1234%20ABCD',
      queries: { query: ['1234 ABCD'] },
      cookies: {},
    };
    expect(await seen(eventOfBalancer())).toEqual({ ...expected, body: '' });
    const trusting = seeing().trustProxy(true);
    const { url: _url, ...rest } = expected;
    expect(await seen(eventOfBalancer(), trusting)).toMatchObject({ ...rest, ip: '72.12.164.125' });
  });

  it.each([
    ['/a%2Fb', '', '/a%2Fb'],
    ['/a b?c#d', 'x=1#y', '/a%20b%3Fc%23d?x=1%23y'],
    ['/100%', '', '/100%25'],
    ['/a\\b', '', '/a%5Cb'],
    ['//evil.example/x', '', '//evil.example/x'],
    ['/ad\tmin', 'x=1\t2 ', '/ad%09min?x=1%092%20'],
    ['/ad\r\nmin', '', '/ad%0D%0Amin'],
    ['/admin ', '', '/admin%20'],
    ['/admin\0', '', '/admin%00'],
    ['', '', '/'],
  ])('for the path %j and the query %j has the target %s', async (rawPath, rawQueryString, target) => {
    const app = new App().notFound((ctx) => [ctx.req.uri.pathname + ctx.req.uri.search]);
    const { body } = await handle(app)(eventV2({ rawPath, rawQueryString }, 'GET'));
    expect(JSON.parse(body)).toEqual([target]);
  });

  it('has the bytes of its body', async () => {
    const app = new App().post('/my/path', async (ctx) => [...(await ctx.req.bytes())]);
    const body = Buffer.from([0, 255, 128]).toString('base64');
    expect((await handle(app)(eventV2({ body, isBase64Encoded: true }))).body).toBe('[0,255,128]');
    expect((await handle(app)(eventV2({ body: 'č' }))).body).toBe('[196,141]');
  });

  it('has header fields that the platform has decoded', async () => {
    const headers = { host: 'a.example', header2: 'čau', absent: undefined };
    const app = new App().post('/my/path', (ctx) => [
      Buffer.from(ctx.req.header('header2') ?? '', 'latin1').toString(),
    ]);
    expect((await handle(app)(eventV2({ headers }))).body).toBe('["čau"]');
  });

  it('is encrypted before API Gateway, whatever a client says, and as a load balancer says', async () => {
    const headers = { host: 'a.example', 'x-forwarded-proto': 'http' };
    expect(await seen(eventV2({ headers }))).toMatchObject({ url: expect.stringMatching(/^https:/) });
    const of = (scheme: string) =>
      eventOfBalancer({ headers: { ...headers, 'x-forwarded-proto': scheme }, multiValueHeaders: undefined });
    expect(await seen(of('http'))).toMatchObject({ url: expect.stringMatching(/^http:/) });
    expect(await seen(of('https'))).toMatchObject({ url: expect.stringMatching(/^https:/) });
  });

  it('with a malformed Host is answered 400', async () => {
    expect((await handle(seeing())(eventV2({ headers: { host: 'a/b' } }))).statusCode).toBe(400);
  });

  it.each(['/x/../admin', '/x/%2e%2E/admin', '/./admin', '/x/.%2e', '..', '/x/..'])(
    'for the path %j is answered 400, as a URL would resolve its dot segment',
    async (rawPath) => {
      const app = new App().notFound((ctx) => [ctx.req.uri.pathname]);
      for (const event of [eventV2({ rawPath }, 'GET'), eventOfBalancer({ path: rawPath })]) {
        const { statusCode, body } = await handle(app)(event);
        expect([statusCode, JSON.parse(body)]).toEqual([
          400,
          { error: 'BadRequest', message: 'dot segments are not allowed in the path' },
        ]);
      }
      expect((await handle(app)(eventV2({ rawPath: '/x/..a/.b' }, 'GET'))).body).toBe('["/x/..a/.b"]');
    },
  );

  it.each<[string, Record<string, string>, string]>([
    ['method', {}, 'the method is malformed'],
    ['name of a header field', { 'a(b': 'x' }, 'a header field is malformed'],
    ['empty name of one', { '': 'x' }, 'a header field is malformed'],
    ['value of one', { a: 'x\r\nb: y' }, 'a header field is malformed'],
    ['end of one', { a: 'x\n' }, 'a header field is malformed'],
    ['value with NUL', { a: '\0' }, 'a header field is malformed'],
  ])('with a malformed %s is answered 400', async (what, headers, message) => {
    const method = what === 'method' ? 'G ET' : 'POST';
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    const events = [
      eventV2({ headers }, method),
      eventOfBalancer({ headers, httpMethod: method }),
      eventOfBalancer({ headers: undefined, multiValueHeaders: lists, httpMethod: method }),
    ];
    for (const event of events) {
      const { statusCode, body } = await handle(seeing())(event);
      expect([statusCode, JSON.parse(body)]).toEqual([400, { error: 'BadRequest', message }]);
    }
  });

  it('with a malformed cookie is answered 400, and has no other cookies than the list', async () => {
    const app = new App().post('/my/path', (ctx) => [ctx.req.header('cookie')]);
    expect((await handle(app)(eventV2({ cookies: ['a=1\n'] }))).statusCode).toBe(400);
    const twice = eventV2({ headers: { Cookie: 'b=2' }, cookies: ['a=1', 'c=3'] });
    expect((await handle(app)(twice)).body).toBe('["a=1; c=3"]');
  });

  it('may have half a character in its query', async () => {
    const app = new App().get('/my/path', (ctx) => [ctx.req.uri.searchParams.get('q')]);
    const queryStringParameters = { q: 'a\ud800' };
    const event = { ...eventOfBalancer({ queryStringParameters, path: '/my/path' }), requestContext: {} };
    expect((await handle(app)(event)).body).toBe('["a\ufffd"]');
  });

  it('with a method that no web Request has is answered 405', async () => {
    expect((await handle(seeing())(eventOfBalancer({ httpMethod: 'TRACE' }))).statusCode).toBe(405);
  });

  it('gives handlers the event and the context', async () => {
    const passed: unknown[] = [];
    const app = new App().get('/my/path', (ctx) => {
      const { event, context, request } = ctx.platform as unknown as Record<string, unknown>;
      passed.push(event, context, request instanceof Request, ctx.peerAddr());
    });
    const [event, context] = [eventV2({}, 'GET'), { awsRequestId: 'id' }];
    await handle(app)(event, context);
    expect(passed).toEqual([event, context, true, { address: '123.123.123.123', port: 0 }]);
    expect(passed[1]).toBe(context);
  });

  it.each([
    [{ source: 'aws.events', detail: {} }, "got one of 'aws.events'; handle that before it"],
    [{ requestContext: { connectionId: 'x' } }, 'got another one'],
    [null, 'got another one'],
  ])('is not made of the event %j', async (event, message) => {
    await expect(handle(seeing())(event as object)).rejects.toThrow(message);
  });
});

describe('a result', () => {
  const app = App.withoutDefaults()
    .get('/cookies', (ctx) => {
      for (const name of ['a', 'b', 'c']) ctx.setCookie(new Cookie(name, '1'));
      return ctx.header('X-Own', 'yes').text('čau', 201);
    })
    .get('/bytes', () => new Uint8Array([255, 0]))
    .get('/packed', () => new Response(gzipSync('hi'), { headers: { 'Content-Encoding': 'gzip' } }))
    .get('/none', () => undefined);
  const cookies = ['a', 'b', 'c'].map((name) => expect.stringMatching(`^${name}=1`) as unknown as string);
  const fields = { 'content-length': '4', 'content-type': 'text/plain; charset=utf-8', 'x-own': 'yes' };
  const text = { statusCode: 201, body: 'čau', isBase64Encoded: false };

  it('has the form of the payload 2.0', async () => {
    const result = await handle(app)(eventV2({ rawPath: '/cookies' }, 'GET'));
    expect(result).toEqual({ ...text, headers: fields, cookies });
  });

  it('has the form of the payload 1.0', async () => {
    const result = await handle(app)(eventV1({ path: '/cookies' }));
    const lists = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]));
    expect(result).toEqual({ ...text, multiValueHeaders: { ...lists, 'set-cookie': cookies } });
  });

  it('has that of a load balancer, with lists and without', async () => {
    const single = await handle(app)(eventOfBalancer({ path: '/cookies' }));
    const [a, b, c] = cookies;
    expect(single).toEqual({
      ...text,
      headers: { ...fields, 'set-cookie': a, 'Set-cookie': b, 'sEt-cookie': c },
    });
    const event = eventOfBalancer({
      path: '/cookies',
      headers: undefined,
      multiValueHeaders: { host: ['a.example'] },
    });
    expect(await handle(app)(event)).toMatchObject({ multiValueHeaders: { 'set-cookie': cookies } });
  });

  it('has in base64 what is not a text', async () => {
    const resultOf = (rawPath: string) => handle(app)(eventV2({ rawPath }, 'GET'));
    expect(await resultOf('/bytes')).toMatchObject({ body: '/wA=', isBase64Encoded: true });
    expect(await resultOf('/packed')).toMatchObject({
      body: gzipSync('hi').toString('base64'),
      isBase64Encoded: true,
      headers: { 'content-encoding': 'gzip' },
    });
    expect(await resultOf('/none')).toMatchObject({ statusCode: 204, body: '', isBase64Encoded: false });
  });
});

describe('a streamed response', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** As the runtime of Lambda does it: the head is sent with the first write. */
  function runtime(): { heads: StreamHead[] } {
    const heads: StreamHead[] = [];
    vi.stubGlobal('awslambda', {
      streamifyResponse: (handler: unknown) => handler,
      HttpResponseStream: {
        from(to: PassThrough, head: StreamHead) {
          const write = to.write.bind(to);
          to.write = (...args: unknown[]) => {
            to.write = write;
            heads.push(head);
            return write(...(args as [string]));
          };
          return to;
        },
      },
    });
    return { heads };
  }

  const get = (rawPath: string) => eventV2({ rawPath }, 'GET');

  it('is sent chunk by chunk', async () => {
    const { heads } = runtime();
    const go: (() => void)[] = [];
    const app = App.withoutDefaults().get('/', (ctx) => {
      ctx.setCookie(new Cookie('a', '1'));
      return ctx.stream(
        (async function* () {
          yield 'one';
          await new Promise<void>((resolve) => go.push(resolve));
          yield 'two';
        })(),
        'text/plain',
      );
    });
    const to = new PassThrough();
    const ended = streamHandle(app)(get('/'), to, {});
    const chunks: string[] = [];
    for await (const chunk of to) {
      chunks.push(String(chunk));
      go.shift()?.();
    }
    await ended;
    expect(chunks).toEqual(['one', 'two']);
    expect(heads).toEqual([
      {
        statusCode: 200,
        headers: { 'content-type': 'text/plain' },
        cookies: [expect.stringMatching('^a=1')],
      },
    ]);
  });

  it('has its head without a body too', async () => {
    const { heads } = runtime();
    const to = new PassThrough().resume();
    await streamHandle(new App().get('/', () => undefined))(get('/'), to, {});
    expect(heads).toMatchObject([{ statusCode: 204 }]);
    expect(to.writableEnded).toBe(true);
  });

  it('is cut off if its producer fails, and ends its producer if the client leaves', async () => {
    runtime();
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    let isEnded = false;
    const app = new App()
      .get('/fails', (ctx) => {
        async function* chunks() {
          yield 'one';
          throw new Error('broken');
        }
        return ctx.stream(chunks());
      })
      .get('/endless', (ctx) => {
        async function* chunks() {
          try {
            for (;;) yield 'more';
          } finally {
            isEnded = true;
          }
        }
        return ctx.stream(chunks());
      });
    const cut = new PassThrough().on('error', () => {}).resume();
    await expect(streamHandle(app)(get('/fails'), cut, {})).rejects.toThrow('the response stream failed');
    expect([cut.destroyed, cut.writableFinished]).toEqual([true, false]);
    expect(printed.mock.calls.join()).toContain('cut off: Error: broken');
    const left = new PassThrough();
    const ended = streamHandle(app)(get('/endless'), left, {});
    left.once('data', () => left.destroy());
    await ended;
    await vi.waitFor(() => expect(isEnded).toBe(true));
    printed.mockRestore();
  });

  it('needs the runtime of Lambda', () => {
    expect(() => streamHandle(new App())).toThrow(ConfigError);
    expect(() => streamHandle(new App())).toThrow('use handle() elsewhere');
  });
});

describe('the App', () => {
  it.each([handle, streamHandle])('must be one for %o', (make) => {
    expect(() => make({} as App)).toThrow('an App');
  });
});
