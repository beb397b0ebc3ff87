// Cases: conditional requests for static files, and their precompressed siblings.
import { App } from '../../app/app.js';
import { compression } from '../../middleware/compression/index.js';
import type { Case } from '../case.js';
import { DATE, dir, ETAG, LARGE, missing, SECONDS, site, whole } from './static-site.js';

const conditional = (name: string, sent: Record<string, string>, status: number, headers = {}): Case => ({
  name: `conditional: ${name}`,
  app: site,
  request: { path: '/assets/a.txt', headers: sent },
  status,
  ...(status === 304 && { body: '' }),
  headers: {
    ...(status !== 412 && { etag: ETAG, 'last-modified': DATE }),
    ...(status === 304 && { 'content-type': undefined, 'content-length': undefined }),
    ...headers,
  },
});

export const staticConditions: Case[] = [
  conditional('the tag', { 'If-None-Match': ETAG }, 304),
  conditional('the weak tag', { 'If-None-Match': `W/${ETAG}` }, 304),
  conditional('a list with the tag', { 'If-None-Match': `"a,b", ${ETAG}` }, 304),
  conditional('any tag', { 'If-None-Match': '*' }, 304),
  conditional('another tag', { 'If-None-Match': '"10-1"' }, 200),
  conditional('a tag without quotes', { 'If-None-Match': `10-${SECONDS}` }, 200),
  conditional('the date', { 'If-Modified-Since': DATE }, 304),
  conditional('a later date', { 'If-Modified-Since': 'Wed, 15 Nov 2023 00:00:00 GMT' }, 304),
  conditional(
    'the date as RFC 850 writes it',
    { 'If-Modified-Since': 'Tuesday, 14-Nov-23 22:13:20 GMT' },
    304,
  ),
  conditional('the date as asctime writes it', { 'If-Modified-Since': 'Tue Nov 14 22:13:20 2023' }, 304),
  conditional('an earlier date', { 'If-Modified-Since': 'Tue, 14 Nov 2023 22:13:19 GMT' }, 200),
  conditional('what is not a date', { 'If-Modified-Since': '2030-01-01' }, 200),
  conditional('the tag wins over the date', { 'If-None-Match': '"x"', 'If-Modified-Since': DATE }, 200),
  conditional('If-Match with the tag', { 'If-Match': `"x", ${ETAG}` }, 200),
  conditional('If-Match with another tag', { 'If-Match': '"x"' }, 412),
  conditional('If-Match with the weak tag', { 'If-Match': `W/${ETAG}` }, 412),
  conditional('If-Unmodified-Since', { 'If-Unmodified-Since': DATE }, 200),
  conditional(
    'If-Unmodified-Since, too early',
    { 'If-Unmodified-Since': 'Tue, 14 Nov 2023 22:13:19 GMT' },
    412,
  ),
  conditional('before the range', { 'If-None-Match': ETAG, Range: 'bytes=0-1' }, 304),
  {
    ...conditional('HEAD', { 'If-None-Match': ETAG }, 304),
    request: { method: 'HEAD', path: '/assets/a.txt', headers: { 'If-None-Match': ETAG } },
  },
  {
    name: 'conditional: a large file',
    app: site,
    request: { path: '/assets/large.bin', headers: { 'If-None-Match': `"${LARGE}-${SECONDS}"` } },
    status: 304,
    body: '',
  },
];

const coded = (
  name: string,
  path: string,
  accept: string,
  headers: Case['headers'],
  body?: string,
): Case => ({
  name: `precompressed: ${name}`,
  app: site,
  request: { path, headers: { 'Accept-Encoding': accept } },
  status: 200,
  headers: { vary: 'Accept-Encoding', ...headers },
  ...(body !== undefined && { body }),
});

const asIs = { 'content-encoding': undefined, 'accept-ranges': 'bytes' };

export const precompressed: Case[] = [
  coded(
    'brotli wins a tie',
    '/assets/js/app.js',
    'gzip, br',
    {
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': '16',
      etag: `"16-${SECONDS}-br"`,
      'last-modified': DATE,
    },
    'pretended brotli',
  ),
  coded('the better weight', '/assets/js/app.js', 'gzip, br;q=0.5', { 'content-encoding': 'gzip' }),
  coded('only what is accepted', '/assets/js/app.js', 'gzip', { 'content-encoding': 'gzip' }),
  coded('none that is refused', '/assets/js/app.js', 'br;q=0, gzip;q=0', asIs, 'code'),
  coded('none that is not there', '/assets/a.txt', 'gzip, br', { ...asIs, etag: ETAG }, whole),
  coded('none that is older than the file', '/assets/js/stale.js', 'br', asIs, 'new code'),
  { ...missing('a coded file does not stand for one', '/assets/js/only.js') },
  {
    ...coded('a condition is about the coding that would be sent', '/assets/js/app.js', 'br', {}),
    request: {
      path: '/assets/js/app.js',
      headers: { 'Accept-Encoding': 'br', 'If-None-Match': `"16-${SECONDS}-br"` },
    },
    status: 304,
    headers: { vary: 'Accept-Encoding', etag: `"16-${SECONDS}-br"` },
    body: '',
  },
  {
    ...coded('compression() leaves them alone', '/assets/js/app.js', 'br', { 'content-encoding': 'br' }),
    app: () => new App().use(compression({ minSize: 0 })).serveStatic('/assets', dir),
    body: 'pretended brotli',
  },
  {
    ...coded('can be left out', '/assets/js/app.js', 'br', { ...asIs, vary: undefined }, 'code'),
    app: () => new App().serveStatic('/assets', dir, { precompressed: false }),
  },
];
