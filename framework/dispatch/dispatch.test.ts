// A request in an App, from the server's point of view: the response, and the errors that are reported.
import diagnostics from 'node:diagnostics_channel';
import { describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { FwError } from '../http/errors.js';
import type { RequestSource } from '../http/request-source.js';
import type { FwBody, FwErrorEvent, FwResponse } from '../index.js';
import { logger } from '../middleware/index.js';
import { subscribe } from '../tracing/index.js';
import { errorResponse } from './error-response.js';

interface Told {
  response: FwResponse;
  reported: FwErrorEvent[];
}

function source(given: Partial<RequestSource>): RequestSource {
  return {
    method: 'GET',
    target: '/',
    origin: 'http://x',
    refused: undefined,
    peer: undefined,
    signal: new AbortController().signal,
    whenOver: () => () => {},
    header: () => undefined,
    isRepeated: () => false,
    hasBody: true,
    headers: () => ({}),
    readBody: () => Promise.resolve(new Uint8Array()),
    openBody: () => new ReadableStream(),
    abandonBody: () => {},
    ...given,
  };
}

/** What a server receives for a request, and the errors that are reported for it. */
async function send(app: App, given: Partial<RequestSource> = {}): Promise<Told> {
  const reported: FwErrorEvent[] = [];
  const collect = (event: unknown) => void reported.push(event as FwErrorEvent);
  diagnostics.subscribe('fw:error', collect);
  try {
    const response = await new Promise<FwResponse>((resolve) => app.handler()(source(given), resolve));
    return { response, reported };
  } finally {
    diagnostics.unsubscribe('fw:error', collect);
  }
}

const contentOf = ({ response }: Told) => response.content;
const messageOf = ({ reported }: Told) => reported.map(({ error }) => (error as Error).message);

/** A promise to `await`; its `then` returns nothing. */
// biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested.
const later = (value: unknown) => ({ then: (done: (value: unknown) => void) => void done(value) }) as never;

describe('a thenable that is not a Promise', () => {
  it.each([
    ['a handler', new App().get('/', () => later('text'))],
    ['a handler behind middleware', new App().use((_ctx, next) => next()).get('/', () => later('text'))],
    ['middleware', new App().use((ctx) => later(ctx.text('text'))).get('/', () => 'from the handler')],
    [
      'onError',
      new App()
        .onError(() => later('text'))
        .get('/', (ctx) => {
          ctx.status(200);
          throw new Error('not shown');
        }),
    ],
  ])('is awaited if %s returns it', async (_what, app) => {
    expect(contentOf(await send(app))).toBe('text');
  });

  it('is distinguished from an object with a property of that name', async () => {
    // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested.
    const app = new App().use((_ctx, next) => next()).get('/', () => ({ then: 'go on' }));
    expect(contentOf(await send(app))).toBe('{"then":"go on"}');
  });
});

describe('a request that the server found to be malformed', () => {
  it('reaches the middleware and no route', async () => {
    const seen: string[] = [];
    const app = new App()
      .use((ctx, next) => {
        seen.push(`${ctx.req.path}?${ctx.req.query('a')}`);
        return next();
      })
      .all('/*rest', () => 'a route');
    const answered = await send(app, { target: '/sent%2f?a=1', refused: 'the Host header is missing' });
    expect(answered.response.status).toBe(400);
    expect(messageOf(answered)).toEqual(['the Host header is missing']);
    expect(seen).toEqual(['/sent%2f?1']);
  });

  it('has no query in its path, which logs show and which may have a key in it', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    const logged: unknown[] = [];
    const unsubscribe = subscribe((event) => logged.push(event.message, event.fields));
    const target = '/live?ticket=a-secret';
    try {
      await send(new App().use(logger()), { target, refused: 'the Host header is malformed' });
    } finally {
      unsubscribe();
    }
    expect(logged).toContain('--> GET /live');
    expect(JSON.stringify([logged, told.mock.calls])).not.toContain('a-secret');
  });

  it('is also recognized by its target', async () => {
    const answered = await send(
      new App().all('/*rest', () => 'a route'),
      { target: '/a/../b' },
    );
    expect(answered.response.status).toBe(400);
  });
});

describe('OPTIONS', () => {
  const app = () => new App().get('/a', () => 'a').delete('/b', () => 'b');

  it.each([
    ['*', 'OPTIONS', 204, 'DELETE, GET, HEAD, OPTIONS'],
    ['/a', 'OPTIONS', 204, 'GET, HEAD, OPTIONS'],
    ['/b', 'OPTIONS', 204, 'DELETE, OPTIONS'],
    ['/c', 'OPTIONS', 404, undefined],
    ['/b', 'GET', 405, 'DELETE, OPTIONS'],
    ['*', 'GET', 400, undefined],
  ])('of %s: %s is %d', async (target, method, status, allow) => {
    const { response } = await send(app(), { target, method });
    expect([response.status, response.headers.get('Allow')]).toEqual([status, allow]);
  });
});

