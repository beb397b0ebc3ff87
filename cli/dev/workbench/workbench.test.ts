// The page about the app over the whole way: a client, the worker that passes its requests on, the supervisor.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startTrialApp, type TrialApp } from '../trial-app.js';
import type { CycleEntry, LiveState, RequestDetail, RequestSummary } from './protocol.js';

let app: TrialApp;
afterEach(() => app.close());

const server = (body: string, above = ''): string => `
${above}
import http from 'node:http';
http.createServer((request, response) => { ${body} }).listen(4567);`;

/** An open event stream of the page. */
interface Events {
  /** Resolves with the data of the next event of that name which fits. */
  next<Data>(name: string, fits?: (data: Data) => boolean): Promise<Data>;
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  close(): void;
}

function events(path = '/_fw/events'): Promise<Events> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port: app.port, path, agent: false }, (response) => {
      let text = '';
      const seen: { name: string; data: unknown }[] = [];
      const waiting = new Set<() => void>();
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
          if (name !== undefined) seen.push({ name, data: JSON.parse(data ?? '') });
        }
        for (const look of waiting) look();
      });
      response.on('error', () => {});
      resolve({
        next: (name, fits = () => true) =>
          new Promise((found) => {
            const look = (): void => {
              const index = seen.findIndex((one) => one.name === name && fits(one.data as never));
              if (index === -1) return;
              waiting.delete(look);
              found(seen.splice(0, index + 1).at(-1)?.data as never);
            };
            waiting.add(look);
            look();
          }),
        ended: new Promise((done) => response.once('close', done)),
        close: () => request.destroy(),
      });
    });
    request.on('error', reject);
  });
}

type Batch = { requests: RequestSummary[]; skipped: number };

async function json<Data>(path: string): Promise<Data> {
  return JSON.parse((await app.get(path)).text) as Data;
}

describe('requests', () => {
  it('are recorded while a page is open, with head and body both ways', async () => {
    app = await startTrialApp({
      'src/main.ts': server(
        "request.resume().on('end', () => response.writeHead(201, { 'X-Request-Id': 'r1' }).end('hello'));",
      ),
    });
    await app.get('/before');
    const page = await events();
    expect(await page.next('hello')).toMatchObject({
      name: 'trial',
      state: { phase: 'ready', generation: 1 },
    });
    await post('/items?token=abc', '{"password":"p","name":"n"}', { authorization: 'Bearer x' });
    const { requests } = await page.next<Batch>('requests', ({ requests }) => requests[0]?.status === 201);
    expect(requests).toMatchObject([
      { id: 1, method: 'POST', target: '/items?token=••••••', size: 5, requestId: 'r1' },
    ]);
    expect(await json('/_fw/requests')).toEqual(requests);
    const detail = await json<RequestDetail>('/_fw/requests/1');
    expect(detail.requestHeaders).toContainEqual(['authorization', '••••••']);
    expect(detail.requestBody).toMatchObject({ size: 27, text: '{"password":"••••••","name":"n"}' });
    expect(detail.responseHeaders).toContainEqual(['X-Request-Id', 'r1']);
    expect(detail.responseBody).toMatchObject({ size: 5, text: 'hello' });
    page.close();
  });
});

