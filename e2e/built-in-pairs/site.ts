// A site with what pages do: forms, calls, beacons, images, downloads, frames, events, sockets.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, attachment, type Context, SseEvent } from '../../framework/index.js';
import { csrfToken } from '../../framework/middleware/csrf/index.js';
import { websocket } from '../../framework/websocket/index.js';
import { type BuiltIn, builtIns } from './built-ins.js';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** Longer than what `compression` leaves alone. */
const text = 'ünï '.repeat(500);

/** In the page: each action resolves with what a person or the script of the page sees of it. */
const script = `
const token = () => document.cookie.match(/(?:^|; )__Host-csrf=([^;]+)/)?.[1] ?? '';
const headers = () => ({ 'X-CSRF-Token': token(), 'Content-Type': 'application/json' });
const fields = (form) => { form.append('_csrf', token()); form.append('name', 'ada'); return form; };
const call = async (method, options = {}) => {
  const response = await fetch('/api', { method, headers: headers(), ...options });
  return [response.status, (await response.text()).slice(0, 20)];
};
const loaded = (target) => new Promise((resolve) => target.addEventListener('load', resolve, { once: true }));
const actions = {
  get: () => call('GET', { headers: {} }),
  post: () => call('POST', { body: '{"name":"ada"}' }),
  put: () => call('PUT', { body: '{"name":"ada"}' }),
  keepalive: () => call('POST', { body: '{"name":"ada"}', keepalive: true }),
  beacons: async () => [
    navigator.sendBeacon('/beacon', fields(new URLSearchParams())),
    navigator.sendBeacon('/beacon', fields(new FormData())),
  ],
  pictures: async () => [...document.images].map((image) => image.complete && image.naturalWidth),
  style: async () => getComputedStyle(document.body).marginTop,
  frame: async () => document.querySelector('iframe').contentDocument.title,
  upload: async () => {
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(3000)], 'ü.png', { type: 'image/png' }));
    document.querySelector('#file').files = files.files;
    const frame = document.querySelector('iframe');
    document.querySelector('#upload').click();
    await loaded(frame);
    return frame.contentDocument.querySelector('#saved').textContent;
  },
  cached: async () => {
    const response = await fetch('/assets/page.css', { cache: 'no-cache' });
    return [response.status, await response.text()];
  },
  popup: async () => {
    const popup = window.open('/deep/link');
    await loaded(popup);
    const seen = [popup.document.title, popup.opener === window];
    popup.close();
    return seen;
  },
  events: () => new Promise((resolve, reject) => {
    const source = new EventSource('/events');
    source.onmessage = ({ data }) => { source.close(); resolve(data); };
    source.onerror = () => { source.close(); reject(new Error('the events ended')); };
  }),
  socket: () => new Promise((resolve, reject) => {
    const socket = new WebSocket(location.origin.replace('http', 'ws') + '/echo');
    socket.onopen = () => socket.send('ünï');
    socket.onmessage = ({ data }) => { socket.onclose = undefined; socket.close(); resolve(data); };
    socket.onclose = ({ code }) => reject(new Error('closed with ' + code));
  }),
};
const tried = async (name) => [name, await actions[name]().catch((error) => 'failed: ' + error.message)];
// The upload begins the session, with which the token changes: after what uses the one of the page.
window.act = async () => {
  const { upload, ...others } = actions;
  const seen = await Promise.all(Object.keys(others).map(tried));
  return Object.fromEntries([...seen, await tried('upload')]);
};
`;

/** What \`window.act()\` of the page gives. */
export const expectedActs: Readonly<Record<string, unknown>> = {
  get: [200, text.slice(0, 20)],
  post: [200, '{"name":"ada"}'],
  put: [200, '{"name":"ada"}'],
  keepalive: [200, '{"name":"ada"}'],
  beacons: [true, true],
  pictures: [1, 1],
  style: '7px',
  frame: 'frame',
  upload: 'saved bob 3000 1',
  cached: [200, 'body { margin-top: 7px }'],
  popup: ['single page', true],
  events: 'news',
  socket: 'ünï',
};

