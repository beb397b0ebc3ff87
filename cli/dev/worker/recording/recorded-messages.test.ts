// The messages of recorded WebSockets and event streams, as they pass.
import diagnostics from 'node:diagnostics_channel';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { App, toNodeHandler } from '../../../../framework/index.js';
import { RpcRegistry } from '../../../../framework/rpc/index.js';
import { websocket } from '../../../../framework/websocket/index.js';
import type { WorkerNews } from '../../../process/messages.js';
import type { RawMessage, RawMessages } from '../../../process/records.js';
import { MessageLog, type NotedMessage } from './message-log.js';
import { Recorder } from './recorder.js';
import { SseMessages } from './sse-messages.js';

let server: http.Server | undefined;
let recorder: Recorder;
let news: WorkerNews[] = [];
afterEach(() => {
  recorder?.switch(false);
  server?.closeAllConnections();
  server?.close();
});

async function start(app: App): Promise<number> {
  news = [];
  recorder = new Recorder((message, done) => {
    news.push(message);
    done?.();
  });
  recorder.switch(true);
  const handler = toNodeHandler(app);
  const made = http.createServer((request, response) =>
    recorder.request(request, response, undefined, () => handler(request, response)),
  );
  made.on('upgrade', (request, socket, head) =>
    recorder.upgrade(request, socket, () => handler.upgrade(request, socket, head)),
  );
  server = made;
  await new Promise<void>((done) => made.listen(0, '127.0.0.1', done));
  return (made.address() as AddressInfo).port;
}

const logs = (): RawMessages[] => news.flatMap((one) => (one.fw === 'messages' ? one.logs : []));
const all = (): RawMessage[] => logs().flatMap(({ messages }) => messages);

async function connect(port: number, path: string): Promise<WebSocket> {
  const client = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  await new Promise((done) => client.once('open', done));
  return client;
}

it('those of a WebSocket, both ways, with its close code', async () => {
  const port = await start(
    new App().websocket(
      '/echo',
      websocket({
        onOpen: (socket) => void socket.send('hello'),
        onMessage: (socket, message) => void socket.send(message),
      }),
    ),
  );
  const client = await connect(port, '/echo');
  client.send('Grüße');
  client.send(Buffer.from([1, 2, 3]));
  await expect
    .poll(() => all().map(({ direction, size, text }) => [direction, size, text]))
    .toEqual([
      ['sent', 5, 'hello'],
      ['received', 7, 'Grüße'],
      ['sent', 7, 'Grüße'],
      ['received', 3, undefined],
      ['sent', 3, undefined],
    ]);
  client.close(4001, 'had enough');
  await expect.poll(() => logs().at(-1)?.end).toEqual({ code: 4001, reason: 'had enough' });
  const record = news.findIndex((one) => one.fw === 'records');
  expect(record).toBeLessThan(news.findIndex((one) => one.fw === 'messages'));
});

it('why a callback of the app closed it, and where', async () => {
  const port = await start(
    new App().websocket(
      '/broken',
      websocket({
        async onMessage() {
          throw new RangeError('no such room');
        },
      }),
    ),
  );
  const client = await connect(port, '/broken');
  client.send('x');
  await expect.poll(() => all().map(({ direction }) => direction)).toEqual(['received', 'failed']);
  expect(all()[1]?.text).toMatch(/^RangeError: no such room\n {2}at /);
  await expect.poll(() => logs().at(-1)?.end).toMatchObject({ code: 1011 });
  // Once, whatever is told after it.
  expect(logs().flatMap(({ error }) => error?.title ?? [])).toEqual(['RangeError: no such room']);
});

it('none once nobody looks any more, which is said of those that are open', async () => {
  const port = await start(
    new App().websocket('/echo', websocket({ onMessage: (socket, message) => void socket.send(message) })),
  );
  const client = await connect(port, '/echo');
  client.send('1');
  await expect.poll(() => all().length).toBe(2);
  expect(diagnostics.channel('fw:websocket').hasSubscribers).toBe(true);
  recorder.switch(false);
  expect(diagnostics.channel('fw:websocket').hasSubscribers).toBe(false);
  await expect.poll(() => logs().at(-1)?.end).toBe('unwatched');
  client.send('2');
  await new Promise((done) => client.once('message', done));
  expect(all().length).toBe(2);
  client.terminate();
});

it('the events of a subscription over HTTP, each when it was sent', async () => {
  let next: () => void = () => {};
  const rpc = new RpcRegistry().subscription('ticks', async function* () {
    yield { tick: 1 };
    await new Promise<void>((done) => {
      next = done;
    });
    yield { tick: 2 };
  });
  const port = await start(new App().mountRpc('/rpc', rpc));
  const request = { jsonrpc: '2.0', id: 1, method: 'ticks' };
  const response = await fetch(`http://127.0.0.1:${port}/rpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify(request),
  });
  const shown = () => all().map(({ event, text }) => [event, text]);
  await expect.poll(shown).toEqual([
    ['ready', expect.stringContaining('heartbeatMs')],
    ['message', '{"tick":1}'],
  ]);
  next();
  await response.text();
  await expect
    .poll(() => shown().slice(2))
    .toEqual([
      ['message', '{"tick":2}'],
      ['done', ''],
    ]);
});

it('are short, and no more than 100 wait, the others are counted', () => {
  const log = new MessageLog(performance.now());
  for (let n = 1; n <= 130; n++) log.add({ direction: 'sent', size: 1, text: String(n) });
  const bytes = Buffer.from('ü'.repeat(2000));
  log.add({ direction: 'received', size: bytes.length, text: bytes });
  const { messages, leftOut } = log.take(7);
  expect([messages.length, leftOut, messages[0]?.text]).toEqual([100, 31, '32']);
  expect(messages.at(-1)).toMatchObject({ size: 4000, isCut: true, text: 'ü'.repeat(1024) });
  expect(log.hasNews).toBe(false);
  log.fail({ direction: 'failed', size: 0, text: 'x' }, { title: 'Error: x', frames: [], details: '' });
  expect(log.take(7).error?.title).toBe('Error: x');
  expect(log.take(7).error).toBeUndefined();
  log.end({ code: 1000, reason: '' });
  log.add({ direction: 'sent', size: 1, text: 'after the end' });
  expect(log.take(7)).toMatchObject({ messages: [], end: { code: 1000 } });
});

it('are read from an event stream whatever its pieces and line ends are', () => {
  const seen: NotedMessage[] = [];
  const reader = new SseMessages((one) => seen.push(one));
  const text = ': ping\n\nevent: a\ndata: 1\ndata:2\n\nid: 7\r\ndata: ä\r\n\r\nretry: 5\n\ndata\n\n';
  for (const byte of Buffer.from(text)) reader.write(Uint8Array.of(byte));
  expect(seen.map(({ event, text: data, size }) => [event, data, size])).toEqual([
    ['a', '1\n2', 3],
    ['message, id 7', 'ä', 2],
    ['message', '', 0],
  ]);
  for (let part = 0; part < 10; part++) reader.write(`${part === 0 ? 'data: ' : ''}${'x'.repeat(20_000)}`);
  reader.write('\n\n');
  expect(seen.at(-1)?.size).toBe(200_000);
});
