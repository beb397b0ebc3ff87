// Hostile dialogues: the requests that reach every callback of the trial App.
import { createHash } from 'node:crypto';
import type { Random } from './random.js';

/** A request as a well-behaved client sends it. */
export interface Asked {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Texts that a WebSocket of the path understands. */
export interface AskedSocket {
  readonly target: string;
  readonly messages: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

const BOUNDARY = 'limit';
const part = (name: string, content: string, more = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const form = (...parts: string[]) => ({
  headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, 'X-Fw-Upload': '1' },
  body: `${parts.join('')}--${BOUNDARY}--\r\n`,
});
const json = (value: unknown) => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});
const get = (target: string, headers: Record<string, string> = {}): Asked => ({
  method: 'GET',
  target,
  headers,
});
const post = (
  target: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Asked => ({
  method: 'POST',
  target,
  headers,
  body,
});
const call = (method: string, params: object = {}, id: number | null = 1) => ({
  jsonrpc: '2.0',
  method,
  params,
  id,
});
const upload = (envelope: object, paths: string[]) =>
  form(
    part('json', JSON.stringify(envelope)),
    part('files', JSON.stringify(paths)),
    ...paths.map((_, index) => part(String(index), 'content', '; filename="f"')),
  );

const cookie = { Cookie: `sid=${createHash('sha256').update('one').digest('base64url')}` };
const key = { 'X-API-Key': 'any' };

export const REQUESTS: readonly Asked[] = [
  ...['/plain', '/handler', '/extracted', '/provided', '/answers', '/missing', '/ws/plain', '/ticket'].map(
    (path) => get(path),
  ),
  ...['/around', '/around/thrown', '/around/missing', '/mounted/x', '/limited'].map((path) =>
    get(path, { Origin: 'http://a.example' }),
  ),
  ...['generated', 'iterable', 'web', 'node', 'sse', 'alive'].map((name) =>
    get(`/streams/${name}`, { 'Accept-Encoding': 'gzip' }),
  ),
  ...['read', 'write', 'in', 'out', 'list', 'end', 'stream'].map((name) => get(`/session/${name}`, cookie)),
  get('/session/write'),
  ...['/key', '/key/stream', '/token'].map((path) => get(path, { ...key, Authorization: 'Bearer x.y.z' })),
  ...['/files/random.ts', '/files/missing', '/files/'].map((path) =>
    get(path, { Range: 'bytes=1-5', 'If-None-Match': '"a"' }),
  ),
  post('/csrf', json({})),
  post('/json', json({ a: [1, 2, 3] })),
  post('/read', { headers: {}, body: 'text'.repeat(500) }),
  post('/form', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a=1&b=2' }),
  post('/form', form(part('a', '1'), part('b', '2', '; filename="f"'))),
  post('/parts', form(part('a', '1'), part('b', 'x'.repeat(3_000), '; filename="f"'), part('c', '3'))),
  ...['ask', 'tell', 'parsed', 'missing', 'follow', 'tracked', 'iterate'].map((name) =>
    post('/rpc', json(call(name, { text: 'x' }))),
  ),
  post(
    '/rpc',
    json([call('ask'), call('tell', { text: 'x' }, 2), call('ask', {}, null), call('parsed', {}, 3)]),
  ),
  post('/rpc', upload(call('upload', { files: [null, null] }), ['/params/files/0', '/params/files/1'])),
  post('/rest/upload', upload({ files: [null] }, ['/files/0'])),
  post('/rest/tell', json({ text: 'x' })),
  post('/rest/parsed', json({ a: 1 })),
  ...['ask', 'follow', 'tracked', 'iterate'].map((name) => get(`/rest/${name}`, { 'Last-Event-ID': '1' })),
];

const event = (name: string, data: unknown) => JSON.stringify({ event: name, data });
const subscribe = (method: string, id: number) => JSON.stringify({ subscribe: { id, method, params: {} } });

export const SOCKETS: readonly AskedSocket[] = [
  { target: '/ws/plain', messages: ['one', 'two', 'three'] },
  {
    target: '/ws/compressed',
    messages: ['one', 'x'.repeat(300)],
    headers: { 'Sec-WebSocket-Extensions': 'permessage-deflate' },
  },
  { target: '/ws/failing', messages: ['one', 'two'] },
  { target: '/ws/full', messages: ['more'] },
  { target: '/ws/events', messages: [event('say', { a: 1 }), event('other', 1), event('say', 'x')] },
  {
    target: '/ws/events',
    headers: { 'Sec-WebSocket-Protocol': 'fw.events' },
    messages: [
      JSON.stringify({ resume: {} }),
      ...['follow', 'tracked', 'iterate', 'missing'].map((name, index) => subscribe(name, index)),
      JSON.stringify({ unsubscribe: { id: 0 } }),
      event('say', {}),
    ],
  },
  { target: '/ws/channels', messages: ['to all', 'again'] },
  { target: '/ws/ticket?ticket=x.y', messages: ['one'] },
  { target: '/ws/session', messages: ['one'], headers: cookie },
  { target: '/ws/key', messages: ['one'], headers: key },
];

/** The bytes of a request, with fields replaced or left out. */
export function requestBytes(
  { method, target, headers, body }: Asked,
  changes: Readonly<Record<string, string | undefined>> = {},
): Buffer {
  const all: Record<string, string | undefined> = {
    Host: 'x',
    ...headers,
    ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...changes,
  };
  const fields = Object.entries(all).filter(([, value]) => value !== undefined);
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n${body ?? ''}`, 'latin1');
}

/** The bytes of a handshake (RFC 6455, section 4.1). */
export function handshakeBytes(
  random: Random,
  { target, headers }: AskedSocket,
  changes: Readonly<Record<string, string | undefined>> = {},
): Buffer {
  const own = {
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': random.bytes(16).toString('base64'),
  };
  return requestBytes({ method: 'GET', target, headers: { ...own, ...headers } }, changes);
}
