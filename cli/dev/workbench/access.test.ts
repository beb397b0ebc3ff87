// Who sees the page about the app, over the whole way: a client, the worker or the fallback, the supervisor.
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startTrialApp, type TrialApp } from '../trial-app.js';
import { ask, events, send } from './trial-page.js';

let app: TrialApp;
afterEach(() => app.close());

const main = (body: string): string =>
  `import http from 'node:http'; http.createServer((request, response) => { ${body} }).listen(4567);`;
const shows = main('response.end(JSON.stringify(request.headers));');
const status = async (path: string, headers: Record<string, string>): Promise<number> =>
  (await app.get(path, headers)).status;

describe('the page about the app', () => {
  it('is refused to others, with a word on what to do, and answers them with the token', async () => {
    app = await startTrialApp({ 'src/main.ts': shows });
    const { pageToken: token } = app.workbench;
    const others: Record<string, string>[] = [
      { host: 'allowed.test' },
      { 'x-forwarded-for': '203.0.113.7' },
      { via: '1.1 proxy' },
      { forwarded: 'for=203.0.113.7' },
      { 'fw-owner': 'yes', 'x-real-ip': '203.0.113.7' },
    ];
    const paths = ['/_fw', '/_fw/', '/_fw/requests', '/_fw/events', '/_fw/live', '/_fw/live.js', '/_fw/none'];
    for (const headers of others) {
      for (const path of paths) expect([path, await status(path, headers)]).toEqual([path, 403]);
      const refused = await app.get('/_fw/requests?token=wrong', headers);
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('?token=')]);
      expect(refused.text).not.toContain(token);
      const admitted = await app.get(`/_fw/?a=1&token=${token}&b=2`, headers);
      expect([admitted.status, admitted.headers.location]).toEqual([303, '/_fw/?a=1&b=2']);
      const [cookie = ''] = admitted.headers['set-cookie'] ?? [];
      expect(cookie).toMatch(/; Path=\/_fw; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
      const kept = { ...headers, cookie: `other=1; ${cookie.split(';')[0]}` };
      expect(await status('/_fw/requests', kept)).toBe(200);
      expect(await status('/_fw/requests', { ...kept, cookie: `${kept.cookie}x` })).toBe(403);
      expect(await status('/_fw/requests', { ...kept, 'sec-fetch-site': 'cross-site' })).toBe(403);
    }
    expect(await status('/_fw/requests', {})).toBe(200);
    expect(await status('/_fw/requests', { host: 'shop.localhost' })).toBe(200);
  });

  it('sends no request and opens no file for others, whatever origin they say', async () => {
    app = await startTrialApp({ 'src/main.ts': shows });
    const order = { method: 'GET', target: '/', headers: [] };
    const headers = {
      host: 'allowed.test',
      origin: 'http://allowed.test',
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
    };
    expect((await send(app.port, order, {}, headers)).status).toBe(403);
    expect((await send(app.port, { file: 'src/main.ts' }, { path: '/_fw/open' }, headers)).status).toBe(403);
    const path = `/_fw/send?token=${app.workbench.pageToken}`;
    expect((await send(app.port, order, { path }, headers)).status).toBe(200);
    const foreign = { ...headers, origin: 'http://evil.test' };
    expect((await send(app.port, order, { path }, foreign)).status).toBe(403);
  });

  it('asks everybody for the token if the settings say so', async () => {
    app = await startTrialApp({ 'src/main.ts': shows }, undefined, {
      workbench: { isTokenRequired: () => true },
    });
    expect(await status('/_fw/', {})).toBe(403);
    expect(await status(`/_fw/?token=${app.workbench.pageToken}`, {})).toBe(303);
  });

  it('is refused in the same way while there is no worker', async () => {
    app = await startTrialApp({ 'src/main.ts': 'no code' });
    const { pageToken: token } = app.workbench;
    expect(await status('/_fw/cycles', {})).toBe(200);
    expect(await status('/_fw/cycles', { host: 'allowed.test' })).toBe(403);
    expect(await status('/_fw/cycles', { 'x-forwarded-for': '203.0.113.7', 'fw-owner': 'yes' })).toBe(403);
    expect(await status(`/_fw/cycles?token=${token}`, { host: 'allowed.test' })).toBe(303);
  });

  it('answers models under the same rules, though their clients send no Origin', async () => {
    app = await startTrialApp({ 'src/main.ts': shows });
    const { pageToken: token } = app.workbench;
    const list = async (headers: Record<string, string>, path = '/_fw/mcp') => {
      const all = { host: `127.0.0.1:${app.port}`, 'content-type': 'application/json', ...headers };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      return (await ask(app.port, { path, method: 'POST', headers: all }, body)).status;
    };
    const own = `http://127.0.0.1:${app.port}`;
    expect(await list({})).toBe(200);
    expect(await list({ origin: own })).toBe(200);
    expect(await list({ origin: 'http://evil.test' })).toBe(403);
    expect(await list({ origin: 'null' })).toBe(403);
    expect(await list({ origin: own, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await list({ 'x-forwarded-for': '203.0.113.7' })).toBe(403);
    expect(await list({ 'x-forwarded-for': '203.0.113.7' }, `/_fw/mcp?token=${token}`)).toBe(200);
    expect(await list({ 'x-forwarded-for': '203.0.113.7' }, '/_fw/mcp?token=x')).toBe(403);
    expect(await list({ 'content-type': 'text/plain' })).toBe(415);
    expect(await status('/_fw/mcp', {})).toBe(405);
    // Others than clients of models send it: a browser always does with a POST.
    expect(
      (await send(app.port, {}, { path: '/_fw/send' }, { 'content-type': 'application/json' })).status,
    ).toBe(403);
  });

  it('gives the app no field of its own, and shows its token nowhere', async () => {
    app = await startTrialApp({ 'src/main.ts': shows });
    const { pageToken: token } = app.workbench;
    const page = await events(app.port);
    await app.get(`/x?token=${token}`);
    await page.next('requests');
    page.close();
    for (const path of ['/_fw/requests', '/_fw/requests/1', '/_fw/app', '/_fw/cycles']) {
      expect((await app.get(path)).text).not.toContain(token);
    }
    expect(Object.keys(JSON.parse((await app.get('/')).text))).toEqual(['host', 'connection']);
    expect(app.printed()).not.toContain(token);
  });
});

describe.skipIf(process.platform === 'win32')('what is left of killed processes', () => {
  // No process has this id.
  const left = (name: string): string => join(tmpdir(), `fw-page-999999999-${name}`);
  const made = ['files', 'open', 'link', 'empty'].map(left);
  afterEach(() => {
    for (const path of made) rmSync(path, { recursive: true, force: true });
  });

  it('is removed only if it is a private folder, and nothing but the pipe in it', async () => {
    for (const path of [left('files'), left('open'), left('empty')]) mkdirSync(path, { mode: 0o700 });
    writeFileSync(join(left('files'), 'own.txt'), '');
    for (const name of ['files', 'empty']) writeFileSync(join(left(name), 'pipe.sock'), '');
    chmodSync(left('open'), 0o777);
    app = await startTrialApp({ 'src/main.ts': shows });
    const target = join(app.root, 'src');
    symlinkSync(target, left('link'));
    await startTrialApp({ 'src/main.ts': '' }).then((other) => other.close());
    expect(made.map((path) => existsSync(path))).toEqual([true, true, true, false]);
    expect([join(left('files'), 'own.txt'), join(target, 'main.ts')].map((path) => existsSync(path))).toEqual(
      [true, true],
    );
  });
});
