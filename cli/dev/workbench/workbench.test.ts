// The page about the app over the whole way: a client, the worker that passes its requests on, the supervisor.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startTrialApp, type TrialApp } from '../trial-app.js';
import type { ErrorGroup, RequestDetail, RequestSummary } from './protocol.js';
import { ask, type Batch, events, post, send } from './trial-page.js';

let app: TrialApp;
afterEach(() => app.close());

const server = (body: string, above = ''): string => `
${above}
import http from 'node:http';
http.createServer((request, response) => { ${body} }).listen(4567);`;

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
    const page = await events(app.port);
    expect(await page.next('hello')).toMatchObject({
      name: 'trial',
      state: { phase: 'ready', generation: 1 },
    });
    await post(app.port, '/items?token=abc', '{"password":"p","name":"n"}', { authorization: 'Bearer x' });
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

describe('a job', () => {
  const timer = `
import diagnostics from 'node:diagnostics_channel';
/** As withSpan of fw/tracing publishes spans. */
function span(name, work) {
  diagnostics.channel('fw:outermost-span').publish({});
  const start = { type: 'start', kind: 'span', name, fields: {} };
  const channel = diagnostics.channel('fw:trace');
  channel.runStores(start, () => {
    const thrown = { error: new TypeError('untidy') };
    channel.publish({ type: 'end', of: start, ...(name === 'fails' && { thrown }) });
  });
}
let isDone = false;
setInterval(() => {
  if (isDone || !diagnostics.channel('fw:outermost-span').hasSubscribers) return;
  isDone = true;
  span('token=hunter2');
  span('fails');
}, 20);`;

  it('is in the list with its error and without its secrets, and can be pinned, but not sent', async () => {
    app = await startTrialApp({ 'src/main.ts': server("response.end('x');", timer) });
    const page = await events(app.port);
    const { requests } = await page.next<Batch>('requests', ({ requests }) => requests.length === 2);
    const job = { method: 'JOB', isJob: true, durationMs: expect.any(Number), began: expect.any(Number) };
    expect(requests).toEqual([
      { id: 1, target: 'token=••••••', ...job },
      { id: 2, target: 'fails', hasFailed: true, ...job },
    ]);
    const detail = await json<RequestDetail>('/_fw/requests/1');
    expect(detail.steps).toMatchObject([{ kind: 'span', name: 'token=••••••' }]);
    expect((await json<RequestDetail>('/_fw/requests/2')).error).toMatchObject({
      title: 'TypeError: untidy',
    });
    const [group] = await json<ErrorGroup[]>('/_fw/errors');
    expect(group).toMatchObject({ title: 'TypeError: untidy', count: 1, requests: [{ id: 2 }] });
    const order = { from: 1, method: 'GET', target: '/', headers: [] };
    expect(await send(app.port, order)).toMatchObject({
      status: 400,
      body: { message: 'a job cannot be sent' },
    });
    const headers = { origin: `http://127.0.0.1:${app.port}`, 'content-type': 'application/json' };
    const pinned = await ask(
      app.port,
      { path: '/_fw/pins', method: 'POST', headers },
      JSON.stringify({ request: 2 }),
    );
    expect(pinned).toMatchObject({ status: 200, body: { id: 1 } });
    expect(await json('/_fw/pins/1')).toMatchObject({ target: 'fails', isJob: true, hasFailed: true });
    page.close();
  });
});

describe('an event stream that failed', () => {
  it('counts its error once, whatever is told of its events later', async () => {
    app = await startTrialApp({
      'src/main.ts': server(
        `response.writeHead(200, { 'Content-Type': 'text/event-stream' });
         response.write('data: 1\\n\\n');
         const error = new RangeError('no more ticks');
         diagnostics.channel('fw:trace').publish({ type: 'error', error, status: 500 });
         response.end('data: 2\\n\\n');`,
        "import diagnostics from 'node:diagnostics_channel';",
      ),
    });
    const page = await events(app.port);
    await app.get('/ticks');
    await page.next<Batch>('requests', ({ requests }) => requests[0]?.messages === 2);
    expect(await json<ErrorGroup[]>('/_fw/errors')).toMatchObject([
      { title: 'RangeError: no more ticks', count: 1, requests: [{ id: 1 }] },
    ]);
    page.close();
  });
});