describe('a setting that is loaded before the first request', () => {
  it('delays requests until it is loaded', async () => {
    const app = new App().trustProxy(true).get('/', (ctx) => ctx.clientIp());
    const request = { peer: { address: '10.0.0.1', port: 1 }, header: () => '9.9.9.9' };
    const handle = app.handler();
    for (let n = 0; n < 2; n += 1) {
      const response = await new Promise<FwResponse>((resolve) => handle(source(request), resolve));
      expect(response.content).toBe('9.9.9.9');
    }
  });

  it('that is invalid is answered with 500 and reported', async () => {
    const answered = await send(new App().trustProxy(['no network']), { method: 'PUT', target: '/a?b' });
    expect(answered.response.status).toBe(500);
    expect(contentOf(answered)).toBe('{"error":"Internal","message":"internal server error"}');
    expect(answered.reported).toMatchObject([{ status: 500, method: 'PUT', path: '/a' }]);
    expect(messageOf(answered)[0]).toContain('no network');
  });
});

describe('a response that cannot be sent', () => {
  const broken = new Error('what happened first');

  it('is reported with the error that it was the response to', async () => {
    const app = new App()
      .use(async (_ctx, next) => {
        const response = await next().catch(errorResponse);
        response.status = 100;
        return response;
      })
      .get('/', () => {
        throw broken;
      });
    const answered = await send(app);
    expect(answered.response.status).toBe(500);
    expect(messageOf(answered)).toEqual(['100 is not a response status: use 200 to 599']);
    expect(answered.reported).toMatchObject([{ error: { cause: broken } }]);
  });

  it('has no cause if it was not the response to an error', async () => {
    const app = new App().get('/', (ctx) => {
      const response = ctx.text('x');
      response.status = 600;
      return response;
    });
    const answered = await send(app);
    expect(messageOf(answered)).toEqual(['600 is not a response status: use 200 to 599']);
    expect(answered.reported.some(({ error }) => Object.hasOwn(error as Error, 'cause'))).toBe(false);
  });

  it('may belong to an error with invalid header fields, which is then the cause', async () => {
    const error = FwError.forbidden('no', { headers: { 'X-Why': 'a\r\nb' } });
    const app = new App().get('/', () => {
      throw error;
    });
    const answered = await send(app);
    expect(answered.response.status).toBe(500);
    expect(answered.reported).toMatchObject([{ status: 500, error: { cause: error } }]);
  });

  it('may be a stream that is locked, or a response that was already sent', async () => {
    const stream = new ReadableStream<Uint8Array>();
    let kept: FwResponse | undefined;
    const app = new App()
      .get('/locked', (ctx) => {
        const response = ctx.text('x');
        response.body = { kind: 'stream', stream } as unknown as FwBody;
        stream.getReader();
        return response;
      })
      .get('/kept', (ctx) => {
        kept ??= ctx.text('x');
        return kept;
      });
    expect(messageOf(await send(app, { target: '/locked' }))).toEqual([
      'the stream of a response is already being read; return it unread',
    ]);
    expect(messageOf(await send(app, { target: '/kept' }))).toEqual([]);
    expect(messageOf(await send(app, { target: '/kept' }))).toEqual([
      'a response was returned for two requests; make a new one for each',
    ]);
  });
});

describe('onError', () => {
  const failing = (answer: (error: unknown) => unknown) =>
    new App().onError(answer as never).get('/', () => {
      throw new Error('first');
    });

  it.each([
    ['at once', () => 'answered'],
    ['later', async () => 'answered'],
  ])('may answer %s, and the error is reported once', async (_when, answer) => {
    const answered = await send(failing(answer));
    expect([answered.response.status, contentOf(answered)]).toEqual([500, 'answered']);
    expect(messageOf(answered)).toEqual(['first']);
  });

  it.each([
    ['at once', (error: unknown) => error],
    ['later', (error: unknown) => Promise.reject(error)],
  ])('that throws the same error %s has it reported once', async (_when, answer) => {
    expect(messageOf(await send(failing(answer)))).toEqual(['first']);
  });

  it.each([
    ['at once', () => new Error('second')],
    ['later', () => Promise.reject(new Error('second'))],
  ])('that throws another error %s has both reported', async (_when, answer) => {
    expect(messageOf(await send(failing(answer)))).toEqual(['first', 'second']);
  });
});

describe('misuse by middleware is reported with its name', () => {
  const returning = (value: unknown) =>
    async function named(_ctx: unknown, next: () => Promise<unknown>) {
      await next();
      return value;
    };

  it.each([
    [
      "a number, with the rest's answer there",
      returning(7),
      "middleware 'named' returned a number; return a",
    ],
    ['null', returning(null), "middleware 'named' returned null; return a response, or nothing after next()"],
    ['text from no name', () => 'text', 'middleware (anonymous) returned a string; return a response'],
    ['nothing', () => {}, 'middleware (anonymous) returned nothing and did not call next(); do one of the'],
    [
      'a second next()',
      async function twice(_ctx: unknown, next: () => Promise<unknown>) {
        await next();
        return next();
      },
      "middleware 'twice' called next() twice; the rest of the chain runs once per request",
    ],
  ])('%s', async (_what, step, message) => {
    const answered = await send(new App().use(step as never).get('/', () => 'x'));
    expect(answered.response.status).toBe(500);
    expect(answered.reported).toHaveLength(1);
    expect(messageOf(answered)[0]).toContain(message);
  });
});