const css = 'body { margin-top: 7px }';
/** On a page of another site: what `cors` lets that do with the App at this address. */
export const foreignScript = (url: string): string => `(async () => {
  const seen = async (action) => { try { return await action(); } catch { return 'failed'; } };
  const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"ada"}' };
  const load = (path, crossOrigin) => seen(async () => {
    const image = Object.assign(new Image(), { crossOrigin, src: '${url}' + path });
    await image.decode();
    return image.naturalWidth;
  });
  return {
    get: await seen(async () => (await fetch('${url}/api')).status),
    post: await seen(async () => (await fetch('${url}/api', json)).status),
    read: await load('/picture', 'anonymous'),
    embedded: await load('/picture', null),
    shared: await load('/shared', null),
    events: await seen(() => new Promise((resolve, reject) => {
      const source = new EventSource('${url}/events');
      source.onmessage = ({ data }) => { source.close(); resolve(data); };
      source.onerror = () => { source.close(); reject(); };
    })),
  };
})()`;

const folder = mkdtempSync(join(tmpdir(), 'fw-pairs-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'assets/page.js'), script);
writeFileSync(join(folder, 'assets/page.css'), css);
writeFileSync(join(folder, 'assets/logo.png'), png);
writeFileSync(join(folder, 'single.html'), document('single page', ''));

export function makeSite(stack: readonly BuiltIn[]): App {
  const app = new App();
  for (const name of stack) app.use(builtIns[name]());
  const token = (ctx: Context) => (stack.includes('csrf') ? csrfToken(ctx) : '');
  let visits = 0;
  app
    .get('/', (ctx) => ctx.html(document('home', home(token(ctx)))))
    .get('/next', (ctx) => ctx.html(document('next', '<a id="home" href="/">home</a>')))
    .get('/frame', (ctx) => ctx.html(document('frame', '')))
    .get('/picture', () => new Response(png, { headers: { 'content-type': 'image/png' } }))
    .get('/shared', (ctx) => {
      ctx.header('Cross-Origin-Resource-Policy', 'cross-origin');
      return new Response(png, { headers: { 'content-type': 'image/png' } });
    })
    .get('/report', (ctx) => ctx.header('Content-Disposition', attachment('résumé.txt')).text(text))
    .get('/events', (ctx) => ctx.sse(news()))
    .get('/api', () => text)
    .post('/api', (ctx) => ctx.req.json())
    .put('/api', (ctx) => ctx.req.json())
    .post('/beacon', async (ctx) => {
      if ((await ctx.req.formData()).get('name') === 'ada') ctx.status(204);
    })
    .post('/form', async (ctx) => {
      const form = await ctx.req.formData();
      const file = form.get('file');
      if (stack.includes('session') && ctx.principal() === undefined) ctx.session().signIn('ada');
      visits += 1;
      const saved = `saved ${form.get('name')} ${file instanceof File ? file.size : ''} ${visits}`;
      return ctx.html(document('saved', `<p id="saved">${saved}</p>`));
    })
    .websocket('/echo', websocket({ onMessage: (socket, message) => void socket.send(message) }))
    .serveStatic('/assets', join(folder, 'assets'))
    .serveSpa(folder, 'single.html');
  return app.serveDocs('/docs', app, { title: 'Site', version: '1' });
}

async function* news(): AsyncGenerator<SseEvent> {
  yield SseEvent.data('news');
}

function document(title: string, body: string): string {
  return `<!doctype html><title>${title}</title><link rel="icon" href="data:,"><body>${body}</body>`;
}

function home(token: string): string {
  const field = `<input type="hidden" name="_csrf" value="${token}">`;
  return `<link rel="stylesheet" href="/assets/page.css">
<script type="module" src="/assets/page.js"></script>
<img src="/assets/logo.png"><img src="/picture">
<form action="/form" method="post">${field}<input name="name" value="ada"><button id="send">send</button></form>
<form action="/form" method="post" enctype="multipart/form-data" target="frame">${field}
<input name="name" value="bob"><input type="file" id="file" name="file"><button id="upload">upload</button></form>
<iframe name="frame" src="/frame"></iframe>
<a id="report" href="/report">report</a> <a id="next" href="/next">next</a>`;
}
