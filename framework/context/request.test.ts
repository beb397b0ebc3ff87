import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { jsonOf } from '../websocket/parse-json.js';
import type { Context } from './context.js';

interface Sent {
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** The response to what `use` returns for a request, as JSON; or the status and message of a thrown error. */
async function inside(use: (ctx: Context) => unknown, sent: Sent = {}): Promise<unknown> {
  const app = new App().post('/r/*rest', async (ctx) => ctx.json({ value: await use(ctx) }));
  const { path = '/r/x', body = '', headers = {} } = sent;
  const answer = await app.fetch(new Request(`http://localhost${path}`, { method: 'POST', body, headers }));
  const read = (await answer.json()) as { value?: unknown; message?: string };
  return answer.status === 200 ? read.value : `${answer.status} ${read.message}`;
}

/** The message that `read` throws. */
async function failure(read: () => unknown): Promise<string> {
  try {
    await read();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
}

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('FwRequest', () => {
  it('has the complete URL, and does not read a path of two slashes as a host', async () => {
    expect(await inside((ctx) => ctx.req.uri.href, { path: '/r/a%2Fb?c=1' })).toBe(
      'http://localhost/r/a%2Fb?c=1',
    );
    const app = new App().get('/*rest', (ctx) => ctx.text(ctx.req.uri.href));
    const answer = await app.fetch(new Request('http://localhost//other/x'));
    expect(await answer.text()).toBe('http://localhost//other/x');
  });

  it('reads parameters by name, and refuses names that the route does not have', async () => {
    expect(await inside((ctx) => [ctx.req.param('rest'), ctx.req.params()], { path: '/r/a%2Fb' })).toEqual([
      'a/b',
      { rest: 'a/b' },
    ]);
    expect(await inside((ctx) => ctx.req.param('none'))).toBe("400 missing path parameter 'none'");
  });

  it('returns a buffered body in every form, any number of times', async () => {
    const read = async (ctx: Context) => [
      await ctx.req.text(),
      await ctx.req.json(),
      Buffer.from(await ctx.req.rawBody()).toString(),
      (await ctx.req.bytes()) === (await ctx.req.rawBody()),
    ];
    expect(await inside(read, { body: '{"a":1}' })).toEqual(['{"a":1}', { a: 1 }, '{"a":1}', true]);
  });

  it.each([
    ['', 'text'],
    ['{"a":"\u20ac\u{1f600}"}', 'json'],
    ['\ufeff{"a":1}', 'json'],
    ['\ufeff', 'text'],
  ] as const)('has the bytes of a body that was read as text first: %j', async (body, first) => {
    const bytes = new TextEncoder().encode(body);
    const headers = { 'Content-Length': String(bytes.length) };
    const read = async (ctx: Context) => {
      await ctx.req[first]();
      return [...(await ctx.req.bytes()), (await ctx.req.bytes()) === (await ctx.req.rawBody())];
    };
    expect(await inside(read, { body, headers })).toEqual([...bytes, true]);
  });

  it.each([
    ['malformed UTF-8', [0x22, 0xff, 0x22], 3],
    ['malformed UTF-8 of as many bytes as its replacement', [0x22, 0xf0, 0x90, 0x80, 0x22], 5],
    ['the replacement itself', [0x22, 0xef, 0xbf, 0xbd, 0x22], 5],
    ['another number of bytes', [0x22, 0x22], 4],
    ['a number that is none', [0x22, 0x22], 'x'],
  ])('refuses to make up bytes from text: %s', async (_, bytes, length) => {
    const app = new App().post('/', async (ctx) => {
      const value = await ctx.req.json();
      return ctx.json([value, await failure(() => ctx.req.bytes())]);
    });
    const request = {
      method: 'POST',
      body: new Uint8Array(bytes),
      headers: { 'Content-Length': String(length) },
    };
    const answer = await app.fetch(new Request('http://localhost', request));
    expect(await answer.json()).toEqual([
      JSON.parse(new TextDecoder().decode(new Uint8Array(bytes))),
      'the body is not UTF-8; to accept others, call bytes() before text() or json()',
    ]);
  });

  it.each([
    ['as they were', [0x22, 0xe2, 0x82, 0xac, 0x22], [0x22, 0xe2, 0x82, 0xac, 0x22]],
    ['without their byte order mark', [0xef, 0xbb, 0xbf, 0x22, 0x22], [0x22, 0x22]],
    [
      'not at all if they were not UTF-8',
      [0x22, 0xff, 0x22],
      'the body is not UTF-8; to accept others, call bytes() before text() or json()',
    ],
  ])('has the bytes of a body of unknown length after json(): %s', async (_, bytes, expected) => {
    const app = new App().post('/', async (ctx) => {
      await ctx.req.json();
      return ctx.json(
        await ctx.req.bytes().then(
          (read) => [...read],
          (error: Error) => error.message,
        ),
      );
    });
    const answer = await app.fetch(
      new Request('http://localhost', { method: 'POST', body: new Uint8Array(bytes) }),
    );
    expect(await answer.json()).toEqual(expected);
  });

  it('keeps bytes that are not UTF-8 if they are read first', async () => {
    const app = new App().post('/', async (ctx) => {
      const bytes = await ctx.req.bytes();
      return ctx.json([[...bytes], await ctx.req.text()]);
    });
    const request = { method: 'POST', body: new Uint8Array([0xff]), headers: { 'Content-Length': '1' } };
    const answer = await app.fetch(new Request('http://localhost', request));
    expect(await answer.json()).toEqual([[0xff], '\ufffd']);
  });

  it('refuses to read a body in two ways', async () => {
    const late = 'the request body was already read; use it as a stream before anything else';
    const taken = 'the request body was already taken by stream or multipart()';
    const bufferedFirst = async (ctx: Context) => [await ctx.req.text(), await failure(() => ctx.req.stream)];
    expect(await inside(bufferedFirst, { body: 'x' })).toEqual(['x', late]);
    const headers = { 'Content-Length': '1' };
    expect(await inside(bufferedFirst, { body: 'x', headers })).toEqual(['x', late]);
    const streamedFirst = async (ctx: Context) => {
      await ctx.req.stream.cancel();
      return [await failure(() => ctx.req.stream), await failure(() => ctx.req.text())];
    };
    expect(await inside(streamedFirst, { body: 'x' })).toEqual([late, taken]);
    expect(await inside(streamedFirst, { body: 'x', headers })).toEqual([late, taken]);
  });

  it.each(['gzip', 'GZIP, identity', ''])('refuses a body with the content coding %j', async (coding) => {
    const headers = { 'Content-Encoding': coding };
    expect(await inside((ctx) => ctx.req.text(), { body: 'x', headers })).toBe(
      `415 request bodies with Content-Encoding '${coding}' are not accepted`,
    );
  });

  it('accepts the content coding identity', async () => {
    expect(
      await inside((ctx) => ctx.req.text(), { body: 'x', headers: { 'Content-Encoding': 'Identity' } }),
    ).toBe('x');
  });

  it('refuses invalid JSON, and reports the position', async () => {
    expect(await inside((ctx) => ctx.req.json(), { body: '{' })).toMatch(/^400 malformed JSON body: .+/);
  });

  it.each([
    'password=hunter2',
    '{"password":hunter2}',
    '{"password":"a"hunter2"}',
    `"${'hunter2"'.repeat(20)}`,
  ])('shows nothing of a body that is not JSON: %s', async (body) => {
    const error = await inside(
      (ctx) => ctx.req.json().catch((thrown: unknown) => inspect(thrown, { depth: 9 })),
      { body },
    );
    expect(error).toMatch(/malformed JSON body: [A-Z]/);
    expect(error).not.toContain('hunter2');
    const ofMessage = await Promise.resolve(body)
      .then(jsonOf)
      .catch((thrown: unknown) => inspect(thrown, { depth: 9 }));
    expect(ofMessage).toContain('the message is not JSON');
    expect(ofMessage).not.toContain('hunter2');
  });

  it('reads a form once, with repeated names', async () => {
    const read = async (ctx: Context) => {
      const data = await ctx.req.formData();
      return [data.getAll('a'), data.get('b'), data === (await ctx.req.formData()), await ctx.req.text()];
    };
    expect(await inside(read, { body: 'a=1&a=2&b=%C3%A4+x', headers: form })).toEqual([
      ['1', '2'],
      'ä x',
      true,
      'a=1&a=2&b=%C3%A4+x',
    ]);
  });
});

describe('a body that is passed on to a handler of another kind', () => {
  /** A body without end; records how many chunks were read, and with which reason it was cancelled. */
  function endless() {
    let asked = 0;
    let reason: unknown;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          asked += 1;
          controller.enqueue(new Uint8Array(asked));
        },
        cancel(given) {
          reason = given;
        },
      },
      { highWaterMark: 0 },
    );
    return { body, seen: () => ({ asked, reason }) };
  }

