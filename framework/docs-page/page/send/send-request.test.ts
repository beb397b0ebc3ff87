// Requests of the page over real connections; of the browser, only the cookies are stood in for.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RequestPlan } from '../../../api-model/request-plan.js';
import { withCookies } from './cookies.js';
import { readBody } from './received-body.js';
import { type SendOptions, sendRequest } from './send-request.js';

let server: Server;
let origin: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** Cookies as `document.cookie` keeps them. */
beforeEach(() => {
  const jar = new Map([
    ['csrf', 'token.1'],
    ['kept', 'before'],
  ]);
  vi.stubGlobal('document', {
    get cookie() {
      return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    set cookie(text: string) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (text.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, value);
    },
  });
  vi.stubGlobal('location', { protocol: 'http:' });
});
afterEach(() => vi.unstubAllGlobals());

const plan = (more: Partial<RequestPlan> = {}): RequestPlan => ({
  method: 'GET',
  url: `${origin}/a`,
  headers: [],
  cookies: [],
  secrets: [],
  body: undefined,
  problems: [],
  ...more,
});
const options = (more: Partial<SendOptions> = {}): SendOptions => ({
  csrf: null,
  signal: new AbortController().signal,
  onStream: () => {},
  onEvents: () => {},
  ...more,
});

describe('a request', () => {
  it('has what authenticates, and the token of the app where something changes', async () => {
    const seen: unknown[] = [];
    answer = ({ method, url, headers }, response) => {
      seen.push([method, url, headers.authorization, headers['x-own']]);
      response.end();
    };
    const secrets = [
      { place: 'header', name: 'Authorization', prefix: 'Bearer ', value: 't', placeholder: 'TOKEN' },
      { place: 'query', name: 'key', prefix: '', value: 'a&b', placeholder: 'API_KEY' },
    ] as const;
    const csrf = { cookie: 'csrf', header: 'X-Own' };
    await sendRequest(plan({ secrets }), options({ csrf }));
    await sendRequest(plan({ method: 'POST', url: `${origin}/a?b=1` }), options({ csrf }));
    expect(seen).toEqual([
      ['GET', '/a?key=a%26b', 'Bearer t', undefined],
      ['POST', '/a?b=1', undefined, 'token.1'],
    ]);
    const odd = [{ ...secrets[0], value: 'a\nb' }];
    await expect(sendRequest(plan({ secrets: odd }), options())).rejects.toThrow('cannot have');
  });

  it('is cut on the server when it is cancelled', async () => {
    const controller = new AbortController();
    const cut = new Promise((resolve) => {
      answer = (request) => {
        request.on('close', resolve);
        controller.abort();
      };
    });
    await expect(sendRequest(plan(), options({ signal: controller.signal }))).rejects.toThrow('abort');
    await cut;
  });

  it('passes events on as they arrive, until the stream ends', async () => {
    const got: string[] = [];
    let next: () => void = () => {};
    answer = (_, response) => {
      response.setHeader('Content-Type', 'text/event-stream');
      response.write('data: 1\n\n');
      next = () => response.end('data: 2\n\n');
    };
    const onEvents: SendOptions['onEvents'] = (events) => {
      got.push(...events.map(({ data }) => data));
      if (got.length === 1) next();
    };
    const onStream = vi.fn();
    expect(await sendRequest(plan(), options({ onEvents, onStream }))).toBeUndefined();
    expect(got).toEqual(['1', '2']);
    expect(onStream).toHaveBeenCalledWith(expect.objectContaining({ status: 200 }));
  });

  it('leaves a stream whose line is too long', async () => {
    const cut = new Promise((resolve) => {
      answer = (request, response) => {
        request.on('close', resolve);
        response.on('error', () => {});
        response.setHeader('Content-Type', 'text/event-stream');
        const write = (): void => {
          while (!response.destroyed && response.write('a'.repeat(100_000)));
          if (!response.destroyed) response.once('drain', write);
        };
        write();
      };
    });
    await expect(sendRequest(plan(), options())).rejects.toThrow('longer than 5 MB');
    await cut;
  });
});

describe('cookies of a request', () => {
  it('are there for its time, and then as before, also if it fails', async () => {
    const { document } = globalThis as unknown as { document: { cookie: string } };
    const work = withCookies(
      [
        ['kept', 'mine'],
        ['new', '1'],
      ],
      async () => {
        expect(document.cookie).toBe('csrf=token.1; kept=mine; new=1');
        throw new Error('failed');
      },
    );
    await expect(work).rejects.toThrow('failed');
    expect(document.cookie).toBe('csrf=token.1; kept=before');
  });
});

describe('the body of an answer', () => {
  const bytes = (text: string) => new Blob([text]);

  it.each([
    ['application/json; charset=utf-8', '{"a":1}', { kind: 'json', value: { a: 1 } }],
    ['application/problem+json', '[]', { kind: 'json', value: [] }],
    ['application/json', '{"a":', { kind: 'text', text: '{"a":', isCut: false }],
    ['text/html', '<b>', { kind: 'text', text: '<b>' }],
    ['image/png', 'x', { kind: 'image', type: 'image/png' }],
    ['application/pdf', 'x', { kind: 'binary' }],
    ['text/plain', '', { kind: 'empty' }],
  ])('of %s is shown as what it is', async (type, text, expected) => {
    expect(await readBody(bytes(text), type)).toMatchObject(expected);
  });

  it('is cut if it is long', async () => {
    const body = await readBody(bytes('x'.repeat(600_000)), 'text/plain');
    expect(body).toMatchObject({ isCut: true, text: 'x'.repeat(500_000) });
  });
});
