// What is thrown and is an answer: responses, and the errors of http-errors that are meant for the client.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ways } from '../conformance/test-client-ways.js';
import type { Context } from '../context/context.js';
import { FwError } from '../http/errors.js';
import { App } from '../index.js';
import { cors } from '../middleware/index.js';
import { RpcRegistry } from '../rpc/index.js';
import { subscribe, type TracingEvent } from '../tracing/index.js';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.restoreAllMocks();
});

function heard(): TracingEvent[] {
  const events: TracingEvent[] = [];
  stops.push(subscribe((event) => void ('error' in event.fields && events.push(event))));
  return events;
}

const throwing = (make: (ctx: Context) => unknown, app = new App()): App =>
  app.get('/', (ctx) => {
    ctx.header('X-Queued', '1');
    throw make(ctx);
  });

/** As `http-errors` makes them. */
const httpError = (statusCode: number, message: string, more: object = {}): Error =>
  Object.assign(new Error(message), { status: statusCode, statusCode, expose: statusCode < 500, ...more });

describe.each(Object.entries(ways))('%s', (_, via) => {
  it.each<[string, (ctx: Context) => unknown]>([
    ['a web Response', () => new Response('moved', { status: 303, headers: { Location: '/login' } })],
    ['a response of the context', (ctx) => ctx.redirect('/login', 303)],
  ])('%s that is thrown is sent as it is, and is not an error', async (_name, make) => {
    const events = heard();
    const onError = vi.fn();
    const app = new App().use(cors()).onError(onError);
    await via(throwing(make, app), async (client) => {
      const answer = await client.get('/');
      answer
        .assertStatus(303)
        .assertHeader('Location', '/login')
        .assertHeader('Access-Control-Allow-Origin', '*');
      expect(answer.header('x-queued')).toBeUndefined();
    });
    expect(onError).not.toHaveBeenCalled();
    expect(events).toEqual([]);
  });

  it.each<[string, Error, number, object]>([
    ['404', httpError(404, 'no such file'), 404, { error: 'NotFound', message: 'no such file' }],
    [
      'a status without a variant',
      httpError(418, 'a teapot'),
      418,
      { error: 'BadRequest', message: 'a teapot' },
    ],
    ['500', httpError(500, 'the password'), 500, { error: 'Internal', message: 'internal server error' }],
    [
      'a message that is not exposed',
      httpError(404, 'the password', { expose: false }),
      500,
      { error: 'Internal', message: 'internal server error' },
    ],
    [
      'a status alone, as of a client of HTTP',
      Object.assign(new Error('of another server'), { status: 404, statusCode: 404 }),
      500,
      { error: 'Internal', message: 'internal server error' },
    ],
  ])('an error of http-errors with %s', async (_name, error, status, body) => {
    const events = heard();
    await via(
      throwing(() => error),
      async (client) => void (await client.get('/')).assertStatus(status).assertJson(body),
    );
    expect(events.map(({ fields }) => [fields.error, fields.status])).toEqual([[error, status]]);
  });
});

it('an error of http-errors keeps its header fields, and onError gets it with its status', async () => {
  heard();
  const error = httpError(416, 'no such range', { headers: { 'Content-Range': 'bytes */7' } });
  const app = new App().onError((given, ctx) => ctx.json(given === error));
  const response = await throwing(() => error, app).oneshot(new Request('http://x/'));
  expect([response.status, response.headers.get('content-range'), await response.json()]).toEqual([
    416,
    'bytes */7',
    true,
  ]);
});

it('an error of http-errors is the error of a call', async () => {
  heard();
  const rpc = new RpcRegistry().queryWithTypes(
    'file',
    () => {
      throw httpError(404, 'no such file');
    },
    'void',
    'string',
  );
  const app = new App().mountRpc('/rpc', rpc);
  const headers = { 'Content-Type': 'application/json' };
  const body = '{"jsonrpc":"2.0","id":1,"method":"file"}';
  const response = await app.oneshot(new Request('http://x/rpc', { method: 'POST', headers, body }));
  expect(await response.json()).toMatchObject({ error: { message: 'no such file', data: { status: 404 } } });
});

it('a thrown Response whose body was read is an error', async () => {
  const events = heard();
  const used = new Response('x');
  await used.text();
  const response = await throwing(() => used).oneshot(new Request('http://x/'));
  expect(response.status).toBe(500);
  expect(events[0]?.message).toContain('body was already read');
});

it('a thrown Response whose stream fails before its first chunk is answered as that error', async () => {
  heard();
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield await Promise.reject(FwError.notFound('no rows'));
  }
  const response = await throwing(() => new Response(ReadableStream.from(failing()))).oneshot(
    new Request('http://x/'),
  );
  expect(response.status).toBe(404);
});