  async function handOn(use: (body: ReadableStream<Uint8Array>) => Promise<unknown>, buffered = false) {
    const { body, seen } = endless();
    const init = { method: 'POST', body: buffered ? '123' : body, duplex: 'half' } as RequestInit;
    const app = new App()
      .use(async (ctx, next) => {
        if (buffered) await ctx.req.bytes();
        return next();
      })
      .mount('/m', async (request) => Response.json(await use(request.body as ReadableStream<Uint8Array>)));
    const answer = await app.fetch(new Request('http://x/m', init));
    return { text: await answer.json(), ...seen() };
  }

  it('is not read before the handler reads it', async () => {
    expect(await handOn(async () => 'unread')).toMatchObject({ text: 'unread', asked: 0 });
  });

  it('is read only as far as the handler reads it, and cancelled with its reason', async () => {
    const handed = await handOn(async (body) => {
      const reader = body.getReader();
      const sizes = [(await reader.read()).value?.length, (await reader.read()).value?.length];
      await reader.cancel('enough');
      return sizes;
    });
    expect(handed).toEqual({ text: [1, 2], asked: 2, reason: 'enough' });
  });

  it('may be cancelled before it is read', async () => {
    const handed = await handOn(async (body) => {
      await body.cancel('not wanted');
      return 'done';
    });
    expect(handed).toMatchObject({ text: 'done', asked: 0 });
  });