describe('a search', () => {
  it('finds what is in a request, but no secret, and is for the page alone', async () => {
    app = await startTrialApp({
      'src/main.ts': server("request.resume().on('end', () => response.end('Fresh Milk'));"),
    });
    const page = await events(app.port);
    await post(app.port, '/a', '{"password":"hunter2"}', { authorization: 'Bearer x7-secret' });
    await page.next('requests');
    const own = { origin: `http://127.0.0.1:${app.port}`, 'content-type': 'application/json' };
    const search = (order: object, headers: Record<string, string> = own) =>
      ask(app.port, { path: '/_fw/search', method: 'POST', headers }, JSON.stringify(order));
    expect(await search({ text: 'milk' })).toEqual({
      status: 200,
      body: [
        {
          id: 1,
          places: [{ where: 'response body', before: 'Fresh ', match: 'Milk', after: '' }],
          more: 0,
        },
      ],
    });
    for (const text of ['hunter', 'x7-secret']) expect((await search({ text })).body).toEqual([]);
    expect((await search({ text: '' })).status).toBe(400);
    expect((await search({ text: 'milk' }, { ...own, origin: 'http://evil.test' })).status).toBe(403);
    page.close();
  });
});

describe('errors', () => {
  it('are grouped, one that ends the process once, and gone with the requests', async () => {
    app = await startTrialApp({
      'src/main.ts': server(
        "if (request.url === '/crash') throw new Error('crashed ' + process.pid); response.end('ok');",
      ),
    });
    const page = await events(app.port);
    await app.get('/crash').catch(() => {});
    const list = () => json<ErrorGroup[]>('/_fw/errors').catch(() => []);
    await expect.poll(async () => (await list())[0]?.ended).toBe(1);
    const [group, ...others] = await list();
    expect(others).toEqual([]);
    expect(group).toMatchObject({ id: 1, count: 1, place: { file: 'src/main.ts' } });
    expect(group?.title).toMatch(/^Error: crashed \d+$/);
    expect(group?.requests).toMatchObject([{ target: '/crash', aborted: true }]);
    const own = { origin: `http://127.0.0.1:${app.port}`, 'content-type': 'application/json' };
    const cleared = { path: '/_fw/requests', method: 'DELETE', headers: own };
    expect((await ask(app.port, cleared)).status).toBe(204);
    expect(await list()).toEqual([]);
    page.close();
  });
});

