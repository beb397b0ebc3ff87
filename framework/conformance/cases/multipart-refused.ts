// Cases: forms that are refused, by their media type, their text or a limit.

import type { Case } from '../case.js';
import { wireError } from '../case.js';
import {
  BOUNDARY,
  fails,
  field,
  file,
  form,
  limitedApp,
  malformed,
  mixed,
  multipartType,
  post,
  typed,
} from './multipart-app.js';

const DISPOSITION = 'Content-Disposition: form-data; name="a"';
const NO_END = 'the header of a part has no end';
const MALFORMED_HEADER = 'the header of a part is malformed';
const NOT_ALONE = 'a boundary is not alone on its line';

/** What parsers of browsers refuse, or make other parts of. */
const brokenBodies: [name: string, body: string, why: string][] = [
  [
    'a head without an end behind a preamble',
    `preamble\r\n--${BOUNDARY}\r\n${DISPOSITION}\r\n--${BOUNDARY}--\r\n`,
    NO_END,
  ],
  [
    'a head without an end before a part',
    `--${BOUNDARY}\r\n${DISPOSITION}\r\n${form(field('b', '1'))}`,
    NO_END,
  ],
  ['a boundary in place of a content', `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\n--${BOUNDARY}--\r\n`, NO_END],
  ...['\r', '\n', '\r\r\n', '\0', '\u001b', '\u007f', '\r\n '].map((end): [string, string, string] => [
    `a line of a head that ${JSON.stringify(end)} ends`,
    form({ head: [`${DISPOSITION}${end}X-Other: x`], content: '1' }),
    MALFORMED_HEADER,
  ]),
  ...['X Y: z', ': z', 'X : z', '\u00fc: z'].map((line): [string, string, string] => [
    `the field ${JSON.stringify(line)} of a part`,
    form({ head: [DISPOSITION, line], content: '1' }),
    MALFORMED_HEADER,
  ]),
  ...['x', '-x', ' --', '\n', '\r\r\n'].map((rest): [string, string, string] => [
    `a boundary with ${JSON.stringify(rest)} behind it`,
    form(field('a', '1')).replace(/--\r\n$/, `${rest}\r\n`),
    NOT_ALONE,
  ]),
];

export const refusedMultipart: Case[] = [
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
    'a boundary inside the value of another parameter',
    'multipart/form-data; x="; boundary=X"',
    "the media type 'multipart/form-data' needs a boundary",
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
  ...['', '""', '; charset=utf-8', ' ;x=1'].map((rest) =>
    typed(
      `an empty boundary, boundary=${rest}`,
      `multipart/form-data; boundary=${rest}`,
      "the boundary of 'multipart/form-data' is empty; send the text that separates the parts of the body",
    ),
  ),
  typed(
    'a boundary with a blank and without quotes',
    'multipart/form-data; boundary=a b',
    "the media type 'multipart/form-data; boundary=a b' has malformed parameters; put quotes around a value that has other characters than letters, digits and !#$%&'*+-.^_`|~",
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
  ...brokenBodies.map(([name, body, why]) => fails(name, '/form', body, 400, malformed(why))),
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
    malformed("a part has a malformed 'filename*'"),
  ),
  fails(
    'a NUL in an extended file name',
    '/form',
    form({ head: ["Content-Disposition: form-data; name=a; filename*=UTF-8''a%00"], content: '' }),
    400,
    malformed("a part has a malformed 'filename*'"),
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
    'a file that was skipped',
    '/late',
    mixed,
    500,
    "the file of part 'f' was skipped; read it before you request the next part",
  ),
  fails(
    'parts of a body that was read',
    '/text-then-parts',
    mixed,
    500,
    'the request body was already read; use it as a stream before anything else',
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
