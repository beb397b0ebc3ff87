// Which responses are sent with a prepared head, and its content.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { exchange } from '../../conformance/raw-client.js';
import { type DefaultHeader, FwResponse } from '../../http/response.js';
import { FastResponse } from './fast-response.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

interface Sent {
  /** Whether it was sent with a prepared head. */
  isPrepared: boolean;
  isFinished: boolean;
  head: string[];
  body: string;
}

/** What a client receives if a server sends the response that `make` returns. */
async function sent(make: (outgoing: FastResponse) => FwResponse, request = GET, seconds = 5): Promise<Sent> {
  let isPrepared = false;
  let isFinished = false;
  const server = createServer({ ServerResponse: FastResponse }, (_incoming, outgoing) => {
    outgoing.once('finish', () => {
      isFinished = true;
    });
    isPrepared = outgoing.sendPrepared(make(outgoing), seconds);
    if (!isPrepared) outgoing.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await exchange((server.address() as AddressInfo).port, request, 50);
  server.close();
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { isPrepared, isFinished, head: head.split('\r\n'), body };
}

const text = (content: string | Uint8Array = 'text', status = 200) =>
  new FwResponse(content, status, 'text/plain');

/** A response whose header fields were accessed. */
function withField(name: string, value: string, status = 200): FwResponse {
  const response = text('text', status);
  response.headers.set(name, value);
  return response;
}

const defaults: readonly DefaultHeader[] = [
  ['X-Powered-By', 'fw'],
  ['X-Other', '1'],
];

function withDefaults(response: FwResponse): FwResponse {
  response.defaultHeaders = defaults;
  return response;
}

const date = expect.stringMatching(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
const tail = (length: number) => [
  `Content-Length: ${length}`,
  date,
  'Connection: keep-alive',
  'Keep-Alive: timeout=5',
];

describe('a prepared head', () => {
  it.each([
    ['text', () => withDefaults(text()), ['HTTP/1.1 200 OK', 'Content-Type: text/plain'], 'text'],
    ['the same again', () => withDefaults(text('x')), ['HTTP/1.1 200 OK', 'Content-Type: text/plain'], 'x'],
    [
      'another status',
      () => withDefaults(text('x', 404)),
      ['HTTP/1.1 404 Not Found', 'Content-Type: text/plain'],
      'x',
    ],
    [
      'another type',
      () => withDefaults(FwResponse.json(1)),
      ['HTTP/1.1 200 OK', 'Content-Type: application/json'],
      '1',
    ],
    [
      'a status without a name',
      () => withDefaults(text('x', 299)),
      ['HTTP/1.1 299 unknown', 'Content-Type: text/plain'],
      'x',
    ],
    [
      'bytes',
      () => withDefaults(text(new Uint8Array([97, 98]))),
      ['HTTP/1.1 200 OK', 'Content-Type: text/plain'],
      'ab',
    ],
    ['nothing', () => withDefaults(text('')), ['HTTP/1.1 200 OK', 'Content-Type: text/plain'], ''],
    [
      'a field of its own',
      () => withDefaults(withField('X-A', 'b')),
      ['HTTP/1.1 200 OK', 'Content-Type: text/plain', 'X-A: b'],
      'text',
    ],
  ])('is sent for %s', async (_what, make, start, body) => {
    const answer = await sent(make);
    expect(answer).toMatchObject({ isPrepared: true, isFinished: true, body });
    expect(answer.head).toEqual([...start, 'X-Powered-By: fw', 'X-Other: 1', ...tail(body.length)]);
  });

  it('has the length in bytes, even if the response declares another', async () => {
    const { head, body } = await sent(() => {
      const response = text('grüße');
      response.headers.set('Content-Length', '1');
      return response;
    });
    expect(head.filter((line) => /^content-length/i.test(line))).toEqual(['Content-Length: 7']);
    expect(Buffer.from(body, 'latin1').toString()).toBe('grüße');
  });

  it.each([0, 1, 3_072, 3_073, 100_000])('is sent before %d bytes, whatever they are', async (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => 255 - (index % 256));
    const { isPrepared, isFinished, head, body } = await sent(() => text(bytes));
    expect({ isPrepared, isFinished }).toEqual({ isPrepared: true, isFinished: true });
    expect(head).toContain(`Content-Length: ${length}`);
    expect(body).toBe(Buffer.from(bytes).toString('latin1'));
  });

  it.each([
    [5, ['Connection: keep-alive', 'Keep-Alive: timeout=5']],
    [7, ['Connection: keep-alive', 'Keep-Alive: timeout=7']],
    [0, ['Connection: keep-alive']],
  ])('contains how long the connection is kept: %d s', async (seconds, fields) => {
    const { head } = await sent(() => text(), GET, seconds);
    expect(head.slice(-fields.length)).toEqual(fields);
    expect(head.at(-fields.length - 1)).toEqual(date);
  });
});

describe('the prepared head is not used for', () => {
  it.each([
    ['fields that other code set', (out: FastResponse) => void out.setHeader('X-A', 'b')],
    ['fields that other code appended', (out: FastResponse) => void out.appendHeader('X-A', 'b')],
  ])('%s', async (_what, touch) => {
    const { isPrepared, head } = await sent((outgoing) => {
      touch(outgoing);
      return text();
    });
    expect(isPrepared).toBe(false);
    expect(head).toContain('X-A: b');
  });

  it.each([
    ['HEAD', GET.replace('GET', 'HEAD')],
    ['a connection that ends', GET.replace('Host: x', 'Host: x\r\nConnection: close')],
  ])('%s', async (_what, request) => {
    expect((await sent(() => text(), request)).isPrepared).toBe(false);
  });

  it.each([204, 205, 304])('status %d, which has no body', async (status) => {
    expect((await sent(() => text('', status))).isPrepared).toBe(false);
    expect((await sent(() => withField('X-A', 'b', status))).isPrepared).toBe(false);
  });

  it.each([
    ['Connection', 'close'],
    ['X-Name', 'grüße'],
  ])('a response with %s: %s', async (name, value) => {
    expect((await sent(() => withField(name, value))).isPrepared).toBe(false);
  });
});

describe('a response with a prepared head', () => {
  /** Two pipelined requests, the first of which is answered last, and the events of their responses. */
  async function pipelined(
    contentOf: (name: string) => string | Uint8Array,
  ): Promise<{ answer: string; events: string[] }> {
    const events: string[] = [];
    const waiting: FastResponse[] = [];
    const answerTo = (outgoing: FastResponse, name: string) => {
      outgoing.on('prefinish', () => events.push(`${name} written`));
      outgoing.on('finish', () => events.push(`${name} finished`));
      outgoing.on('close', () => events.push(`${name} closed`));
      const isPrepared = outgoing.sendPrepared(text(contentOf(name)), 5);
      events.push(`${name} given: ${[isPrepared, outgoing.headersSent, outgoing.writableEnded]}`);
    };
    const server = createServer({ ServerResponse: FastResponse }, (_incoming, outgoing) => {
      waiting.push(outgoing);
      if (waiting.length < 2) return;
      answerTo(waiting[1] as FastResponse, 'second');
      answerTo(waiting[0] as FastResponse, 'first');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const answer = await exchange((server.address() as AddressInfo).port, GET + GET, 100);
    server.close();
    return { answer, events };
  }

  it.each([
    ['text', (name: string) => name],
    ['bytes', (name: string) => Buffer.from(name)],
  ])('is sent in the order of the requests, and finished once, with %s', async (_what, contentOf) => {
    const { answer, events } = await pipelined(contentOf);
    expect(answer.match(/first|second/g)).toEqual(['first', 'second']);
    const of = (name: string) => events.filter((event) => event.startsWith(name));
    expect(of('first')).toEqual([
      'first written',
      'first given: true,true,true',
      'first finished',
      'first closed',
    ]);
    expect(of('second')).toEqual([
      'second given: true,true,true',
      'second written',
      'second finished',
      'second closed',
    ]);
  });

  it('has the current date', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const dates: unknown[] = [];
      for (const time of ['2030-01-01T00:00:00.999Z', '2030-01-01T00:00:01.000Z', '2031-02-03T04:05:06Z']) {
        vi.setSystemTime(new Date(time));
        const { head } = await sent(() => text());
        dates.push(head.find((line) => line.startsWith('Date: ')));
      }
      expect(dates).toEqual([
        'Date: Tue, 01 Jan 2030 00:00:00 GMT',
        'Date: Tue, 01 Jan 2030 00:00:01 GMT',
        'Date: Mon, 03 Feb 2031 04:05:06 GMT',
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});