describe('a save', () => {
  const files = { 'src/main.ts': server("response.end('1');") };

  it('ends open streams of the page, which then get the new state, and does not keep the old code', async () => {
    app = await startTrialApp(files);
    const page = await events();
    const live = await events('/_fw/live');
    const old = app.supervisor.live;
    await app.save('src/main.ts', server("response.end('2');"));
    await Promise.all([page.ended, live.ended]);
    expect(await old?.exited).toBe('exited with code 0');
    const again = await events();
    expect(await again.next('hello')).toMatchObject({ state: { phase: 'ready', generation: 2 } });
    // The new process records from its first request on.
    await app.get('/first');
    await again.next<Batch>('requests', ({ requests }) => requests[0]?.target === '/first');
    again.close();
  });

  it('does not wait for a request to the page whose body never comes', async () => {
    app = await startTrialApp(files);
    const socket = await app.connect();
    const closed = new Promise((done) => socket.once('close', done));
    const own = `Host: 127.0.0.1:${app.port}\r\nOrigin: http://127.0.0.1:${app.port}\r\n`;
    socket.write(
      `POST /_fw/send HTTP/1.1\r\n${own}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    // The worker has read the head by the time it has answered another one.
    await app.get('/');
    const old = app.supervisor.live;
    await app.save('src/main.ts', server("response.end('2');"));
    await Promise.all([closed, old?.exited]);
  });

  it('that cannot be built is told with its code, and mended by the next', async () => {
    app = await startTrialApp(files);
    const live = await events('/_fw/live');
    await live.next('state');
    await app.save('src/main.ts', 'const a = ;\n');
    const { failure } = await live.next<LiveState>('state', ({ phase }) => phase === 'failed');
    expect(failure).toMatchObject({
      title: 'build failed: 1 error',
      keepsServing: true,
      problems: [
        {
          text: 'Unexpected ";"',
          code: { place: { file: 'src/main.ts', line: 1, column: 11 }, lines: ['const a = ;'] },
        },
      ],
    });
    const done = app.save('src/main.ts', server("response.end('2');"));
    await Promise.all([done, live.ended]);
    const cycles = await json<CycleEntry[]>('/_fw/cycles');
    expect(cycles.map(({ kind, what }) => [kind, what])).toEqual([
      ['ready', 'started'],
      ['build-failed', 'src/main.ts changed'],
      ['ready', 'src/main.ts changed'],
    ]);
  });

  it('during a request that the page sends lets it end', async () => {
    app = await startTrialApp({
      'src/main.ts': server(
        "if (request.url === '/slow') setTimeout(() => response.end('old'), 300); else response.end();",
      ),
    });
    const sent = send({ method: 'GET', target: '/slow', headers: [] });
    await expect.poll(() => json<RequestSummary[]>('/_fw/requests')).toHaveLength(1);
    await app.save('src/main.ts', server("response.end('2');"));
    expect(await sent).toEqual({ status: 200, body: { id: 1 } });
    expect(await json<RequestDetail>('/_fw/requests/1')).toMatchObject({ responseBody: { text: 'old' } });
  });
});

describe('before the first good version', () => {
  it('the page is answered, browsers get a page with the script, and others plain text', async () => {
    app = await startTrialApp({ 'src/main.ts': 'const a = "<b>" ;;; syntax error' });
    const page = await events();
    expect(await page.next('hello')).toMatchObject({
      state: { phase: 'failed', failure: { keepsServing: false } },
    });
    const shown = await app.get('/', { accept: 'text/html,*/*' });
    expect([shown.status, shown.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(shown.text).toContain('<script type="module" src="/_fw/live.js"></script>');
    expect(shown.text).toContain('&lt;b&gt;');
    expect((await app.get('/')).headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(await json('/_fw/app')).toMatchObject({ isKnown: false, routes: [] });
    expect(await send({ method: 'GET', target: '/', headers: [] })).toMatchObject({
      status: 502,
      body: { message: expect.stringContaining('no version of the app') },
    });
    await app.save('src/main.ts', server("response.end('x');"));
    // The stream goes on: it is answered by fw dev itself.
    await page.next<LiveState>('state', ({ phase }) => phase === 'ready');
    page.close();
  });
});

describe('a worker', () => {
  it('that crashes leaves the request that crashed it, with the error', async () => {
    app = await startTrialApp(
      { 'src/main.ts': server("if (request.url === '/crash') throw new Error('boom'); response.end();") },
      undefined,
      { soundAfter: 0 },
    );
    const page = await events();
    await expect(app.get('/crash')).rejects.toThrow();
    await app.supervisor.idle();
    await expect
      .poll(() => json<RequestSummary[]>('/_fw/requests'))
      .toMatchObject([{ target: '/crash', aborted: true }]);
    const { error } = await json<RequestDetail>('/_fw/requests/1');
    expect(error).toMatchObject({ title: 'Error: boom', code: { place: { file: 'src/main.ts', line: 4 } } });
    page.close();
  });

  it('that is killed leaves its requests as aborted', async () => {
    app = await startTrialApp({ 'src/main.ts': server('') });
    const page = await events();
    const left = app.get('/hangs');
    const { requests } = await page.next<Batch>('requests');
    expect(requests[0]).not.toHaveProperty('aborted');
    app.supervisor.live?.kill();
    await expect(left).rejects.toThrow();
    await expect
      .poll(() => json<RequestSummary[]>('/_fw/requests'))
      .toMatchObject([{ target: '/hangs', aborted: true }]);
  });

  it('in an endless loop does not hold the page up', async () => {
    app = await startTrialApp(
      { 'src/main.ts': server("if (request.url === '/loop') for (;;) {} response.end();") },
      undefined,
      { workbench: { sendLimit: 300, askLimit: 300 } },
    );
    // Through the pipe, because the worker passes nothing on any more.
    const { pipe } = app.workbench.order;
    expect(await send({ method: 'GET', target: '/loop', headers: [] }, { socketPath: pipe })).toMatchObject({
      status: 504,
      body: { message: 'the app did not answer within 0.3 s' },
    });
    expect(await ask({ socketPath: pipe, path: '/_fw/app' })).toMatchObject({
      status: 504,
      body: { error: 'AppStuck' },
    });
  });
});

describe('a request that the page sends', () => {
  it('has what was masked, is marked as sent, and shows the app no field of its own', async () => {
    app = await startTrialApp({
      'src/main.ts': server(
        "let body = ''; request.on('data', (chunk) => (body += chunk)).on('end', () => response.end(JSON.stringify([request.url, request.headers, body])));",
      ),
    });
    const page = await events();
    await post('/a?token=t1', '{"password":"p1"}', { authorization: 'Bearer b1' });
    await page.next('requests');
    const { requestHeaders, requestBody, target } = await json<RequestDetail>('/_fw/requests/1');
    const headers = [...requestHeaders, ['X-More', '1'] as const];
    const body = requestBody?.text?.replace('}', ',"n":2}') ?? '';
    expect(await send({ from: 1, method: 'PUT', target, headers, body })).toEqual({
      status: 200,
      body: { id: 2 },
    });
    const again = await json<RequestDetail>('/_fw/requests/2');
    expect(again).toMatchObject({ method: 'PUT', sentFrom: 1 });
    const [url, got, text] = JSON.parse(again.responseBody?.text ?? '');
    // What the app answers is masked, too: it had the values.
    expect([url, got['x-more'], got['fw-order'], got.host]).toEqual([
      '/a?token=t1',
      '1',
      undefined,
      `127.0.0.1:${app.port}`,
    ]);
    expect([got.authorization, text]).toEqual(['••••••', '{"password":"p1","n":2}']);
    expect(await send({ method: 'GET', target: 'http://evil.test/', headers: [] })).toMatchObject({
      status: 400,
    });
    expect(await send({ method: 'GET', target: '/', headers: [['A', 'b\r\nc']] })).toMatchObject({
      status: 400,
    });
    page.close();
  });
});

describe('requests of others', () => {
  it('are refused, from whatever site they are', async () => {
    app = await startTrialApp({ 'src/main.ts': server("response.end('app');") });
    const others: [Record<string, string>, number][] = [
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ 'sec-fetch-site': 'same-site' }, 403],
      [{ origin: 'http://evil.test' }, 403],
      [{ origin: 'null' }, 403],
      [{ host: 'evil.test' }, 403],
      [{ 'fw-scheme': 'https', origin: `https://127.0.0.1:${app.port}` }, 403],
      [{ 'sec-fetch-site': 'same-origin' }, 200],
    ];
    for (const [headers, status] of others) {
      expect([headers, (await app.get('/_fw/cycles', headers)).status]).toEqual([headers, status]);
    }
  });

  it('that change something need the origin of the page and JSON', async () => {
    app = await startTrialApp({ 'src/main.ts': server("response.end('app');") });
    const order = { method: 'GET', target: '/', headers: [] };
    const own = { origin: `http://127.0.0.1:${app.port}`, 'content-type': 'application/json' };
    const statuses = [];
    for (const headers of [
      { origin: '' },
      { 'content-type': 'text/plain' },
      { origin: 'https://127.0.0.1' },
    ]) {
      statuses.push((await send(order, {}, { ...own, ...headers })).status);
    }
    expect(statuses).toEqual([403, 415, 403]);
    expect((await send({ ...order, body: 'x'.repeat(1_100_000) })).status).toBe(413);
    expect((await ask({ path: '/_fw/requests', method: 'PATCH', headers: own })).status).toBe(405);
    expect((await ask({ path: '/_fw/nothing' })).status).toBe(404);
    const { status, headers } = await app.get('/_fw');
    expect([status, headers.location]).toEqual([307, '/_fw/']);
    // What only begins alike is the app's.
    expect((await app.get('/_fwx')).text).toBe('app');
    const page = await app.get('/_fw/');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['content-security-policy']).not.toContain('unsafe-inline');
  });
});

