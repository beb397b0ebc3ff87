// Cases: forms, buffered and part by part.
import { App } from '../../app.js';
import type { Context } from '../../context.js';
import type { MultipartOptions } from '../../multipart/limits.js';
import { type Case, wireError } from '../case.js';

const BOUNDARY = 'X-boundary-X';
const multipartType = `multipart/form-data; boundary=${BOUNDARY}`;

interface SentPart {
  readonly head: readonly string[];
  readonly content: string;
}

const field = (name: string, content: string): SentPart => ({
  head: [`Content-Disposition: form-data; name="${name}"`],
  content,
});

const file = (name: string, filename: string, content: string): SentPart => ({
  head: [`Content-Disposition: form-data; name="${name}"; filename="${filename}"`, 'Content-Type: text/csv'],
  content,
});

const form = (...parts: SentPart[]): string =>
  `${parts.map(({ head, content }) => `--${BOUNDARY}\r\n${head.join('\r\n')}\r\n\r\n${content}\r\n`).join('')}--${BOUNDARY}--\r\n`;

async function listParts(ctx: Context, options?: MultipartOptions): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of ctx.req.multipart(options)) {
    const { kind, name, type } = part;
    if (part.kind === 'field') parts.push([kind, name, type, part.value]);
    else parts.push([kind, name, type, part.filename, await part.text()]);
  }
  return parts;
}

function app(): App {
  return new App()
    .post('/form', async (ctx) => {
      const [first, again] = [await ctx.req.formData(), await ctx.req.formData()];
      const entries: unknown[] = [];
      for (const [name, value] of first) {
        if (typeof value === 'string') entries.push([name, value]);
        else entries.push([name, value.name, value.type, await value.text()]);
      }
      return { entries, isSame: first === again, length: (await ctx.req.bytes()).length > 0 };
    })
    .post('/parts', (ctx) => listParts(ctx))
    .post('/limited', (ctx) =>
      listParts(ctx, { maxParts: 3, maxFiles: 1, maxFieldSize: 10, maxFileSize: 20, maxHeaderSize: 100 }),
    )
    .post('/names', async (ctx) => {
      const names: unknown[] = [];
      for await (const part of ctx.req.multipart()) names.push([part.name, part.filename ?? null]);
      return names;
    })
    .post('/chunks', async (ctx) => {
      let length = 0;
      for await (const part of ctx.req.multipart()) {
        if (part.kind === 'file') for await (const chunk of part.stream) length += chunk.length;
      }
      return length;
    })
    .post('/first', async (ctx) => {
      for await (const part of ctx.req.multipart()) return part.name;
      return 'none';
    })
    .post('/late', async (ctx) => {
      const streams: AsyncIterable<Uint8Array>[] = [];
      for await (const part of ctx.req.multipart()) if (part.kind === 'file') streams.push(part.stream);
      for (const stream of streams) for await (const _ of stream);
    })
    .post('/text-then-parts', async (ctx) => {
      await ctx.req.text();
      return listParts(ctx);
    })
    .post('/parts-then-form', async (ctx) => {
      await listParts(ctx);
      await ctx.req.formData();
    })
    .onError((error, ctx) => ctx.json({ message: (error as Error).message }));
}

const limitedApp = () =>
  new App()
    .maxBodySize(200)
    .post('/form', async (ctx) => [...(await ctx.req.formData()).keys()])
    .post('/parts', (ctx) => listParts(ctx));

const post = (name: string, path: string, body: string, answer: unknown, status = 200): Case => ({
  name,
  app,
  request: { method: 'POST', path, body, headers: { 'Content-Type': multipartType } },
  status,
  body: answer,
});

const fails = (name: string, path: string, body: string, status: number, message: string): Case =>
  post(name, path, body, { message }, status);

const typed = (name: string, type: string | undefined, message: string, path = '/form'): Case => ({
  name,
  app,
  request: {
    method: 'POST',
    path,
    body: form(field('a', '1')),
    // A web Request gives a text body a type of its own.
    headers: type === undefined ? {} : { 'Content-Type': type },
  },
  status: 400,
  body: { message },
  ...(type === undefined && { socketsOnly: 'a web Request with a text body always has a media type' }),
});

const malformed = (why: string): string => `malformed multipart body: ${why}`;
const mixed = form(field('a', '1'), file('f', 'a.csv', 'x,y'), field('a', '2'), file('g', 'b.csv', ''));

