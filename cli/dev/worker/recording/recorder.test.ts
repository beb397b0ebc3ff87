// What the recorder notes of requests, and that it changes none of them.
import diagnostics from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { App, createMiddleware, Json, Path, route, toNodeHandler } from '../../../../framework/index.js';
import { JsonRpcError, RpcRegistry } from '../../../../framework/rpc/index.js';
import { QueryWatch } from '../../../../framework/sql/query-watch.js';
import { publishEvent } from '../../../../framework/tracing/event.js';
import { withSpan } from '../../../../framework/tracing/index.js';
import { isRecorded } from '../../../../framework/tracing/trace-channel.js';
import type { WorkerNews } from '../../../process/messages.js';
import type { RawRecord } from '../../../process/records.js';
import { Recorder } from './recorder.js';

type Listener = (request: http.IncomingMessage, response: http.ServerResponse) => void;

let server: http.Server;
let news: WorkerNews[];
let recorder: Recorder;
afterEach(() => {
  recorder.switch(false);
  server.closeAllConnections();
  server.close();
});

async function start(listener: Listener, options: http.ServerOptions = {}): Promise<void> {
  news = [];
  recorder = new Recorder((message, done) => {
    news.push(message);
    done?.();
  });
  recorder.switch(true);
  server = http.createServer(options, (request, response) => {
    if (recorder.isOn) recorder.request(request, response, undefined, () => listener(request, response));
    else listener(request, response);
  });
  server.on('upgrade', (request, socket) => {
    const { write } = socket;
    recorder.upgrade(request, socket, () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nX-Own: 1\r\n\r\n');
      // Frames are not watched.
      expect(socket.write).toBe(write);
      socket.end('frame');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
}

function url(path: string): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
}

function records(): RawRecord[] {
  return news.flatMap((one) => (one.fw === 'records' ? one.records : []));
}

/** The record of a request that was answered. */
async function recordOf(path: string, init: RequestInit = {}): Promise<RawRecord> {
  const answer = await fetch(url(path), { keepalive: false, ...init });
  await answer.arrayBuffer();
  // One that takes longer has a pending record before it.
  const ended = () => records().find((one) => one.state !== 'pending' && one.target === path);
  await expect.poll(ended).toBeDefined();
  return ended() as RawRecord;
}

const textOf = (body: RawRecord['requestBody']) => Buffer.from(body?.data ?? '', 'base64').toString();

describe('a recorded request of an App', () => {
  it('has the steps that ran, with those around them, the log and the error', async () => {
    const rpc = new RpcRegistry();
    rpc.use(async function checked(_call, next) {
      return await next();
    });
    rpc.query('add', { input: z.object({ a: z.number() }) }, ({ a }) => a + 1);
    const app = new App();
    app.use(async function timing(_ctx, next) {
      await next();
    });
    app.post(
      '/items/:id',
      Path('id', z.coerce.number()),
      Json(z.object({ a: z.number() })),
      async function add(id) {
        await withSpan({ job: 'load' }, async () => publishEvent('info', 'loaded', { id, password: 'p' }));
        return { id };
      },
    );
    app.get(route('/fails', { use: [] }), function failing(): string {
      throw new TypeError('broken');
    });
    app.mountRpc('/rpc', rpc);
    await start(toNodeHandler(app));

    const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const item = await recordOf('/items/7', { ...post, body: '{"a":1}' });
    expect(item.route).toBe('/items/:id');
    expect(item.steps.map(({ kind, name, depth }) => [kind, name, depth])).toEqual([
      ['middleware', 'timing', 0],
      ['extractor', "Path('id')", 1],
      ['extractor', 'Json', 1],
      ['handler', 'add', 1],
      ['span', 'job=load', 2],
    ]);
    for (const { start, end } of item.steps) expect(end).toBeGreaterThanOrEqual(start);
    expect(item.steps[0]?.place).toMatch(/recorder\.test\.ts:\d+:\d+$/);
    expect(item.log).toMatchObject([{ level: 'info', message: 'loaded', fields: { job: 'load', id: '7' } }]);
    expect([textOf(item.requestBody), textOf(item.responseBody)]).toEqual(['{"a":1}', '{"id":7}']);

    const failed = await recordOf('/fails');
    expect(failed.status).toBe(500);
    expect(failed.error).toMatchObject({ title: 'TypeError: broken' });
    expect(failed.steps.at(-1)).toMatchObject({
      kind: 'handler',
      name: 'failing',
      error: 'TypeError: broken',
    });

    const call = await recordOf('/rpc', {
      ...post,
      body: '{"jsonrpc":"2.0","method":"add","params":{"a":1},"id":1}',
    });
    expect(call.steps.map(({ kind, name }) => [kind, name])).toEqual([
      ['middleware', 'timing'],
      ['handler', 'jsonRpc'],
      ['procedure', 'add'],
      ['middleware', 'checked'],
    ]);
    // Nothing is published for requests that nobody records.
    expect(isRecorded()).toBe(false);
  });

  it('has the places of functions without a name, wherever they were registered', async () => {
    const created = createMiddleware((_, next) => next());
    const rpc = new RpcRegistry();
    rpc.use((_, next) => next());
    rpc.query('one', { use: [created, (_, next) => next()] }, () => 1);
    const app = new App().use((_, next) => next()).use(created);
    app.get(route('/', { use: [created, (_, next) => next()] }), () => 'x');
    app.mountRpc('/rpc', rpc);
    await start(toNodeHandler(app));
    const shown = ({ steps }: RawRecord) =>
      steps.map(({ kind, name, place = '' }) => `${kind} ${name} ${/:(\d+):\d+$/.exec(place)?.[1]}`);
    const lines = readFileSync(fileURLToPath(import.meta.url), 'utf8').split('\n');
    const first = lines.findIndex((one) => one.includes('const created ='));
    const line = (text: string) =>
      lines.findIndex((one, index) => index >= first && one.trimStart().startsWith(text)) + 1;
    const [here, app1, get] = [
      line('const created ='),
      line('const app = new App().use((_'),
      line("app.get(route('/', { use: [created"),
    ];
    const around = [`middleware  ${app1}`, `middleware  ${here}`];
    expect(shown(await recordOf('/'))).toEqual([
      ...around,
      `middleware  ${here}`,
      `middleware  ${get}`,
      `handler  ${get}`,
    ]);
    const call = { method: 'POST', body: '{"jsonrpc":"2.0","method":"one","id":1}' };
    const [use, query] = [line('rpc.use((_,'), line("rpc.query('one'")];
    expect(
      shown(await recordOf('/rpc', { ...call, headers: { 'content-type': 'application/json' } })),
    ).toEqual([
      ...around,
      `handler jsonRpc ${line("app.mountRpc('/rpc', rpc);")}`,
      `procedure one ${query}`,
      `middleware  ${use}`,
      `middleware  ${here}`,
      `middleware  ${query}`,
    ]);
  });

  it('has an error at the innermost step that threw it, and the others pass it on', async () => {
    const app = new App();
    app.use(function outer(_ctx, next) {
      return next();
    });
    app.use(async function wraps(_ctx, next) {
      return await next().catch((cause: unknown) => {
        throw new Error('wrapped', { cause });
      });
    });
    app.get('/', async function failing() {
      await withSpan({ job: 'caught' }, async () => {
        throw new Error('caught');
      }).catch(() => {});
      return withSpan({ job: 'load' }, async (): Promise<string> => {
        throw new TypeError('broken');
      });
    });
    await start(toNodeHandler(app));
    const { steps } = await recordOf('/');
    expect(steps.map(({ name, parent, error, passesError }) => [name, parent, error ?? passesError])).toEqual(
      [
        ['outer', undefined, true],
        ['wraps', 0, 'Error: wrapped'],
        ['failing', 1, true],
        ['job=caught', 2, 'Error: caught'],
        ['job=load', 2, 'TypeError: broken'],
      ],
    );
  });

  it('has the error that cut off its stream, whatever status was sent', async () => {
    async function* rows(): AsyncGenerator<string> {
      yield 'first';
      throw new DOMException('the database went away', 'DataError');
    }
    await start(toNodeHandler(new App().get('/', (ctx) => ctx.stream(rows()))));
    await expect(recordOf('/')).rejects.toThrow();
    // Clients may try a GET again.
    await expect
      .poll(() => records()[0])
      .toMatchObject({
        state: 'aborted',
        status: 200,
        error: { title: 'DataError: the database went away' },
      });
  });

  it('has the parameters of its statements, unless a column is named like a secret', async () => {
    const watch = new QueryWatch();
    await start(
      toNodeHandler(
        new App().get('/', async () => {
          await watch.run(
            { sql: 'select * from t where name = ? and n = ?', parameters: ['Ada', 7] },
            async () => 1,
          );
          await watch.run(
            { sql: 'insert into t (name, password_hash) values (?, ?)', parameters: ['Eve', 'h'] },
            () => 1,
          );
          await watch.run({ sql: 'select * from sessions where "key" = ?', parameters: ['k'] }, () => 1);
          await watch.run({ sql: 'begin', parameters: undefined }, () => 1);
          return 'ok';
        }),
      ),
    );
    const { steps } = await recordOf('/');
    const statements = steps.filter(({ kind }) => kind === 'database');
    expect(statements.map(({ parameters }) => parameters)).toEqual([
      ['Ada', '7'],
      ['••••••', '••••••'],
      ['••••••'],
      undefined,
    ]);
  });

  it('has the calls that it made to other servers, with their statuses and errors', async () => {
    const other = http.createServer((request, response) => {
      response.statusCode = request.url === '/missing' ? 404 : 200;
      response.end('{}');
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const base = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const closed = http.createServer();
    await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
    const away = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise<unknown>((done) => closed.close(done));
    const viaHttp = (path: string) =>
      new Promise<void>((done, fail) => {
        http.get(`${base}${path}`, (response) => response.resume().once('end', done)).once('error', fail);
      });
    await start(
      toNodeHandler(
        new App()
          .get('/calls', async function calls() {
            await (await fetch(`${base}/items?token=t`, { method: 'POST', body: 'x' })).json();
            await viaHttp('/missing');
            await fetch(`${away}/`).catch(() => undefined);
            return 'ok';
          })
          .get('/none', () => 'ok'),
      ),
    );
    const [made, none] = await Promise.all([recordOf('/calls'), recordOf('/none')]);
    const shown = made.steps.filter(({ kind }) => kind === 'outgoing');
    expect(shown.map(({ name, fields, depth }) => [name, fields, depth])).toEqual([
      [`POST ${base}/items?token=t`, { status: '200' }, 1],
      [`GET ${base}/missing`, { status: '404' }, 1],
      [`GET ${away}/`, {}, 1],
    ]);
    expect(shown[2]?.error).toMatch(/ECONNREFUSED/);
    for (const { start, end } of shown) expect(end).toBeGreaterThanOrEqual(start);
    const [first, second, third] = shown.map(({ place }) => place !== undefined);
    expect([first, third]).toEqual([true, true]);
    // Node.js 20 tells it on some systems.
    if (!process.version.startsWith('v20.')) expect(second).toBe(true);
    expect(none.steps.map(({ kind }) => kind)).toEqual(['handler']);
    // Nothing is heard while no request is recorded.
    for (const name of ['undici:request:create', 'http.client.request.start'])
      expect(diagnostics.channel(name).hasSubscribers).toBe(false);
    other.closeAllConnections();
    other.close();
  });

  it('has the error of each call of a batch, with what its procedure declares', async () => {
    const rpc = new RpcRegistry()
      .query('first', () => {
        throw new TypeError('no title');
      })
      .mutation('buy', { errors: { outOfStock: {} } }, (_, { errors }) => {
        throw errors.outOfStock();
      })
      .query('own', () => {
        throw new JsonRpcError(-32010, 'sold out');
      })
      .query('fine', () => 1);
    await start(toNodeHandler(new App().mountRpc('/rpc', rpc)));
    const batch = ['first', 'buy', 'own', 'fine', 'first'].map((method, id) => ({
      jsonrpc: '2.0',
      id,
      method,
    }));
    const headers = { 'Content-Type': 'application/json' };
    const record = await recordOf('/rpc', { method: 'POST', headers, body: JSON.stringify(batch) });
    const shown = record.callErrors?.map(({ procedure, outcome, error }) => [
      procedure,
      outcome,
      error.title,
    ]);
    expect(shown?.toSorted()).toEqual([
      ['buy', 'outOfStock', 'outOfStock: out of stock'],
      ['first', '-32603', 'TypeError: no title'],
      ['first', '-32603', 'TypeError: no title'],
      ['own', '-32010', 'JsonRpcError: sold out'],
    ]);
    expect(record.error?.title).toBe('TypeError: no title');
    const many = Array.from({ length: 30 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'own' }));
    news = [];
    const large = await recordOf('/rpc', { method: 'POST', headers, body: JSON.stringify(many) });
    expect(large.callErrors).toHaveLength(20);
  });

  it('of the frontend takes nothing from what is recorded of the app', async () => {
    await start((request, response) => {
      if (request.url?.startsWith('/src/')) recorder.ofFrontend(request.url);
      response.end();
    });
    const send = async (count: number, path: (index: number) => string): Promise<void> => {
      await Promise.all(
        Array.from({ length: count }, async (_, index) => (await fetch(url(path(index)))).arrayBuffer()),
      );
    };
    await send(80, (index) => `/src/${index}.ts`);
    await send(80, (index) => `/@vite/${index}`);
    await send(90, (index) => `/tasks/${index}`);
    const answered = () => records().filter(({ state }) => state !== 'pending');
    await expect.poll(() => answered().filter(({ target }) => target.startsWith('/tasks/')).length).toBe(90);
    const frontend = answered().filter(({ isOfFrontend }) => isOfFrontend);
    expect(frontend.every(({ target }) => /^\/(?:src|@vite)\//.test(target))).toBe(true);
    expect(frontend.length).toBeGreaterThanOrEqual(100);
    // Those that are too many are not counted as left out.
    expect(news.reduce((sum, one) => sum + (one.fw === 'records' ? one.skipped : 0), 0)).toBe(0);
  });

  it('is not mixed up with another one that runs at the same time', async () => {
    let release = (): void => {};
    const gate = new Promise<void>((done) => {
      release = done;
    });
    const app = new App();
    app.get('/slow', async () => {
      await gate;
      return withSpan({ of: 'slow' }, () => 'slow');
    });
    app.get('/fast', () => withSpan({ of: 'fast' }, () => 'fast'));
    await start(toNodeHandler(app));
    const slow = recordOf('/slow');
    const fast = await recordOf('/fast');
    release();
    expect(fast.steps.map(({ name }) => name)).toEqual(['', 'of=fast']);
    await expect.poll(() => records().findLast(({ target }) => target === '/slow')?.state).toBe('answered');
    await slow;
    const last = records().findLast(({ target }) => target === '/slow');
    expect(last?.steps.map(({ name }) => name)).toEqual(['', 'of=slow']);
  });
});

describe('a recorded request of any server', () => {
  it('keeps the first 64 KiB of both bodies, and counts the rest', async () => {
    await start((request, response) => {
      request.resume().on('end', () => response.end(Buffer.alloc(100_000, 'b')));
    });
    const { requestBody, responseBody } = await recordOf('/big', {
      method: 'POST',
      body: 'a'.repeat(200_000),
    });
    expect([requestBody?.size, textOf(requestBody)]).toEqual([200_000, 'a'.repeat(65_536)]);
    expect([responseBody?.size, textOf(responseBody)]).toEqual([100_000, 'b'.repeat(65_536)]);
  });

  it('has what was written in parts, and no body where none is sent', async () => {
    await start((request, response) => {
      if (request.method === 'HEAD') response.end('not sent');
      else {
        response.writeHead(200, ['X-One', '1', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']);
        response.write(Buffer.from('one '));
        response.write('dHdv', 'base64');
        response.end(' three');
      }
    });
    const whole = await recordOf('/parts');
    expect(textOf(whole.responseBody)).toBe('one two three');
    expect(whole.responseHeaders).toEqual(
      expect.arrayContaining([
        ['X-One', '1'],
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ]),
    );
    expect((await recordOf('/none', { method: 'HEAD' })).responseBody).toBeUndefined();
  });

  it('does not read a body that the app does not read', async () => {
    let flowing: boolean | null = true;
    await start((request, response) => {
      flowing = request.readableFlowing;
      response.end('x');
    });
    await recordOf('/unread', { method: 'POST', body: 'body' });
    expect(flowing).toBe(null);
  });

  it('is pending while it is not answered, and aborted when the client leaves', async () => {
    await start(() => {});
    const left = http.get(url('/hangs'), { agent: false }).on('error', () => {});
    await expect.poll(() => records().map(({ state }) => state)).toEqual(['pending']);
    left.destroy();
    await expect.poll(() => records().at(-1)).toMatchObject({ seq: records()[0]?.seq, state: 'aborted' });
    expect(records().at(-1)?.status).toBeUndefined();
  });

  it('is a handshake of a WebSocket, with what the server answered', async () => {
    await start(() => {});
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write('GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    await new Promise((done) => socket.once('close', done));
    expect(text).toContain('\r\n\r\nframe');
    await expect
      .poll(() => records()[0])
      .toMatchObject({ isWebSocket: true, status: 101, state: 'answered' });
    expect(records()[0]?.responseHeaders).toContainEqual(['X-Own', '1']);
  });

  it('is answered also if it cannot be recorded, which is said once', async () => {
    class Odd extends http.ServerResponse {}
    Object.defineProperty(Odd.prototype, 'write', {
      get: () => {
        throw new Error('not to be read');
      },
    });
    await start((_, response) => response.end('answered'), {
      ServerResponse: Odd as typeof http.ServerResponse,
    });
    for (const path of ['/1', '/2']) expect(await (await fetch(url(path))).text()).toBe('answered');
    expect(news).toMatchObject([{ fw: 'note', text: expect.stringContaining('not to be read') }]);
  });

  it('is one of a sample under load; the others are counted', async () => {
    await start((_, response) => response.end('x'));
    const count = 150;
    // All at once, however long a busy machine takes.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    onTestFinished(() => clock.mockRestore());
    await Promise.all(Array.from({ length: count }, async () => (await fetch(url('/'))).text()));
    const skipped = () => news.reduce((sum, one) => sum + (one.fw === 'records' ? one.skipped : 0), 0);
    const answered = () => records().filter(({ state }) => state === 'answered').length;
    await expect.poll(() => answered() + skipped()).toBe(count);
    expect(answered()).toBeGreaterThanOrEqual(100);
    expect(skipped()).toBeGreaterThan(0);
  });

  it('is wrapped by nothing while the recorder is off', async () => {
    let own: string[] = [];
    await start((_, response) => {
      own = ['write', 'end'].filter((name) => Object.hasOwn(response, name));
      response.end('x');
    });
    await recordOf('/on');
    expect(own).toEqual(['write', 'end']);
    recorder.switch(false);
    await fetch(url('/off'));
    expect(own).toEqual([]);
    expect(records().some(({ target }) => target === '/off')).toBe(false);
  });

  it('is sent at the exit of the process, with the error that ended it', async () => {
    await start(() => recorder.fatal(new Error('crashed')));
    http.get(url('/crash'), { agent: false }).on('error', () => {});
    await new Promise((done) => server.once('request', done));
    recorder.flushAtExit();
    expect(records()).toMatchObject([{ state: 'aborted', error: { title: 'Error: crashed' } }]);
  });
});

describe('console', () => {
  let end = () => {};
  afterEach(() => {
    end();
    vi.restoreAllMocks();
  });

  /** Starts a server whose handler writes, and returns what the terminal gets. */
  async function writing(write: () => unknown): Promise<unknown[][]> {
    const printed: unknown[][] = [];
    for (const name of ['log', 'info', 'debug', 'warn', 'error'] as const) {
      vi.spyOn(console, name).mockImplementation((...args) => void printed.push([name, ...args]));
    }
    const app = new App().get('/', async () => {
      await Promise.resolve();
      write();
      return 'x';
    });
    await start(toNodeHandler(app));
    end = recorder.watchConsole();
    return printed;
  }

  it('is in the log of its request, with level and place, and on the terminal as before', async () => {
    const other = { id: 7 };
    const printed = await writing(() => {
      console.log('a %s of %d', 'list', 3, other);
      console.info('b');
      console.debug('c');
      console.warn('d');
      console.error(new TypeError('e'));
    });
    const { log } = await recordOf('/');
    expect(log.map(({ level, message }) => [level, message.split('\n')[0]])).toEqual([
      ['info', 'a list of 3 { id: 7 }'],
      ['info', 'b'],
      ['debug', 'c'],
      ['warn', 'd'],
      ['error', 'TypeError: e'],
    ]);
    expect(log.every(({ place }) => place?.includes('recorder.test.ts:'))).toBe(true);
    expect(printed.slice(0, 4)).toEqual([
      ['log', 'a %s of %d', 'list', 3, other],
      ['info', 'b'],
      ['debug', 'c'],
      ['warn', 'd'],
    ]);
    expect(console.log.name).toBe('log');
  });

  it('outside of recorded requests is not looked at', async () => {
    const shown = vi.fn(() => 'shown');
    const printed = await writing(() => {});
    const value = { [Symbol.for('nodejs.util.inspect.custom')]: shown };
    console.log(value);
    await recordOf('/');
    console.log(value);
    expect(printed).toEqual([
      ['log', value],
      ['log', value],
    ]);
    expect(shown).not.toHaveBeenCalled();
  });

  it('is short, has no secrets, and does not fail for a value that does', async () => {
    const odd = {
      [Symbol.for('nodejs.util.inspect.custom')]() {
        throw new Error('not for showing');
      },
    };
    await writing(() => {
      console.log('x'.repeat(100_000));
      console.log(Array.from({ length: 10_000 }, (_, id) => id));
      console.log({ user: { password: 'hunter2', apiKey: 'k' } });
      console.log('%s', odd);
      console.log(Symbol('s'), 1n, null, undefined, '%d');
    });
    const { log } = await recordOf('/');
    expect(log.map(({ message }) => message.length <= 4000)).toEqual([true, true, true, true, true]);
    expect(log[1]?.message).toContain('9950 more items');
    expect(log[2]?.message).toBe("{ user: { password: '[redacted]', apiKey: '[redacted]' } }");
    expect(log[4]?.message).toBe('Symbol(s) 1n null undefined %d');
  });
});

it('sends of what it records while it is off only what an error page shows', async () => {
  await start((_, response) => response.end());
  recorder.switch(false);
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    recorder.request(request, response, undefined, () => {
      if (request.url === '/fails') recorder.keepForPage('page-1');
      response.end('done');
    });
  });
  for (const path of ['/fine', '/fails', '/fine'])
    await (await fetch(url(path), { keepalive: false })).text();
  await recorder.flush();
  expect(records()).toMatchObject([{ target: '/fails', page: 'page-1', state: 'answered' }]);
  expect(recorder.keepForPage('page-2')).toBe(false);
});
