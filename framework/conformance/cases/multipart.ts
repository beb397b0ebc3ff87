// Cases: forms that are read, buffered and part by part.
import type { Case } from '../case.js';
import { BOUNDARY, field, file, form, mixed, post } from './multipart-app.js';

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
  post(
    'white space behind a boundary',
    '/parts',
    form(field('a', '1'), field('b', '2')).replaceAll(`${BOUNDARY}\r\n`, `${BOUNDARY} \t\r\n`),
    [
      ['field', 'a', 'text/plain', '1'],
      ['field', 'b', 'text/plain', '2'],
    ],
  ),
  post(
    'line ends in contents, of any kind',
    '/parts',
    form(field('a', '\r\n\r\n'), file('f', 'f', '\n\r-\r\n')),
    [
      ['field', 'a', 'text/plain', '\r\n\r\n'],
      ['file', 'f', 'text/csv', 'f', '\n\r-\r\n'],
    ],
  ),
  post('an empty form', '/parts', `--${BOUNDARY}--\r\n`, []),
  post('text around the parts is not a part', '/parts', `to whom it may concern\r\n${mixed}epilogue`, [
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
      file('g', '..', ''),
      file('h', '..\\.', ''),
      file('i', '...', ''),
      field('__proto__', ''),
    ),
    [
      ['a', '日本 ü.txt'],
      ['b', 'passwd'],
      ['c', 'x.txt'],
      ['d', 'q""t.txt'],
      ['e', ''],
      ['f', ''],
      ['g', ''],
      ['h', ''],
      ['i', '...'],
      ['__proto__', null],
    ],
  ),
  post(
    'an extended file name of clients that send no other',
    '/names',
    form({ head: [`Content-Disposition: form-data; name=a; filename*=UTF-8''%e2%82%ac`], content: '' }),
    [['a', '€']],
  ),
];
