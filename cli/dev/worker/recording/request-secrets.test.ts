// That the mechanisms of fw say what is secret to them, and nothing of it is shown.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { apiKey, generateApiKey, StaticKeys } from '../../../../framework/auth/api-key/index.js';
import { oidcSignIn } from '../../../../framework/auth/oidc/index.js';
import { hashPassword, verifyPassword } from '../../../../framework/auth/password/index.js';
import { App, toNodeHandler } from '../../../../framework/index.js';
import { csrf, csrfToken } from '../../../../framework/middleware/csrf/index.js';
import { RpcRegistry } from '../../../../framework/rpc/index.js';
import { websocket, websocketTickets } from '../../../../framework/websocket/index.js';
import type { WorkerNews } from '../../../process/messages.js';
import type { RawRecord } from '../../../process/records.js';
import { detailOf } from '../../workbench/shown-request.js';
import { Recorder } from './recorder.js';

let server: http.Server;
let recorder: Recorder;
let news: WorkerNews[];

beforeEach(() => {
  news = [];
  recorder = new Recorder((message, done) => {
    news.push(message);
    done?.();
  });
  recorder.switch(true);
});
afterEach(() => {
  recorder.switch(false);
  server.closeAllConnections();
  server.close();
});

async function start(app: App): Promise<void> {
  const handle = toNodeHandler(app);
  server = http.createServer((request, response) =>
    recorder.request(request, response, undefined, () => handle(request, response)),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
}

/** What the page shows of a request, and what was answered. */
async function shownOf(path: string, init: RequestInit = {}): Promise<{ shown: string; answer: string }> {
  const { port } = server.address() as AddressInfo;
  const before = news.length;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  const answer = await response.text();
  await recorder.flush();
  const found = (): RawRecord | undefined =>
    news
      .slice(before)
      .flatMap((one) => (one.fw === 'records' ? one.records : []))
      .at(-1);
  await expect.poll(found, { timeout: 60_000 }).toMatchObject({ state: 'answered' });
  const raw = found() as RawRecord;
  return { shown: JSON.stringify(detailOf({ id: 1, raw }, new Map(), '/app')), answer };
}

const secret = 's'.repeat(32);

it('API keys, by header field and by parameter, also if they are wrong', async () => {
  const key = generateApiKey('shop');
  const store = new StaticKeys().insert(key, 'billing');
  const inQuery = new App().use(apiKey({ store, query: 'k' })).get('/', () => 'in');
  const inHeader = new App().use(apiKey({ store, header: 'X-Machine' })).get('/', () => 'in');
  await start(
    new App()
      .route('/q', inQuery)
      .route('/h', inHeader)
      .get('/new', () => ({ made: generateApiKey('a') })),
  );
  for (const value of [key, 'wrong key']) {
    const path = `/q?k=${encodeURIComponent(value)}&x=plain`;
    const { shown } = await shownOf(path);
    expect(shown).toContain('x=plain');
    expect(shown).not.toContain(encodeURIComponent(value));
    expect((await shownOf('/h', { headers: { 'x-machine': value } })).shown).not.toContain(value);
  }
  const { shown, answer } = await shownOf('/new');
  expect(shown).not.toContain(JSON.parse(answer).made);
});

it('tickets, when they are made and when they are used', async () => {
  const tickets = websocketTickets({ secret });
  const app = new App().get('/made', () => ({ value: tickets.issue({ id: 'a', scopes: [] }) }));
  app.get('/used', tickets, () => 'in');
  app.websocket('/live', websocket({}));
  await start(app);
  const { shown, answer } = await shownOf('/made');
  const { value } = JSON.parse(answer);
  expect(shown).not.toContain(value);
  expect((await shownOf(`/used?ticket=${value}`)).shown).not.toContain(value);
  const headers = { 'sec-websocket-protocol': 'fw, fw.bearer.dG9rZW4' };
  expect((await shownOf('/live', { headers })).shown).toContain('fw, fw.bearer.••••••');
});

it('codes and states of a sign-in with a provider', async () => {
  const redirectUri = 'https://shop.example/auth/callback';
  const oidc = await oidcSignIn({ issuer: 'https://provider.example', clientId: 'shop', redirectUri });
  await start(new App().get('/auth/callback', oidc.callback).get('/behind', oidc.callback));
  for (const path of ['/auth/callback', '/behind']) {
    const { shown } = await shownOf(`${path}?code=c0de&state=st4te`);
    expect(shown).toContain(`${path}?code=••••••&state=••••••`);
    expect(shown).not.toMatch(/c0de|st4te/);
  }
});

it('CSRF tokens, in a form, in a field and in a page', async () => {
  const app = new App().use(csrf({ secret, secure: false, fieldName: 'own', headerName: 'X-Own' }));
  await start(app.get('/', (ctx) => ctx.html(`<input value="${csrfToken(ctx)}">`)).post('/', () => 'posted'));
  const page = await shownOf('/');
  const token = /value="([^"]+)"/.exec(page.answer)?.[1] ?? '';
  expect(page.shown).not.toContain(token);
  expect(page.shown).toContain('<input value=\\"••••••\\">');
  const form = await shownOf('/', { method: 'POST', body: new URLSearchParams({ own: 'guessed', a: 'b' }) });
  expect(form.shown).not.toContain('guessed');
  expect((await shownOf('/', { headers: { 'x-own': 'guessed' } })).shown).not.toContain('guessed');
});

it('passwords under whatever name, in procedures and batches', async () => {
  const rpc = new RpcRegistry().mutationWithTypes(
    'enter',
    async ({ phrase }: { phrase: string }) => verifyPassword(phrase, undefined),
    '{ phrase: string }',
    'boolean',
  );
  const app = new App().mountRpc('/rpc', rpc).post('/new', async (ctx) => {
    const { word } = await ctx.req.json<{ word: string }>();
    return (await hashPassword(word)).length > 0;
  });
  await start(app);
  const headers = { 'content-type': 'application/json' };
  const call = { jsonrpc: '2.0', method: 'enter', params: { phrase: 'hunter' }, id: 1 };
  for (const body of [call, [call]]) {
    const { shown } = await shownOf('/rpc', { method: 'POST', headers, body: JSON.stringify(body) });
    expect(shown).not.toContain('hunter');
    expect(shown).toContain('phrase');
  }
  expect((await shownOf('/new', { method: 'POST', headers, body: '{"word":"hunter"}' })).shown).not.toContain(
    'hunter',
  );
});
