// Hostile input of 100 KB for every reader of bytes from the network: none takes more than linear time.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { Json } from '../extract/json.js';
import { compression } from '../middleware/compression/index.js';
import { cors } from '../middleware/cors.js';
import { IpFilter } from '../middleware/ip-filter.js';
import { RateLimitKey } from '../middleware/rate-limit/rate-limit-key.js';
import { rateLimiter } from '../middleware/rate-limit/rate-limiter.js';
import { requestId } from '../middleware/request-id.js';
import { RpcMode, RpcRegistry } from '../rpc/index.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { EventParser } from '../testing/event-parser.js';
import { consoleSubscriber } from '../tracing/console-subscriber.js';
import { exchange, statuses } from './raw-client.js';

const SIZE = 100_000;
/** Linear work takes milliseconds, even on a busy machine; quadratic work on 100 KB takes half a minute. */
const MOST_MS = 3_000;

/** The repeated text: separators, quotes, escapes, and beginnings of everything that a parser may try to match. */
const UNITS: readonly string[] = [
  ...' \t,;="\\a0:./%-_*?[(\u00a0',
  ...['a,', 'a;', 'a=', ', ', '; ', ' ;', '=,', ';;,', 'a a', '1.', '0-', 'a:', '::', '%2', '%41', '--'],
  ...[
    'a;q=0.5,',
    ';q=',
    ';q= ',
    '; q = 1 ',
    ';a="',
    ';a="\\"',
    ';a=b',
    '"\\',
    '"\\"',
    '"a",',
    'W/"',
    'W/"a", ',
  ],
  ...[
    'for=',
    ';for="',
    'for="\\",',
    ';boundary=',
    ';boundary="\\"',
    ';name="',
    ';name="\\"',
    'a@',
    'a.',
    '\u001b;?',
  ],
];

/** Every repeated text after every beginning, with an end that prevents a match. */
function* hostile(starts: readonly string[]): Generator<string> {
  for (const unit of UNITS) {
    const middle = unit.repeat(Math.ceil(SIZE / unit.length));
    for (const start of starts) yield `${start}${middle}!b`;
  }
}

/** The header fields of a web Request accept neither control characters nor white space around a value. */
const isFieldValue = (text: string) => !/[^\t\x20-\x7e\x80-\xff]/.test(text);

const dir = mkdtempSync(join(tmpdir(), 'fw-hostile-'));
writeFileSync(join(dir, 'index.html'), '<p>page</p>');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const anything: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
};

const echoed = '{ text: string }';
const rpc = new RpcRegistry().registerWithTypes('echo', (input: { text: string }) => input, echoed, echoed);
const searched = '{ page: number; tags?: string[]; isOpen?: boolean }';
const rest = RpcRegistry.withMode(RpcMode.Rest).queryWithTypes(
  'search',
  (input: object) => input,
  searched,
  searched,
);

const app = new App()
  .trustProxy(['10.0.0.0/8'])
  .use(requestId())
  .use(cors({ origin: 'https://app.example' }))
  .use(compression())
  .use(rateLimiter({ max: 1_000_000, key: RateLimitKey.header('x-api-key') }))
  .use(IpFilter.deny(['203.0.113.0/24']).build())
  .get('/cookies', (ctx) => ctx.json(Object.keys(ctx.cookies()).length))
  .get('/queries', (ctx) => ctx.json(Object.keys(ctx.req.queries()).length))
  .get('/event-id', (ctx) => ctx.json(ctx.lastEventId()?.length))
  .get('/uri', (ctx) => ctx.json(ctx.req.uri.href.length))
  .get('/param/:id', (ctx) => ctx.json(ctx.req.param('id').length))
  .post('/json', Json(anything), () => 'fine')
  .post('/form', async (ctx) => [...(await ctx.req.formData())].length)
  .post('/text', async (ctx) => (await ctx.req.text()).length)
  .mountRpc('/rpc', rpc)
  .mountRest('/api', rest)
  .serveSpa(dir, 'index.html')
  .serveStatic('/files', dir);

