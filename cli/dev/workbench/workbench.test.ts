// The page about the app over the whole way: a client, the worker that passes its requests on, the supervisor.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startTrialApp, type TrialApp } from '../trial-app.js';
import type { RequestDetail, RequestSummary } from './protocol.js';
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