describe('a request that the page sends', () => {
  it('has what was masked, is marked as sent, and shows the app no field of its own', async () => {
    app = await startTrialApp({
      'src/main.ts': server(
        "let body = ''; request.on('data', (chunk) => (body += chunk)).on('end', () => response.end(JSON.stringify([request.url, request.headers, body])));",
      ),
    });
    const page = await events(app.port);
    await post(app.port, '/a?token=t1', '{"password":"p1"}', { authorization: 'Bearer b1' });
    await page.next('requests');
    const { requestHeaders, requestBody, target } = await json<RequestDetail>('/_fw/requests/1');
    const headers = [...requestHeaders, ['X-More', '1'] as const];
    const body = requestBody?.text?.replace('}', ',"n":2}') ?? '';
    expect(await send(app.port, { from: 1, method: 'PUT', target, headers, body })).toEqual({
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
    expect(await send(app.port, { method: 'GET', target: 'http://evil.test/', headers: [] })).toMatchObject({
      status: 400,
    });
    for (const method of ['CONNECT', 'connect', 'Trace', 'TRACK', 'a b', '']) {
      expect(await send(app.port, { method, target: '/', headers: [] })).toMatchObject({ status: 400 });
    }
    expect(await send(app.port, { method: 'GET', target: '/', headers: [['A', 'b\r\nc']] })).toMatchObject({
      status: 400,
    });
    page.close();
  });
});

describe('a coding agent', () => {
  /** The text that a tool answers. */
  const use = async (name: string, input: object = {}): Promise<string> => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
    const headers = { host: `127.0.0.1:${app.port}`, 'content-type': 'application/json' };
    const { body } = await ask(app.port, { path: '/_fw/mcp', method: 'POST', headers }, JSON.stringify(call));
    return (body as { result: { content: { text: string }[] } }).result.content[0]?.text ?? '';
  };

  it('sees every request after its first call, as soon as it is answered', async () => {
    const main = server('response.writeHead(500).end();');
    app = await startTrialApp({ 'src/main.ts': main });
    await app.get('/before');
    expect(await use('list_requests')).toContain('no results');
    for (const target of ['/first', '/second', '/third']) {
      await app.get(target);
      expect(await use('list_requests', { filter: 'failed' })).toMatch(new RegExp(`GET ${target}.* 500 `));
    }
    // And those of the process that comes next.
    await app.save('src/main.ts', `${main} // again`);
    await app.get('/fourth');
    expect(await use('list_requests')).toMatch(/GET \/fourth.* 500 /);
  });

  it('is told of a request that is not answered yet, though what is before it was sent', async () => {
    app = await startTrialApp({
      'src/main.ts': server("if (request.url !== '/waits') response.writeHead(500).end();"),
    });
    await use('list_requests');
    const left = app.get('/waits').catch(() => {});
    await app.get('/answered');
    expect(await use('list_requests')).toContain('GET /answered');
    await expect.poll(() => use('list_requests')).toContain('GET /waits');
    await app.close();
    await left;
  });
});

describe('what is kept', () => {
  const headers = () => ({ origin: `http://127.0.0.1:${app.port}`, 'content-type': 'application/json' });
  const order = (method: string, path: string, body?: object) =>
    ask(
      app.port,
      { method, path, headers: { ...headers(), host: `127.0.0.1:${app.port}` } },
      JSON.stringify(body),
    );

  it('is shown to every page, and a saved call goes on with the newest session', async () => {
    app = await startTrialApp({
      'src/main.ts': server("response.end(request.headers.cookie === 'sid=s2; csrf=c2' ? 'new' : 'other');"),
    });
    const page = await events(app.port);
    await app.get('/a', { cookie: 'sid=s1; csrf=c1' });
    await app.get('/b', { cookie: 'sid=s2; csrf=c2' });
    await app.get('/c', { cookie: 'theme=dark' });
    await page.next<Batch>('requests', ({ requests }) => requests.some(({ target }) => target === '/c'));
    expect(await order('POST', '/_fw/pins', { request: 1 })).toEqual({ status: 200, body: { id: 1 } });
    expect(await page.next('kept')).toMatchObject({ pins: [{ id: 1, request: 1, target: '/a' }] });
    await order('DELETE', '/_fw/requests');
    await app.get('/b', { cookie: 'sid=s2; csrf=c2' });
    await page.next<Batch>('requests');
    expect(await json('/_fw/pins/1')).toMatchObject({ target: '/a', status: 200 });
    const call = { method: 'GET', target: '/d', headers: [['cookie', 'sid=••••••; csrf=••••••']] };
    const saved = await order('POST', '/_fw/saved', { name: 'd', ...call });
    expect(saved).toEqual({ status: 200, body: { id: 1 } });
    expect(await json('/_fw/kept')).toMatchObject({ saved: [{ id: 1, name: 'd', ...call }] });
    const { body } = await send(app.port, call);
    const sent = await json<RequestDetail>(`/_fw/requests/${(body as { id: number }).id}`);
    expect(sent.responseBody?.text).toBe('new');
    expect(await send(app.port, { ...call, headers: [['authorization', '••••••']] })).toEqual({
      status: 400,
      body: {
        error: 'BadRequest',
        message:
          'the header authorization is masked, and no request since the start of fw dev had one like it; write the value to send',
      },
    });
    expect((await order('DELETE', '/_fw/pins/1')).status).toBe(204);
    expect((await order('DELETE', '/_fw/saved/1')).status).toBe(204);
    expect(await json('/_fw/kept')).toEqual({ pins: [], saved: [] });
    expect((await app.get('/_fw/pins/1')).status).toBe(404);
    page.close();
  });

  it('is changed by no other site', async () => {
    app = await startTrialApp({ 'src/main.ts': server("response.end('app');") });
    for (const [method, path] of [
      ['POST', '/_fw/pins'],
      ['POST', '/_fw/saved'],
      ['DELETE', '/_fw/pins/1'],
      ['DELETE', '/_fw/saved/1'],
    ] as const) {
      const host = `127.0.0.1:${app.port}`;
      const foreign = { ...headers(), host, origin: 'http://evil.test' };
      const body = method === 'POST' ? '{}' : '';
      expect((await ask(app.port, { method, path, headers: foreign }, body)).status, path).toBe(403);
    }
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
      statuses.push((await send(app.port, order, {}, { ...own, ...headers })).status);
    }
    expect(statuses).toEqual([403, 415, 403]);
    expect((await send(app.port, { ...order, body: 'x'.repeat(1_100_000) })).status).toBe(413);
    expect((await ask(app.port, { path: '/_fw/requests', method: 'PATCH', headers: own })).status).toBe(405);
    expect((await ask(app.port, { path: '/_fw/nothing' })).status).toBe(404);
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
  const page = await events(app.port);
  await app.get('/seen');
  await page.next('requests');
  page.close();
  await expect.poll(() => app.workbench.order.record).toBe(false);
  await app.get('/unseen');
  const again = await events(app.port);
  await app.get('/again');
  await again.next<Batch>('requests', ({ requests }) => requests.some(({ target }) => target === '/again'));
  const targets = (await json<RequestSummary[]>('/_fw/requests')).map(({ target }) => target);
  expect(targets).toEqual(['/seen', '/again']);
  const { pipe } = app.workbench.order;
  // A pipe of Windows is not in a folder.
  if (process.platform === 'win32') return;
  expect(statSync(dirname(pipe)).mode & 0o777).toBe(0o700);
  // Of one that was killed: no process has this id.
  const left = join(tmpdir(), 'fw-page-999999999-left');
  mkdirSync(left, { mode: 0o700 });
  await startTrialApp({ 'src/main.ts': '' }).then((other) => other.close());
  expect([existsSync(left), existsSync(pipe)]).toEqual([false, true]);
  app.workbench.close();
  expect(existsSync(dirname(pipe))).toBe(false);
});