/** The longest time until a response. */
async function slowest(requests: Iterable<Request>): Promise<number> {
  let longest = 0;
  for (const request of requests) {
    const start = performance.now();
    const answer = await app.fetch(request);
    await answer.arrayBuffer();
    longest = Math.max(longest, performance.now() - start);
    expect(answer.status).toBeLessThan(500);
  }
  return longest;
}

const JSON_TYPES = ['', 'application/json', 'application/json;a="', 'application/a+json'];

/** A header field, a request for which it is read, and beginnings after which its parser continues. */
const fields: readonly (readonly [name: string, method: string, path: string, starts: string[]])[] = [
  ['accept-encoding', 'GET', '/files/index.html', ['gzip;q=a', 'br;q=0.']],
  ['accept-encoding', 'GET', '/cookies', ['', 'gzip;q=a']],
  ['accept', 'GET', '/a/page', ['', 'text/html;q=a', 'text/html;a="']],
  ['cookie', 'GET', '/cookies', ['', 'sid=']],
  ['range', 'GET', '/files/index.html', ['', 'bytes=', 'bytes=0-', 'bytes=0-1,']],
  ['if-match', 'GET', '/files/index.html', ['', '"', 'W/"']],
  ['if-none-match', 'GET', '/files/index.html', ['', '"', 'W/"']],
  ['if-modified-since', 'GET', '/files/index.html', ['', 'Sun, ']],
  ['if-unmodified-since', 'GET', '/files/index.html', ['', 'Sun, ']],
  ['if-range', 'GET', '/files/index.html', ['', '"']],
  ['x-request-id', 'GET', '/cookies', ['']],
  ['x-api-key', 'GET', '/cookies', ['']],
  ['origin', 'OPTIONS', '/cookies', ['']],
  ['access-control-request-method', 'OPTIONS', '/cookies', ['']],
  ['last-event-id', 'GET', '/event-id', ['']],
  ['content-type', 'POST', '/json', JSON_TYPES],
  ['content-type', 'POST', '/rpc', JSON_TYPES],
  ['content-type', 'POST', '/form', ['multipart/form-data;', 'multipart/form-data; boundary="']],
  ['content-encoding', 'POST', '/text', ['']],
];

describe('a field of 100 KB', () => {
  it.each(fields)('%s, read for %s %s', async (name, method, path, starts) => {
    function* requests(): Generator<Request> {
      for (const value of hostile(starts)) {
        if (!isFieldValue(value)) continue;
        const headers = { [name]: value, ...(name === 'if-range' && { range: 'bytes=0-1' }) };
        yield new Request(`http://x${path}`, { method, headers, ...(method === 'POST' && { body: '{}' }) });
      }
    }
    expect(await slowest(requests())).toBeLessThan(MOST_MS);
  });
});

describe('header fields over a socket', () => {
  const text = (unit: string, start: string) => `${start}${unit.repeat(Math.ceil(15_000 / unit.length))}!b`;

  it.each([
    ['X-Forwarded-For', (value: string) => `GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${value}\r\n`],
    ['Forwarded', (value: string) => `GET / HTTP/1.1\r\nHost: x\r\nForwarded: ${value}\r\n`],
    ['Host', (value: string) => `GET / HTTP/1.1\r\nHost: ${value}\r\n`],
    [
      'Connection',
      (value: string) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: ${value}\r\n`,
    ],
    [
      'the target',
      (value: string) => `GET http://${value.replaceAll(/[ \t]/g, '+')}/x HTTP/1.1\r\nHost: x\r\n`,
    ],
  ])('%s', async (_name, head) => {
    const proxied = new App()
      .trustProxy(true)
      .all('/', (ctx) => ctx.json([ctx.clientIp(), ctx.req.uri.href.length]));
    const server = await proxied.listen(0);
    for (const unit of UNITS) {
      const start = performance.now();
      for (const begin of ['', 'for="', 'for=', '[', '1.2.3.4:']) {
        const answer = await exchange(server.port, `${head(text(unit, begin))}Connection: close\r\n\r\n`, 5);
        expect(statuses(answer).every((status) => status < 500)).toBe(true);
      }
      expect(performance.now() - start).toBeLessThan(5 * MOST_MS);
    }
    await server.close();
  });
});

