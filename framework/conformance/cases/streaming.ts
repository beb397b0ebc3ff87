// Cases: streams and server-sent events.
import assert from 'node:assert/strict';
import { App } from '../../app/app.js';
import type { Context } from '../../context/context.js';
import type { HandlerResult } from '../../context/handlers.js';
import { FwError } from '../../http/errors.js';
import { compression } from '../../middleware/compression/index.js';
import { sseChannel } from '../../streaming/sse-channel.js';
import { SseEvent } from '../../streaming/sse-event.js';
import { type Case, wireError } from '../case.js';

async function* listed<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

const get = (name: string, handler: (ctx: Context) => HandlerResult, rest: Partial<Case>): Case => ({
  name,
  app: () => new App().get('/', handler),
  request: { path: '/' },
  status: 200,
  ...rest,
});

const eventFields = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
  'content-length': undefined,
};

const internal = wireError('Internal', 'internal server error');

/** Fails instead of its first chunk. */
async function* missing(): AsyncGenerator<never> {
  await Promise.resolve();
  yield await Promise.reject(FwError.notFound('no such rows'));
}

const notFound = wireError('NotFound', 'no such rows');

async function* untouchable(): AsyncGenerator<never> {
  yield assert.fail('a producer was started though nobody reads');
}

export const streaming: Case[] = [
  get(
    'a stream of text and bytes',
    (ctx) => ctx.stream(listed<string | Uint8Array>('ä', new Uint8Array([98]), '', 'c')),
    {
      headers: { 'content-type': 'application/octet-stream', 'content-length': undefined },
      body: 'äbc',
    },
  ),
  get(
    'a stream with type, queued status and fields',
    (ctx) => ctx.status(206).header('X-A', '1').stream(listed('a,b\n', 'c,d\n'), 'text/csv'),
    { status: 206, headers: { 'content-type': 'text/csv', 'x-a': '1' }, body: 'a,b\nc,d\n' },
  ),
  get('an empty stream', (ctx) => ctx.stream(listed()), { body: '' }),
  get('a ReadableStream', (ctx) => ctx.stream(ReadableStream.from(listed('x', 'y'))), { body: 'xy' }),
  get('what is not a stream', (ctx) => ctx.stream('text' as unknown as AsyncIterable<string>), {
    status: 500,
    body: internal,
  }),
  get('a content type with a line break', (ctx) => ctx.stream(listed('x'), 'a/b\r\nX-A: 1'), {
    status: 500,
    headers: { 'x-a': undefined },
    body: internal,
  }),
  get('events', (ctx) => ctx.sse(listed(SseEvent.new([1]).event('n').id('1'), SseEvent.comment('bye'))), {
    headers: eventFields,
    body: 'event: n\nid: 1\ndata: [1]\n\n: bye\n\n',
  }),
  get('hostile data', (ctx) => ctx.sse(listed(SseEvent.data('a\r\n\r\nevent: x\rdata: y'))), {
    body: 'data: a\ndata: \ndata: event: x\ndata: data: y\n\n',
  }),
  get(
    'events drop a Content-Length',
    (ctx) => ctx.header('Content-Length', 3).sse(listed(SseEvent.data('x'))),
    {
      headers: eventFields,
      body: 'data: x\n\n',
    },
  ),
  get('queued fields apply to events', (ctx) => ctx.header('Cache-Control', 'no-store').sse(listed()), {
    headers: { ...eventFields, 'cache-control': 'no-store' },
    body: '',
  }),
  get(
    'events of a channel',
    (ctx) => {
      const { sender, stream } = sseChannel();
      sender.send(SseEvent.data('a'));
      setImmediate(() => {
        sender.send(SseEvent.data('b'));
        sender.close();
      });
      return ctx.sse(stream);
    },
    { headers: eventFields, body: 'data: a\n\ndata: b\n\n' },
  ),
  get('events that keep alive', (ctx) => ctx.sseKeepAlive(listed(SseEvent.data('a')), 60_000), {
    headers: eventFields,
    body: 'data: a\n\n',
  }),
  ...[0, -1, 1.5, Number.NaN, 2 ** 31].map((ms) =>
    get(`a keep-alive interval of ${ms}`, (ctx) => ctx.sseKeepAlive(listed(), ms), {
      status: 500,
      body: internal,
    }),
  ),
  get(
    'a stream of a channel that is read already',
    (ctx) => {
      const { stream } = sseChannel();
      stream[Symbol.asyncIterator]();
      return ctx.sse(stream);
    },
    { status: 500, body: internal },
  ),
  get(
    'a stream that fails before its first chunk',
    (ctx) => ctx.header('X-A', '1').stream(missing(), 'text/csv'),
    {
      status: 404,
      headers: { 'content-type': 'application/json', 'x-a': undefined },
      body: notFound,
    },
  ),
  get(
    'a web Response that fails before its first chunk',
    () => new Response(ReadableStream.from(missing())),
    {
      status: 404,
      body: notFound,
    },
  ),
  get('events that fail before the first one', (ctx) => ctx.sseKeepAlive(missing(), 60_000), {
    status: 404,
    headers: { 'content-type': 'application/json', 'x-accel-buffering': undefined },
    body: notFound,
  }),
  get('what onError makes of a stream that fails', (ctx) => ctx.stream(missing()), {
    app: () =>
      new App()
        .onError((error, ctx) => ctx.text(`handled ${(error as Error).message}`))
        .use(compression())
        .get('/', (ctx) => ctx.stream(missing(), 'text/plain')),
    request: { path: '/', headers: { 'Accept-Encoding': 'gzip' } },
    status: 404,
    headers: { 'content-encoding': undefined, vary: 'Accept-Encoding' },
    body: 'handled no such rows',
  }),
  get('HEAD of a stream produces nothing', (ctx) => ctx.stream(untouchable(), 'text/plain'), {
    request: { path: '/', method: 'HEAD' },
    headers: { 'content-type': 'text/plain' },
    body: '',
  }),
  get('HEAD of events produces nothing', (ctx) => ctx.sseKeepAlive(untouchable(), 1), {
    request: { path: '/', method: 'HEAD' },
    headers: eventFields,
    body: '',
  }),
  get('the last event id', (ctx) => ctx.text(ctx.lastEventId() ?? 'none'), {
    request: { path: '/', headers: { 'Last-Event-ID': '42' } },
    body: '42',
  }),
  get('no last event id', (ctx) => ctx.text(ctx.lastEventId() ?? 'none'), { body: 'none' }),
  get('the last event id is UTF-8', (ctx) => ctx.text(ctx.lastEventId() ?? 'none'), {
    request: { path: '/', headers: { 'Last-Event-ID': Buffer.from('grüße…').toString('latin1') } },
    body: 'grüße…',
  }),
];
