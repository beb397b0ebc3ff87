// Cases: ranges of static files.
import { App } from '../../app/app.js';
import { compression } from '../../middleware/compression/index.js';
import { type Case, wireError } from '../case.js';
import { DATE, dir, ETAG, LARGE, site, whole } from './static-site.js';

const ranged = (range: string, status: number, body: string, contentRange?: string, sent = {}): Case => ({
  name: `range: ${JSON.stringify(range)} ${JSON.stringify(sent)}`,
  app: site,
  request: { path: '/assets/a.txt', headers: { Range: range, ...sent } },
  status,
  headers: {
    'content-range': contentRange,
    'content-encoding': undefined,
    ...(status !== 416 && { 'content-length': String(body.length), etag: ETAG }),
  },
  ...(status !== 416 && { body }),
});

export const staticRanges: Case[] = [
  ranged('bytes=0-', 206, whole, 'bytes 0-9/10'),
  ranged('bytes=0-0', 206, '0', 'bytes 0-0/10'),
  ranged('bytes=2-4', 206, '234', 'bytes 2-4/10'),
  ranged('Bytes=2-4', 206, '234', 'bytes 2-4/10'),
  ranged('bytes=9-', 206, '9', 'bytes 9-9/10'),
  ranged('bytes=5-99999999999999999999999', 206, '56789', 'bytes 5-9/10'),
  ranged('bytes=-3', 206, '789', 'bytes 7-9/10'),
  ranged('bytes=-99999999999999999999999', 206, whole, 'bytes 0-9/10'),
  ranged('bytes=-0', 416, '', 'bytes */10'),
  ranged('bytes=10-', 416, '', 'bytes */10'),
  ranged('bytes=99999999999999999999999-', 416, '', 'bytes */10'),
  ranged('bytes=5-2', 200, whole),
  ranged('bytes=abc', 200, whole),
  ranged('bytes=', 200, whole),
  ranged('bytes=-', 200, whole),
  ranged('bytes=--1', 200, whole),
  ranged('bytes=0x1-2', 200, whole),
  ranged('bytes=1.5-3', 200, whole),
  ranged('bytes 1-2', 200, whole),
  ranged('lines=1-2', 200, whole),
  ranged('bytes=0-1,3-4', 200, whole),
  ranged(`bytes=${Array.from({ length: 900 }, (_, i) => `${i}-${i}`).join(',')}`, 200, whole),
  ranged('bytes=2-4', 206, '234', 'bytes 2-4/10', { 'If-Range': ETAG }),
  ranged('bytes=2-4', 206, '234', 'bytes 2-4/10', { 'If-Range': DATE }),
  ranged('bytes=2-4', 200, whole, undefined, { 'If-Range': '"other"' }),
  ranged('bytes=2-4', 200, whole, undefined, { 'If-Range': `W/${ETAG}` }),
  ranged('bytes=2-4', 200, whole, undefined, { 'If-Range': 'Tue, 14 Nov 2023 22:13:21 GMT' }),
  ranged('bytes=20-', 200, whole, undefined, { 'If-Range': '"other"' }),
  ranged('bytes=2-4', 206, '234', 'bytes 2-4/10', { 'Accept-Encoding': 'gzip, br' }),
  {
    ...ranged('bytes=0-0', 200, ''),
    name: 'range: of HEAD is ignored',
    request: { method: 'HEAD', path: '/assets/a.txt', headers: { Range: 'bytes=0-0' } },
    headers: { 'content-range': undefined, 'content-length': '10' },
  },
  {
    name: 'range: of an empty file',
    app: site,
    request: { path: '/assets/empty.txt', headers: { Range: 'bytes=0-' } },
    status: 416,
    headers: { 'content-range': 'bytes */0' },
    body: wireError('RangeNotSatisfiable', 'the file has 0 bytes'),
  },
  {
    name: 'range: the end of an empty file',
    app: site,
    request: { path: '/assets/empty.txt', headers: { Range: 'bytes=-5' } },
    status: 200,
    body: '',
  },
  {
    name: 'range: of a large file',
    app: site,
    request: { path: '/assets/large.bin', headers: { Range: 'bytes=150000-299999' } },
    status: 206,
    headers: { 'content-range': `bytes 150000-299999/${LARGE}`, 'content-length': '150000' },
    body: 'x'.repeat(150_000),
  },
  {
    name: 'range: never compressed',
    app: () => new App().use(compression({ minSize: 0 })).serveStatic('/assets', dir),
    request: { path: '/assets/js/app.js', headers: { Range: 'bytes=1-2', 'Accept-Encoding': 'br, gzip' } },
    status: 206,
    headers: { 'content-encoding': undefined, 'content-range': 'bytes 1-2/4' },
    body: 'od',
  },
];