describe('a target of 100 KB', () => {
  it.each(['/param/', '/files/', '/queries?', '/queries?a=', '/api/search?page=', '/api/search?tags='])(
    '%s',
    async (start) => {
      const targets = [...hostile([''])].map((text) => new Request(`http://x${start}${text}`));
      expect(await slowest(targets)).toBeLessThan(MOST_MS);
    },
  );
});

describe('a body of 100 KB', () => {
  const BOUNDARY = 'B';
  const part = (head: string) => `--${BOUNDARY}\r\n${head}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`;

  it.each([
    ['as a form', 'application/x-www-form-urlencoded', (text: string) => text],
    ['as a multipart body', `multipart/form-data; boundary=${BOUNDARY}`, (text: string) => text],
    ['as a part', `multipart/form-data; boundary=${BOUNDARY}`, (text: string) => `--${BOUNDARY}\r\n${text}`],
    [
      // The maximum size of the head of a part.
      'as a disposition',
      `multipart/form-data; boundary=${BOUNDARY}`,
      (text: string) => part(`Content-Disposition: form-data${text.slice(0, 16_000)}`),
    ],
    [
      'as a file name',
      `multipart/form-data; boundary=${BOUNDARY}`,
      (text: string) => part(`Content-Disposition: form-data; name="a"; filename="${text.slice(0, 15_900)}`),
    ],
    [
      'as the type of a part',
      `multipart/form-data; boundary=${BOUNDARY}`,
      (text: string) =>
        part(`Content-Disposition: form-data; name=a\r\nContent-Type: ${text.slice(0, 15_900)}`),
    ],
  ])('%s', async (_name, type, body) => {
    const starts = ['', ';name="a";', 'text/plain;', '\r\n--B'];
    const requests = [...hostile(starts)].map(
      (text) =>
        new Request('http://x/form', { method: 'POST', body: body(text), headers: { 'Content-Type': type } }),
    );
    expect(await slowest(requests)).toBeLessThan(MOST_MS);
  });

  it('as JSON, of an extractor and of a procedure', async () => {
    const texts = [...hostile(['', '{"a":', '[', '"'])];
    const envelopes = [...hostile([''])].map((text) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params: { text } }),
    );
    const requests = [...texts, ...envelopes].flatMap((body) =>
      ['/json', '/rpc'].map(
        (path) =>
          new Request(`http://x${path}`, {
            method: 'POST',
            body,
            headers: { 'Content-Type': 'application/json' },
          }),
      ),
    );
    expect(await slowest(requests)).toBeLessThan(MOST_MS);
  });
});

describe('text of 100 KB', () => {
  it('in an event stream, in one piece and in single characters', () => {
    for (const unit of [...UNITS, '\r', '\n', '\r\n', ':', 'data:x\r', 'data']) {
      const text = unit.repeat(SIZE / unit.length);
      const start = performance.now();
      new EventParser().push(text);
      const parser = new EventParser();
      for (const character of text) parser.push(character);
      expect(performance.now() - start, JSON.stringify(unit)).toBeLessThan(MOST_MS);
    }
  });

  it('in an event that is serialized', () => {
    const print = consoleSubscriber({ format: 'pretty', output: { write: () => {}, isTTY: true } });
    for (const unit of [...UNITS, '\u001b', '\u009b', '\u001b[', '\u001b]', '\u001b];', '\n']) {
      const message = `\u001b${unit.repeat(SIZE / unit.length)}!`;
      const start = performance.now();
      const fields = { error: new Error(message), path: message };
      print({ time: 0, level: 'error', message, fields, span: { message } });
      expect(performance.now() - start, JSON.stringify(unit)).toBeLessThan(MOST_MS);
    }
  });
});
