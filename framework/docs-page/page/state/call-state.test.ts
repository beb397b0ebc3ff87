// Calls and connections of the page, with a real App.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Api } from '../../../api-model/api.js';
import { App, route } from '../../../index.js';
import { RpcRegistry } from '../../../rpc/index.js';
import type { RunningServer } from '../../../runtime/node/listen.js';
import { websocket } from '../../../websocket/index.js';
import { CallState, callStateOf } from './call-state.js';
import { LogState } from './log-state.js';
import { SocketState } from './socket-state.js';

let server: RunningServer;
let api: Api;
const left: string[] = [];
let arrived = 0;

beforeAll(async () => {
  const rpc = new RpcRegistry()
    .mutationWithTypes('add', ({ a }: { a: number }) => a + 1, '{ a: number }', 'number')
    .subscriptionWithTypes(
      'forever',
      async function* (_: undefined, { signal }) {
        yield 1;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        left.push('subscription');
      },
      'void',
      'number',
    );
  const app = new App()
    .mountRpc('/rpc', rpc)
    .get(route('/slow', { summary: 'Slow' }), (ctx) => {
      arrived += 1;
      return new Promise((resolve) =>
        ctx.signal.addEventListener('abort', () => resolve(left.push('request'))),
      );
    })
    .websocket(
      '/live/:room',
      websocket({
        onMessage: (socket, text) => void socket.send(`${text}!`),
        onClose: () => void left.push('socket'),
      }),
    );
  server = await app.serveDocs('/docs', app).listen(0);
  const url = `${server.url}/docs/api.json`;
  api = new Api(await (await fetch(url)).json(), url);
});
afterAll(() => server.close());

beforeEach(() => {
  left.length = 0;
  vi.stubGlobal('location', { href: `${server.url}/docs`, protocol: 'http:' });
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('WebSocket', WebSocket);
});
afterEach(() => vi.unstubAllGlobals());

function stateOf(name: string): CallState {
  const operation = api.operations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`no ${name}`);
  return new CallState(api, api.detail(operation));
}

describe('a call', () => {
  it('keeps what was filled in while other operations are open', () => {
    const [operation] = api.operations;
    if (operation === undefined) throw new Error('no operation');
    expect(callStateOf(api, operation)).toBe(callStateOf(api, operation));
  });

  it('is answered, and says what does not fit', async () => {
    const state = stateOf('add');
    await state.send();
    expect(state.form.issueAt(['body', 'a'])).toBe('expected number, got nothing');
    state.form.changeBody(['a'], 41);
    expect(state.form.issueAt(['body', 'a'])).toBeUndefined();
    await state.send();
    expect(state.result.value).toMatchObject({
      kind: 'answered',
      received: { status: 200, body: { value: { result: 42 } } },
    });
  });

  it('is left on the server when it is stopped, or sent again', async () => {
    const state = stateOf('/slow');
    const first = state.send();
    const second = state.send();
    await first;
    expect(state.result.value.kind).toBe('sending');
    await vi.waitFor(() => expect(arrived).toBeGreaterThan(0));
    state.stop();
    await second;
    expect(state.result.value).toEqual({ kind: 'failed', message: 'Stopped.' });
    await vi.waitFor(() => expect(left).toContain('request'));
  });

  it('shows a stream until it is stopped', async () => {
    const state = stateOf('forever');
    const sent = state.send();
    await vi.waitFor(() => expect(state.events.log.value.entries.map(({ text }) => text)).toContain('1'));
    expect(state.isRunning).toBe(true);
    state.stop();
    await sent;
    expect(state.result.value).toMatchObject({ kind: 'stream', ended: 'Stopped.' });
    await vi.waitFor(() => expect(left).toContain('subscription'));
  });

  it('fails with what cannot be sent', async () => {
    const state = stateOf('/live/{room}');
    await state.send();
    expect(state.result.value).toMatchObject({ message: "Fill in the path parameter 'room'." });
  });
});

describe('a connection', () => {
  it('shows what is sent and received, and closes the one before when it is opened again', async () => {
    const { plan } = stateOf('/live/{room}');
    const socket = new SocketState();
    const opened = { ...plan, url: `${server.url}/live/a` };
    const texts = () => socket.messages.log.value.entries.map(({ text }) => text);
    socket.connect(opened, []);
    await vi.waitFor(() => expect(socket.status.value).toBe('open'));
    socket.connect(opened, []);
    await vi.waitFor(() => expect(left).toContain('socket'));
    await vi.waitFor(() => expect(socket.status.value).toBe('open'));
    socket.send('hello');
    await vi.waitFor(() => expect(texts().at(-1)).toBe('hello!'));
    socket.close();
    await vi.waitFor(() => expect(socket.status.value).toBe('closed'));
    await vi.waitFor(() => expect(texts().at(-1)).toBe('closed with 1000, as it should'));
    socket.send('late');
    expect(texts()).not.toContain('late');
  });
});

describe('a log', () => {
  it('shows many entries at once, without waiting when there are too many', async () => {
    const log = new LogState();
    const entry = { at: 0, direction: 'in', name: '', id: '', text: 'x' } as const;
    log.add([entry]);
    expect(log.log.value.count).toBe(0);
    await vi.waitFor(() => expect(log.log.value.count).toBe(1));
    log.add(Array.from({ length: 600 }, () => entry));
    expect(log.log.value.count).toBe(601);
    log.add([entry]);
    log.clear();
    expect(log.log.value.count).toBe(0);
  });
});
