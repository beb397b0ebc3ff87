// The class of sockets in generated clients, against servers of ws.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { rest } from '../conformance/checked-client.js';
import { clientCode } from '../conformance/client-form.js';
import { loadClient, socketsAlone, type TrialModule } from '../conformance/socket-client.js';
import { type SocketServer, socketServer } from '../conformance/socket-server.js';
import { printClient } from './print-client.js';

const fast = { minDelayMs: 1, maxDelayMs: 5 };
const text = printClient(socketsAlone, rest);
let module: TrialModule;
let server: SocketServer;
const abort = { controller: new AbortController() };

beforeAll(async () => {
  module = await loadClient(text);
});
beforeEach(async () => {
  abort.controller = new AbortController();
  server = await socketServer();
});
afterEach(async () => {
  abort.controller.abort();
  await server.close();
  vi.restoreAllMocks();
});

const client = (options: object = {}) =>
  new module.FwRpcClient(server.url, { sockets: { WebSocket, ...options } });
const joined = (options: object = {}) =>
  client().rooms.join(
    { room: 'a b', since: 3 },
    { signal: abort.controller.signal, reconnect: fast, ...options },
  );
const served = async (count: number) => {
  await vi.waitFor(() => expect(server.connections).toHaveLength(count));
  const connection = server.connections[count - 1];
  if (connection === undefined) throw new Error('there is no connection');
  return connection;
};
const framesOf = async (count: number, most: number) => {
  const connection = await served(count);
  await vi.waitFor(() => expect(connection.frames.length).toBeGreaterThanOrEqual(most));
  return connection.frames;
};

