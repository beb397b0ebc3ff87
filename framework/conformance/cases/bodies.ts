// Cases: header fields and bodies of requests.
import { App } from '../../app/app.js';
import { type Case, wireError } from '../case.js';

const json = { 'Content-Type': 'application/json' };

function echo(): App {
  return new App()
    .post('/json', async (ctx) => ctx.json(await ctx.req.json()))
    .post('/shape', async (ctx) => {
      const value = await ctx.req.json<Record<string, unknown>>();
      return [typeof value, Array.isArray(value), ({} as { admin?: unknown }).admin ?? null];
    })
    .post('/text', async (ctx) => ctx.text(await ctx.req.text()))
    .post('/bytes', async (ctx) => (await ctx.req.bytes()).length)
    .post('/twice', async (ctx) => {
      const [value, text, bytes, raw] = [
        await ctx.req.json(),
        await ctx.req.text(),
        await ctx.req.bytes(),
        await ctx.req.rawBody(),
      ];
      return { value, text, bytes: bytes.length, raw: raw.length };
    })
    .post('/stream', async (ctx) => {
      let length = 0;
      for await (const chunk of ctx.req.stream) length += chunk.length;
      return length;
    })
    .post('/ignored', () => 'not read')
    .get('/header', (ctx) =>
      ctx.json([ctx.req.header('X-Thing') ?? null, ctx.req.header('constructor') ?? null]),
    )
    .get('/headers', (ctx) => ctx.json(Object.getPrototypeOf(ctx.req.headers()) === null))
    .get('/uri', (ctx) => ctx.json([ctx.req.uri.pathname, ctx.req.uri.search]));
}

const post = (
  name: string,
  path: string,
  body: string | Uint8Array,
  answer: unknown,
  status = 200,
): Case => ({
  name,
  app: echo,
  request: { method: 'POST', path, body, headers: json },
  status,
  body: answer,
});

const malformed = (name: string, body: string): Case => ({
  ...post(name, '/json', body, undefined, 400),
});

export const bodies: Case[] = [
  post('JSON', '/json', '{"a":[1,"ü"]}', { a: [1, 'ü'] }),
  post('JSON with a byte order mark', '/json', '\ufeff{"a":1}', { a: 1 }),
  post('JSON with __proto__ stays a plain key', '/json', '{"__proto__":1}', '{"__proto__":1}'),
  post('text', '/text', 'grüße', 'grüße'),
  post('bytes', '/bytes', new Uint8Array(100_000), '100000'),
  post('an empty body', '/bytes', '', '0'),
  post('accessors repeat', '/twice', '{"a":1}', { value: { a: 1 }, text: '{"a":1}', bytes: 7, raw: 7 }),
  post('the unread stream', '/stream', new Uint8Array(300_000), '300000'),
  post('a body that nobody reads', '/ignored', new Uint8Array(100_000), 'not read'),
  post('JSON with __proto__ pollutes nothing', '/shape', '{"__proto__":{"admin":true}}', [
    'object',
    false,
    null,
  ]),
  post(
    'JSON with constructor.prototype pollutes nothing',
    '/shape',
    '{"constructor":{"prototype":{"admin":true}}}',
    ['object', false, null],
  ),
  post('JSON of a thousand nested arrays', '/shape', '['.repeat(1000) + ']'.repeat(1000), [
    'object',
    true,
    null,
  ]),
  post('JSON of a thousand nested objects', '/shape', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`, [
    'object',
    false,
    null,
  ]),
  post('a JSON number of a million digits', '/shape', '9'.repeat(1_000_000), ['number', false, null]),
  post('a JSON string of a million characters', '/shape', `"${'x'.repeat(1_000_000)}"`, [
    'string',
    false,
    null,
  ]),
  post(
    'JSON with a hundred thousand keys',
    '/shape',
    `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":0`)}}`,
    ['object', false, null],
  ),
  malformed('JSON of nested arrays without an end', '['.repeat(100_000)),
  malformed('malformed JSON', '{"a":'),
  malformed('empty JSON', ''),
  malformed('JSON followed by rubbish', '{} x'),
  {
    name: 'a compressed body is refused',
    app: echo,
    request: { method: 'POST', path: '/json', body: 'x', headers: { ...json, 'Content-Encoding': 'gzip' } },
    status: 415,
    body: wireError('UnsupportedMediaType', "request bodies with Content-Encoding 'gzip' are not accepted"),
  },
  {
    name: 'header look-up ignores case and prototypes',
    app: echo,
    request: { path: '/header', headers: { 'x-tHING': 'yes' } },
    status: 200,
    body: ['yes', null],
  },
  { name: 'headers have no prototype', app: echo, request: { path: '/headers' }, status: 200, body: 'true' },
  { name: 'uri', app: echo, request: { path: '/uri?a=1' }, status: 200, body: ['/uri', '?a=1'] },
];