it('stops recording some time after the last page left, and leaves nothing behind', async () => {
  app = await startTrialApp({ 'src/main.ts': server("response.end('x');") }, undefined, {
    workbench: { grace: 50 },
  });
  const page = await events();
  await app.get('/seen');
  await page.next('requests');
  page.close();
  await expect.poll(() => app.workbench.order.record).toBe(false);
  await app.get('/unseen');
  const again = await events();
  await app.get('/again');
  await again.next<Batch>('requests', ({ requests }) => requests.some(({ target }) => target === '/again'));
  const targets = (await json<RequestSummary[]>('/_fw/requests')).map(({ target }) => target);
  expect(targets).toEqual(['/seen', '/again']);
  const { pipe } = app.workbench.order;
  expect(statSync(dirname(pipe)).mode & 0o777).toBe(0o700);
  // Of one that was killed: no process has this id.
  const left = join(tmpdir(), 'fw-page-999999999-left');
  mkdirSync(left);
  await startTrialApp({ 'src/main.ts': '' }).then((other) => other.close());
  expect([existsSync(left), existsSync(pipe)]).toEqual([false, true]);
  app.workbench.close();
  expect(existsSync(dirname(pipe))).toBe(false);
});

function send(
  order: object,
  to: http.RequestOptions = {},
  headers: Record<string, string> = {
    origin: `http://127.0.0.1:${app.port}`,
    'content-type': 'application/json',
  },
): Promise<{ status: number | undefined; body: unknown }> {
  const host = `127.0.0.1:${app.port}`;
  const all = Object.fromEntries(Object.entries({ host, ...headers }).filter(([, value]) => value !== ''));
  return ask({ path: '/_fw/send', method: 'POST', headers: all, ...to }, JSON.stringify(order));
}

function ask(
  options: http.RequestOptions,
  body = '',
): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const to = 'socketPath' in options ? {} : { host: '127.0.0.1', port: app.port };
    const request = http.request({ ...to, agent: false, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode, body: text === '' ? '' : JSON.parse(text) }),
      );
    });
    request.on('error', reject).end(body);
  });
}

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const all = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
    const request = http.request(
      { host: '127.0.0.1', port: app.port, path, method: 'POST', headers: all, agent: false },
      (response) => response.resume().on('end', () => resolve(response)),
    );
    request.on('error', reject).end(body);
  });
}