describe('a socket of a client', () => {
  it('connects to its route, and sends what waits once the server is ready', async () => {
    await server.close();
    server = await socketServer(() => {});
    const states: unknown[] = [];
    const room = joined({
      onState: (state: string) => states.push(state),
      protocols: ['other'],
      token: 'tökén?>',
    });
    expect(room.state).toBe('connecting');
    expect(room.emit('say', { text: 'early' })).toBe(true);
    const connection = await served(1);
    expect(connection.request.url).toBe('/rooms/a%20b?since=3');
    const token = Buffer.from('tökén?>').toString('base64url');
    expect(connection.request.headers['sec-websocket-protocol']).toBe(`fw.events,fw.bearer.${token},other`);
    expect(await framesOf(1, 1)).toEqual([{ resume: {} }]);
    const before = vi.fn();
    room.on('said', before);
    connection.send({ event: 'said', data: 'before ready' });
    await vi.waitFor(() => expect(before).toHaveBeenCalledWith('before ready'));
    expect(connection.frames).toHaveLength(1);
    connection.send({ ready: { heartbeatMs: 30_000 } });
    await framesOf(1, 2);
    room.emit('say', { text: 'late' });
    room.emit('typing-now');
    expect(await framesOf(1, 4)).toEqual([
      { resume: {} },
      { event: 'say', data: { text: 'early' } },
      { event: 'say', data: { text: 'late' } },
      { event: 'typing-now' },
    ]);
    expect(states).toEqual(['open']);
    expect(room.state).toBe('open');
  });

  it('calls the listeners of an event, also beside one that throws, until they are removed', async () => {
    const thrown: unknown[] = [];
    const microtask = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((callback) => {
      try {
        callback();
      } catch (error) {
        thrown.push(error);
      }
    });
    const room = joined();
    const heard: unknown[] = [];
    const fault = new Error('of the listener');
    room.on('said', () => {
      throw fault;
    });
    const listener = (data: unknown) => heard.push(data);
    const remove = room.on('said', listener);
    room.on('said', listener);
    room.on('other', () => expect.fail('it is for another event'));
    const connection = await served(1);
    connection.send({ event: 'said', data: { n: 1 } });
    await vi.waitFor(() => expect(heard).toEqual([{ n: 1 }, { n: 1 }]));
    expect(thrown).toEqual([fault]);
    microtask.mockRestore();
    vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => {});
    remove();
    remove();
    connection.send({ event: 'said', data: { n: 2 } });
    await vi.waitFor(() => expect(heard).toEqual([{ n: 1 }, { n: 1 }, { n: 2 }]));
  });

  it('connects again when it is cut, and names the last ids of its topics', async () => {
    const states: [string, unknown][] = [];
    const room = joined({ onState: (state: string, reason: unknown) => states.push([state, reason]) });
    const first = await served(1);
    const heard = vi.fn();
    room.on('said', heard);
    first.send({ event: 'said', data: 1, topic: 'room:1', id: '16' });
    first.send({ event: 'said', data: 2, topic: 'room:1', id: '17' });
    first.send({ event: 'said', data: 3, topic: '__proto__', id: '4' });
    first.send({ event: 'said', data: 4, topic: 5, id: {} });
    first.send({ position: { topic: 'new', id: '9' } });
    first.send({ position: { topic: 'odd' } });
    first.send({ missed: { topic: 'gone', id: '5' } });
    first.send({ event: 'said', data: 5 });
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(5));
    first.socket.terminate();
    const [resume] = await framesOf(2, 1);
    expect(JSON.stringify(resume)).toBe('{"resume":{"room:1":"17","__proto__":"4","new":"9","gone":"5"}}');
    await vi.waitFor(() => expect(room.state).toBe('open'));
    expect(states.map(([state]) => state)).toEqual(['open', 'lost', 'open']);
    expect(states[1]?.[1]).toMatchObject({ name: 'FwSocketError', code: 1006 });
    expect(states[1]?.[1]).toBeInstanceOf(module.FwSocketError);
  });

  it('asks for a token before each connection, and tries again when there is none', async () => {
    const token = vi
      .fn()
      .mockRejectedValueOnce(new Error('offline'))
      .mockResolvedValueOnce('a')
      .mockReturnValueOnce('b');
    const states: unknown[] = [];
    const onState = (state: string, reason?: { cause?: unknown }) => states.push([state, reason?.cause]);
    joined({ token, onState });
    const protocols = ({ request }: { request: { headers: NodeJS.Dict<string | string[]> } }) =>
      request.headers['sec-websocket-protocol'];
    const first = await served(1);
    expect(protocols(first)).toBe('fw.events,fw.bearer.YQ');
    expect(states[0]).toEqual(['lost', new Error('offline')]);
    first.socket.terminate();
    expect(protocols(await served(2))).toBe('fw.events,fw.bearer.Yg');
  });

  it('sends a token of any characters in those of a sub-protocol', async () => {
    joined({ token: 'ü?>€' });
    const { request } = await served(1);
    const [, sent = ''] = String(request.headers['sec-websocket-protocol']).split(',fw.bearer.');
    expect(sent).toMatch(/^[\w-]+$/);
    expect(Buffer.from(sent, 'base64url').toString()).toBe('ü?>€');
  });

  it.each([1001, 1009, 1011, 1012, 1013, 3000, 3999])(
    'connects again after the close code %i',
    async (code) => {
      const room = joined();
      const { socket } = await served(1);
      await vi.waitFor(() => expect(room.state).toBe('open'));
      socket.close(code);
      await served(2);
    },
  );

  it.each([1000, 1008, 4000, 4999])('is closed for good by the close code %i', async (code) => {
    const states: [string, unknown][] = [];
    const room = joined({ onState: (state: string, reason: unknown) => states.push([state, reason]) });
    const { socket } = await served(1);
    await vi.waitFor(() => expect(room.state).toBe('open'));
    socket.close(code, 'why');
    await vi.waitFor(() => expect(room.state).toBe('closed'));
    expect(states.at(-1)).toEqual([
      'closed',
      expect.objectContaining({ code, reason: 'why', message: expect.stringContaining(`(${code}: why)`) }),
    ]);
    expect(room.emit('say', { text: '' })).toBe(false);
    expect(server.connections).toHaveLength(1);
  });

  it('tells what failed, and gives up after so many attempts in a row', async () => {
    const { url } = server;
    await server.close();
    const states: [string, unknown][] = [];
    const room = new module.FwRpcClient(url).rooms.join(
      { room: 'a' },
      {
        WebSocket,
        reconnect: { ...fast, maxAttempts: 2 },
        onState: (state: string, reason: unknown) => states.push([state, reason]),
      },
    );
    await vi.waitFor(() => expect(room.state).toBe('closed'));
    expect(states.map(([state]) => state)).toEqual(['lost', 'lost', 'closed']);
    expect(states[0]?.[1]).toMatchObject({ code: 1006, cause: { code: 'ECONNREFUSED' } });
    server = await socketServer();
  });

  it('is closed by a lost connection without reconnect', async () => {
    const room = joined({ reconnect: false });
    const { socket } = await served(1);
    await vi.waitFor(() => expect(room.state).toBe('open'));
    socket.terminate();
    await vi.waitFor(() => expect(room.state).toBe('closed'));
    expect(server.connections).toHaveLength(1);
  });

  it('tells topics that were missed, and events that were refused', async () => {
    const onMissed = vi.fn();
    const onRefused = vi.fn();
    const room = joined({ onMissed, onRefused });
    const connection = await served(1);
    await vi.waitFor(() => expect(room.state).toBe('open'));
    connection.send({ event: 'said', topic: 'a', id: '1' });
    connection.send({ missed: { topic: 'a' } });
    connection.send({ missed: { topic: 5 } });
    const issues = [{ path: ['text'], message: 'too long' }];
    connection.send({ failed: { event: 'say', message: 'no', issues } });
    connection.send({ failed: { event: 5, issues: 'x' } });
    await vi.waitFor(() => expect(onRefused).toHaveBeenCalledTimes(2));
    expect(onMissed.mock.calls).toEqual([['a']]);
    expect(onRefused.mock.calls).toEqual([
      [{ event: 'say', message: 'no', issues }],
      [{ event: '', message: 'the server did not take the event', issues: [] }],
    ]);
    connection.socket.terminate();
    expect((await framesOf(2, 1))[0]).toEqual({ resume: {} });
  });

  it('ignores what is not a frame', async () => {
    const room = joined();
    const heard = vi.fn();
    room.on('said', heard);
    room.on('__proto__', heard);
    const connection = await served(1);
    await vi.waitFor(() => expect(room.state).toBe('open'));
    const odd = ['', '{', 'null', '[]', '1', '"a"', '{}', '{"__proto__":{"event":"said","data":1}}'];
    odd.push(
      '{"event":{}}',
      '{"event":"constructor"}',
      '{"event":"toString"}',
      '{"ready":{"heartbeatMs":-1}}',
    );
    odd.push('{"missed":null}', '{"failed":[]}', '{"subscription":{"id":1}}', '{"ready":1}');
    for (const message of odd) connection.send(message);
    connection.socket.send(Buffer.from('{"event":"said","data":1}'), { binary: true });
    connection.send('{"event":"__proto__","data":{"__proto__":{"polluted":true}}}');
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(room.state).toBe('open');
  });

  it('is closed by its client, with a code', async () => {
    const onState = vi.fn();
    const room = joined({ onState });
    const { socket } = await served(1);
    await vi.waitFor(() => expect(room.state).toBe('open'));
    expect(() => room.close(1)).toThrow();
    expect(room.state).toBe('open');
    const closed = new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve([code, String(reason)])),
    );
    room.close(4000, 'bye');
    expect(await closed).toEqual([4000, 'bye']);
    expect(onState.mock.lastCall).toEqual(['closed', undefined]);
    room.close();
    expect(onState).toHaveBeenCalledTimes(2);
  });

  it('lets a process of Node end once it is closed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'fw-socket-'));
    const code = await clientCode(text);
    writeFileSync(join(directory, 'client.mjs'), code);
    const program = `import { FwRpcClient } from './client.mjs';
import { WebSocket } from ${JSON.stringify(import.meta.resolve('ws'))};
const room = new FwRpcClient(process.argv[2], { sockets: { WebSocket } }).rooms.join({ room: 'a' }, {
  onState(state) { console.log(state); if (state === 'open') room.close(); },
});
const early = new FwRpcClient(process.argv[2], { sockets: { WebSocket } }).feed();
early.close();
const none = new FwRpcClient('http://127.0.0.1:1', { sockets: { WebSocket } }).feed({
  onState(state) { if (state === 'lost') none.close(); },
});
`;
    writeFileSync(join(directory, 'program.mjs'), program);
    const output = await new Promise<string>((resolve, reject) => {
      execFile(
        process.execPath,
        [join(directory, 'program.mjs'), server.url],
        { timeout: 240_000 },
        (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
      );
    });
    expect(output).toBe('open\nclosed\n');
    rmSync(directory, { recursive: true });
  });

  it('runs on the WebSocket of Node as well', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'fw-socket-'));
    const code = await clientCode(text);
    writeFileSync(join(directory, 'client.mjs'), code);
    const program = `const { FwRpcClient } = await import(${JSON.stringify(pathToFileURL(join(directory, 'client.mjs')).href)});
const states = [];
const gone = new FwRpcClient('http://127.0.0.1:1').feed({ reconnect: { maxAttempts: 1, minDelayMs: 1 }, onState(state) {
  states.push(state);
  if (state !== 'closed') return;
  const room = new FwRpcClient(process.argv[2]).rooms.join({ room: 'a' }, { onState(next) {
    states.push(next);
    if (next === 'open') room.close();
    if (next === 'closed') console.log(states.join());
  } });
} });
`;
    writeFileSync(join(directory, 'program.mjs'), program);
    const flags = 'WebSocket' in globalThis ? [] : ['--experimental-websocket'];
    const output = await new Promise<string>((resolve, reject) => {
      const args = [...flags, join(directory, 'program.mjs'), server.url];
      execFile(process.execPath, args, { timeout: 60_000 }, (error, stdout) =>
        error === null ? resolve(stdout) : reject(error),
      );
    });
    expect(output).toBe('lost,closed,open,closed\n');
    rmSync(directory, { recursive: true });
  });
});