export const multipart: Case[] = [
  post('a multipart form', '/form', mixed, {
    entries: [
      ['a', '1'],
      ['f', 'a.csv', 'text/csv', 'x,y'],
      ['a', '2'],
      ['g', 'b.csv', 'text/csv', ''],
    ],
    isSame: true,
    length: true,
  }),
  {
    ...post('a URL-encoded form', '/form', 'a=1&b=%C3%BC+x&a=2&__proto__=3&c', {
      entries: [
        ['a', '1'],
        ['b', 'ü x'],
        ['a', '2'],
        ['__proto__', '3'],
        ['c', ''],
      ],
      isSame: true,
      length: true,
    }),
    request: {
      method: 'POST',
      path: '/form',
      body: 'a=1&b=%C3%BC+x&a=2&__proto__=3&c',
      headers: { 'Content-Type': 'Application/X-WWW-Form-urlencoded; charset=UTF-8' },
    },
  },
  post('parts in their order', '/parts', mixed, [
    ['field', 'a', 'text/plain', '1'],
    ['file', 'f', 'text/csv', 'a.csv', 'x,y'],
    ['field', 'a', 'text/plain', '2'],
    ['file', 'g', 'text/csv', 'b.csv', ''],
  ]),
  post('an empty form', '/parts', `--${BOUNDARY}--\r\n`, []),
  post('text around the parts is no part', '/parts', `to whom it may concern\r\n${mixed}epilogue`, [
    ['field', 'a', 'text/plain', '1'],
    ['file', 'f', 'text/csv', 'a.csv', 'x,y'],
    ['field', 'a', 'text/plain', '2'],
    ['file', 'g', 'text/csv', 'b.csv', ''],
  ]),
  post(
    'what looks like a boundary inside a file',
    '/chunks',
    form(file('f', 'a', '\r\n--X-boundary-Y\r\n--')),
    '20',
  ),
  post('a large file, streamed', '/chunks', form(file('f', 'a', '-\r\n'.repeat(200_000))), '600000'),
  post(
    'files that nobody reads are passed over',
    '/names',
    form(file('f', 'a', 'x'.repeat(300_000)), field('b', '1')),
    [
      ['f', 'a'],
      ['b', null],
    ],
  ),
  post('leaving the loop', '/first', form(field('first', '1'), file('f', 'a', 'x'.repeat(500_000))), 'first'),
  post(
    'file names are UTF-8 and lose their path',
    '/names',
    form(
      file('a', '日本 ü.txt', ''),
      file('b', '../../etc/passwd', ''),
      file('c', 'C:\\dir\\x.txt', ''),
      file('d', 'q%22\\"t.txt', ''),
      file('e', '', ''),
      file('f', 'end\\', ''),
      field('__proto__', ''),
    ),
    [
      ['a', '日本 ü.txt'],
      ['b', 'passwd'],
      ['c', 'x.txt'],
      ['d', 'q""t.txt'],
      ['e', ''],
      ['f', ''],
      ['__proto__', null],
    ],
  ),
  post(
    'an extended file name of clients that send no other',
    '/names',
    form({ head: [`Content-Disposition: form-data; name=a; filename*=UTF-8''%e2%82%ac`], content: '' }),
    [['a', '€']],
  ),
  typed(
    'a form without a media type',
    undefined,
    "the body needs a Content-Type: 'multipart/form-data' or 'application/x-www-form-urlencoded'",
  ),
  typed(
    'a form of another media type',
    'application/json',
    "the media type 'application/json' is not the expected form; send 'multipart/form-data' or 'application/x-www-form-urlencoded'",
  ),
  typed(
    'two media types',
    `${multipartType}, text/plain`,
    `the media type '${multipartType}, text/plain' is not the expected form; send 'multipart/form-data' or 'application/x-www-form-urlencoded'`,
  ),
  typed(
    'parts of a URL-encoded form',
    'application/x-www-form-urlencoded',
    "the media type 'application/x-www-form-urlencoded' is not the expected form; send 'multipart/form-data'",
    '/parts',
  ),
  typed('no boundary', 'multipart/form-data', "the media type 'multipart/form-data' needs a boundary"),
  typed(
    'two boundaries',
    `${multipartType}; boundary=Y`,
    "the media type 'multipart/form-data' names two boundaries",
  ),
  typed(
    'a boundary that RFC 2046 forbids',
    'multipart/form-data; boundary="a<b"',
    "the boundary 'a<b' of the multipart body is malformed",
  ),
  typed(
    'a boundary that is too long',
    `multipart/form-data; boundary=${'b'.repeat(71)}`,
    `the boundary '${'b'.repeat(71)}' of the multipart body is malformed`,
  ),
  fails('an empty body', '/form', '', 400, malformed('it ends before its last boundary')),
  fails(
    'a body that ends in a file',
    '/parts',
    mixed.slice(0, 200),
    400,
    malformed('it ends before its last boundary'),
  ),
  fails(
    'a body that ends in a header',
    '/parts',
    mixed.slice(0, 30),
    400,
    malformed('it ends before its last boundary'),
  ),
  fails('a body without its boundary', '/form', 'a=1', 400, malformed('it ends before its last boundary')),
  fails(
    'a boundary inside a header',
    '/parts',
    `${form(file('f', 'a', 'x')).slice(0, -4)}\r\nContent-Disposition: form-data; na\r\n--${BOUNDARY}--\r\n`,
    400,
    malformed('the header of a part has no end'),
  ),
  fails(
    'a part without a name',
    '/form',
    form({ head: ['Content-Disposition: form-data; x="y"'], content: '' }),
    400,
    malformed('a part has no name in its Content-Disposition'),
  ),
  fails(
    'a part without a disposition',
    '/form',
    form({ head: ['Content-Type: text/plain'], content: '' }),
    400,
    malformed("a part has no 'Content-Disposition: form-data'"),
  ),
  fails(
    'another disposition',
    '/form',
    form({ head: ['Content-Disposition: attachment; name="a"'], content: '' }),
    400,
    malformed("a part has no 'Content-Disposition: form-data'"),
  ),
  fails(
    'two dispositions',
    '/form',
    form({
      head: ['Content-Disposition: form-data; name="a"', 'Content-Disposition: form-data; name="b"'],
      content: '',
    }),
    400,
    malformed('a part has two Content-Disposition'),
  ),
  fails(
    'two names in one disposition',
    '/form',
    form({ head: ['Content-Disposition: form-data; name="a"; name="b"'], content: '' }),
    400,
    malformed("a part has two of 'name' in its Content-Disposition"),
  ),
  fails(
    'rubbish in a disposition',
    '/form',
    form({ head: ['Content-Disposition: form-data; name="a" b'], content: '' }),
    400,
    malformed('a part has a malformed Content-Disposition'),
  ),
  fails(
    'a header that is none',
    '/form',
    form({ head: ['no header'], content: '' }),
    400,
    malformed('the header of a part is malformed'),
  ),
  fails(
    'an extended file name with broken encoding',
    '/form',
    form({ head: ["Content-Disposition: form-data; name=a; filename*=UTF-8''%zz"], content: '' }),
    400,
    malformed('the header of a part is malformed'),
  ),
  fails(
    'too many parts',
    '/limited',
    form(field('a', ''), field('b', ''), field('c', ''), field('d', '')),
    413,
    'the multipart body has more than 3 parts',
  ),
  fails(
    'too many files',
    '/limited',
    form(file('a', 'a', ''), file('b', 'b', '')),
    413,
    'the multipart body has more than 1 files',
  ),
  fails(
    'a field over its limit',
    '/limited',
    form(field('a', 'x'.repeat(11))),
    413,
    'the multipart body has a field of more than 10 bytes',
  ),
  fails(
    'a file over its limit',
    '/limited',
    form(file('a', 'a', 'x'.repeat(21))),
    413,
    'the multipart body has a file of more than 20 bytes',
  ),
  fails(
    'a header over its limit',
    '/limited',
    form(field('a'.repeat(100), '')),
    413,
    'the multipart body has a part with header fields of more than 100 bytes',
  ),
  fails(
    'a header without an end',
    '/parts',
    `--${BOUNDARY}\r\nX: ${'x'.repeat(200_000)}`,
    413,
    'the multipart body has a part with header fields of more than 16384 bytes',
  ),
  post(
    'what the limits allow',
    '/limited',
    form(field('a', 'x'.repeat(10)), file('f', 'a', 'x'.repeat(20))),
    [
      ['field', 'a', 'text/plain', 'x'.repeat(10)],
      ['file', 'f', 'text/csv', 'a', 'x'.repeat(20)],
    ],
  ),
  fails(
    'a file that was passed over',
    '/late',
    mixed,
    500,
    "the file of part 'f' was passed over; read it before asking for the next part",
  ),
  fails(
    'parts of a body that was read',
    '/text-then-parts',
    mixed,
    500,
    'the request body was already read; take it as a stream before anything else',
  ),
  fails(
    'a form whose parts were read',
    '/parts-then-form',
    mixed,
    500,
    'the request body was already taken by stream or multipart()',
  ),
  {
    ...post(
      'a compressed form',
      '/parts',
      mixed,
      { message: "request bodies with Content-Encoding 'gzip' are not accepted" },
      415,
    ),
    request: {
      method: 'POST',
      path: '/parts',
      body: mixed,
      headers: { 'Content-Type': multipartType, 'Content-Encoding': 'gzip' },
    },
  },
  ...['/form', '/parts'].map(
    (path): Case => ({
      name: `a form over maxBodySize (${path})`,
      app: limitedApp,
      request: {
        method: 'POST',
        path,
        body: mixed,
        headers: { 'Content-Type': multipartType, 'Transfer-Encoding': 'chunked' },
      },
      status: 413,
      body: wireError('PayloadTooLarge', 'the request body is larger than 200 bytes'),
      socketsOnly: 'a web Request has no Transfer-Encoding',
    }),
  ),
  {
    name: 'a streamed form over maxBodySize in a web Request',
    app: limitedApp,
    request: { method: 'POST', path: '/parts', body: mixed, headers: { 'Content-Type': multipartType } },
    status: 413,
    body: wireError('PayloadTooLarge', 'the request body is larger than 200 bytes'),
  },
];