  it('can be read again if it was buffered', async () => {
    const handed = await handOn(async (body) => new Response(body).text(), true);
    expect(handed.text).toBe('123');
  });
});

describe('the query', () => {
  it('has every value of a name in order, and only the names that were sent', async () => {
    const read = await inside((ctx) => [ctx.req.queries(), ctx.req.queries().constructor === undefined], {
      path: '/r/x?a=1&b=&a=%32&__proto__=3',
    });
    expect(read).toEqual([JSON.parse('{"a":["1","2"],"b":[""],"__proto__":["3"]}'), true]);
  });
});

describe('a name that is left out', () => {
  it.each([
    ['param', 'params'],
    ['query', 'queries'],
    ['header', 'headers'],
  ] as const)('ctx.req.%s() says what has all of them', async (one, all) => {
    const path = '/r/x?a=1';
    const said = await inside((ctx) => failure(() => ctx.req[one](undefined as never)), { path });
    expect(said).toBe(`ctx.req.${one}() takes a name, got undefined; ctx.req.${all}() has all of them`);
  });
});

describe('header fields', () => {
  it('are read regardless of case, and an event id is decoded as UTF-8', async () => {
    const headers = { 'X-Name': 'v', 'Last-Event-ID': 'gr\u00c3\u00bcn' };
    expect(await inside((ctx) => [ctx.req.header('x-nAME'), ctx.lastEventId()], { headers })).toEqual([
      'v',
      'grün',
    ]);
  });
});

describe('a name that is not a text', () => {
  it.each<[string, (ctx: Context) => unknown, string]>([
    ['query', (ctx) => ctx.req.query(undefined as never), 'ctx.req.query() takes a name, got undefined'],
    ['header', (ctx) => ctx.req.header(7 as never), 'ctx.req.header() takes a name, got a number'],
    ['param', (ctx) => ctx.req.param(Symbol('x') as never), 'ctx.req.param() takes a name, got a symbol'],
    ['cookie', (ctx) => ctx.cookie(null as never), 'ctx.cookie() takes a name, got null'],
  ])('is an error of %s that names it', async (_method, use, message) => {
    let thrown: unknown;
    await inside((ctx) => {
      try {
        use(ctx);
      } catch (error) {
        thrown = error;
      }
    });
    expect((thrown as Error).message.startsWith(message)).toBe(true);
  });

  it.each(['', 'two words', 'zoë'])('%j names no header field', async (name) => {
    expect(await inside((ctx) => ctx.req.header(name) ?? 'absent')).toBe('absent');
  });
});

describe('a form of urlencoded fields', () => {
  it('with too many of them is refused as what it is', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await inside((ctx) => ctx.req.formData(), { body: 'a=1&'.repeat(1001), headers })).toBe(
      '413 the form has more than 1000 fields',
    );
  });
});