describe('a loop over the events of a socket', () => {
  it('gets them in order from its beginning, and removes its listener at its end', async () => {
    const room = joined();
    const events = room.events('said');
    const connection = await served(1);
    for (const data of [1, 2, 3]) connection.send({ event: 'said', data });
    const got: unknown[] = [];
    for await (const data of events) {
      got.push(data);
      if (data === 2) break;
    }
    expect(got).toEqual([1, 2]);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it('ends when it is left while it waits', async () => {
    const events = joined().events('said');
    const next = events.next();
    expect(await events.return()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('ends with its socket, and fails with the reason why that was closed', async () => {
    const own = joined();
    const waiting = own.events('said').next();
    own.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await own.events('said').next()).toEqual({ done: true, value: undefined });

    const refused = joined();
    const failing = refused.events('said').next();
    const { socket } = await served(1);
    await vi.waitFor(() => expect(refused.state).toBe('open'));
    socket.close(1008, 'the session has ended');
    await expect(failing).rejects.toMatchObject({ code: 1008, reason: 'the session has ended' });
    const aborted = joined().events('said').next();
    abort.controller.abort(new Error('left the page'));
    await expect(aborted).rejects.toThrow('left the page');
  });

  it('fails when too many events wait for it', async () => {
    const room = joined();
    const events = room.events('said');
    const connection = await served(1);
    let count = 0;
    room.on('said', () => {
      count += 1;
    });
    for (let n = 0; n < 1_002; n += 1) connection.send({ event: 'said', data: n });
    await vi.waitFor(() => expect(count).toBe(1_002));
    const got: unknown[] = [];
    const loop = async () => {
      for await (const data of events) got.push(data);
    };
    await expect(loop()).rejects.toThrow('more than 1000 events wait for this loop; take them faster');
    expect(got).toHaveLength(1_000);
  });
});
