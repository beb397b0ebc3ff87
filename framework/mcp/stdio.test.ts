import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { Jwt } from '../auth/jwt/index.js';
import type { TrialMessage } from '../conformance/mcp-client.js';
import { App } from '../index.js';
import { RpcRegistry } from '../rpc/index.js';
import { type McpStdioOptions, reportProgress, serveMcpStdio } from './index.js';
import { META, MODERN } from './protocol/messages.js';

let isAborted = false;
const rpc = new RpcRegistry()
  .query('greet', { input: z.object({ name: z.string() }), mcp: true }, ({ name }) => `hello ${name}`)
  .query('wait', { mcp: true }, (_, { signal }) => {
    return new Promise((resolve) => {
      if (signal.aborted) resolve('late');
      signal.addEventListener('abort', () => {
        isAborted = true;
        resolve('late');
      });
    });
  })
  .query('work', { mcp: true }, async (_, { ctx }) => {
    reportProgress(ctx, { progress: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    return 'done';
  });
const app = new App().mountMcp('/mcp', rpc);
const _meta = { [META.version]: MODERN, [META.capabilities]: {} };

interface Session {
  send(message: unknown): void;
  /** The next line of output. */
  next(): Promise<TrialMessage>;
  end(): Promise<void>;
  /** What is written because the input has ended. */
  rest(): Promise<TrialMessage[]>;
}

function started(options: McpStdioOptions = {}, server: App = app, path = '/mcp'): Session {
  const input = new TransformStream<string, string>(undefined, undefined, { highWaterMark: 100 });
  const writer = input.writable.getWriter();
  const lines: string[] = [];
  let wake = (): void => {};
  const ended = serveMcpStdio(server, path, {
    ...options,
    input: input.readable as unknown as AsyncIterable<string>,
    write(line) {
      expect(line).toMatch(/^[^\n]+\n$/);
      lines.push(line);
      wake();
    },
  });
  return {
    send: (message) =>
      void writer.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`),
    async next() {
      while (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return JSON.parse(lines.shift() as string);
    },
    async end() {
      await writer.close();
      await ended;
      expect(lines).toEqual([]);
    },
    async rest() {
      await writer.close();
      await ended;
      return lines.map((line) => JSON.parse(line));
    },
  };
}

const request = (id: unknown, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

it('answers both revisions', async () => {
  const session = started();
  session.send(request(1, 'tools/call', { name: 'greet', arguments: { name: 'Ada' }, _meta }));
  expect(await session.next()).toMatchObject({ id: 1, result: { structuredContent: 'hello Ada' } });
  session.send(request('a', 'initialize', { protocolVersion: '2025-06-18' }));
  expect(await session.next()).toMatchObject({ id: 'a', result: { protocolVersion: '2025-06-18' } });
  session.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  session.send(request(2, 'tools/call', { name: 'greet', arguments: { name: 'é\n€' } }));
  expect(await session.next()).toMatchObject({ id: 2, result: { content: [{ text: 'hello é\n€' }] } });
  await session.end();
});

it('answers what comes in pieces, and several on one line chunk', async () => {
  const session = started();
  const line = `${JSON.stringify(request(1, 'ping'))}\n`;
  session.send(line.slice(0, 10));
  session.send(line.slice(10));
  expect(await session.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  session.send(`\r\n \n${JSON.stringify(request(2, 'ping'))}\r\n${JSON.stringify(request(3, 'ping'))}\n`);
  expect([(await session.next()).id, (await session.next()).id].sort()).toEqual([2, 3]);
  // The last line needs no end, and is answered.
  session.send(JSON.stringify(request(4, 'ping')));
  const ended = session.end();
  expect((await session.next()).id).toBe(4);
  await ended;
});

it('tells how far a call is', async () => {
  const session = started();
  session.send(request(1, 'tools/call', { name: 'work', _meta: { ..._meta, progressToken: 't' } }));
  expect(await session.next()).toMatchObject({
    method: 'notifications/progress',
    params: { progressToken: 't' },
  });
  expect(await session.next()).toMatchObject({ id: 1, result: { structuredContent: 'done' } });
  await session.end();
});

it('cancels a call, which then has no answer', async () => {
  const session = started();
  session.send(request(1, 'tools/call', { name: 'wait', _meta }));
  session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
  session.send({ jsonrpc: '2.0', method: 'notifications/cancelled' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isAborted).toBe(false);
  session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await expect.poll(() => isAborted).toBe(true);
  session.send(request(2, 'ping'));
  expect(await session.next()).toMatchObject({ id: 2 });
  await session.end();
});

it('has no answer for a call that is cancelled, also if what answers rejects then', async () => {
  const rejecting = (request: Request) =>
    new Promise<Response>((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
    });
  const lines: string[] = [];
  async function* input() {
    yield `${JSON.stringify(request(1, 'tools/call', { name: 'wait', _meta }))}\n`;
    const params = { requestId: 1 };
    yield `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })}\n`;
  }
  await serveMcpStdio({ fetch: rejecting }, '/mcp', { input: input(), write: (line) => lines.push(line) });
  expect(lines).toEqual([]);
});

const unanswered = [
  {
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32603, message: expect.stringMatching(/^the input ended before this call was answered/) },
  },
];

it('answers no response, whose id may be that of a call', async () => {
  const session = started();
  session.send({ jsonrpc: '2.0', id: 1, result: {} });
  session.send({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'm' } });
  session.send(request(1, 'ping'));
  expect(await session.next()).toMatchObject({ id: 1, result: {} });
  await session.end();
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const body = '{"jsonrpc":"2.0","id":1,"result":{}}';
  const response = await app.fetch(new Request('http://x/mcp', { ...post, body }));
  expect([response.status, await response.json()]).toMatchObject([400, { id: null }]);
});

it('ends calls when its input ends', async () => {
  isAborted = false;
  const session = started();
  session.send(request(1, 'tools/call', { name: 'wait', _meta }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await session.rest()).toEqual(unanswered);
  expect(isAborted).toBe(true);
});

it.each([
  ['{', -32700],
  ['[]', -32600],
  ['7', -32600],
  ['x'.repeat(200), -32600],
])('answers the line %s by the error %i, and goes on', async (line, code) => {
  const session = started({ maxLine: 100 });
  session.send(`${line}\n`);
  expect((await session.next()).error.code).toBe(code);
  session.send(request(1, 'ping'));
  expect(await session.next()).toMatchObject({ id: 1, result: {} });
  await session.end();
});

it('drops a line without an end instead of keeping it', async () => {
  const session = started({ maxLine: 100 });
  for (let n = 0; n < 50; n++) session.send('x'.repeat(90));
  session.send('\n');
  expect((await session.next()).error.message).toBe('a line has more than 100 characters');
  await session.end();
});

it('sends header fields, and tells a refusal', async () => {
  const secret = 'a secret of at least 32 bytes, really';
  const closed = new App().use(Jwt.hs256(secret).build()).mountMcp('/mcp', rpc);
  const refused = started({}, closed);
  refused.send(request(1, 'tools/list', { _meta }));
  expect((await refused.next()).error).toEqual({ code: -32603, message: '401: authentication is required' });
  await refused.end();
  const token = Jwt.hs256(secret).expiresIn(60).sign({ sub: 'u1' });
  const session = started({ headers: { Authorization: `Bearer ${token}` } }, closed);
  session.send(request(1, 'tools/list', { _meta }));
  expect((await session.next()).result.tools).toHaveLength(3);
  await session.end();
});

it('leaves no timer behind, which would keep the program alive', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const session = started();
  session.send(request(1, 'ping'));
  expect(await session.next()).toMatchObject({ id: 1, result: {} });
  await session.end();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it('does not wait for calls that are deaf, when its input has ended', async () => {
  const deaf = new App().mountMcp(
    '/mcp',
    new RpcRegistry().query('deaf', { mcp: true }, () => new Promise(() => {})),
  );
  const session = started({}, deaf);
  session.send(request(1, 'tools/call', { name: 'deaf', _meta }));
  expect(await session.rest()).toEqual(unanswered);
});

it('refuses a second call with the id of one that is open', async () => {
  const session = started();
  session.send(request(1, 'tools/call', { name: 'wait', _meta }));
  session.send(request(1, 'ping'));
  expect((await session.next()).error).toMatchObject({ code: -32600 });
  session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await session.end();
});

it('has no more open calls than its limit', async () => {
  const session = started();
  for (let id = 0; id < 1000; id++) session.send(request(id, 'tools/call', { name: 'wait', _meta }));
  session.send(request('more', 'ping'));
  expect(await session.next()).toMatchObject({ id: 'more', error: { code: -32603 } });
  expect(await session.rest()).toHaveLength(1000);
});

it.each([
  [
    'throws',
    () => {
      throw new Error('closed');
    },
  ],
  ['rejects', () => Promise.reject(new Error('closed'))],
])('ends all calls when what gets the output %s', async (_, write) => {
  isAborted = false;
  async function* input() {
    yield `${JSON.stringify(request(1, 'tools/call', { name: 'wait', _meta }))}\n`;
    await new Promise((resolve) => setTimeout(resolve, 20));
    yield `${JSON.stringify(request(2, 'ping'))}\n`;
    await expect.poll(() => isAborted).toBe(true);
  }
  await serveMcpStdio(app, '/mcp', { input: input(), write });
});

it('ends all calls when its input fails', async () => {
  let own: AbortSignal | undefined;
  const waiting = new App().mountMcp(
    '/mcp',
    new RpcRegistry().query('wait', { mcp: true }, (_, { signal }) => {
      own = signal;
      return new Promise((resolve) => signal.addEventListener('abort', resolve));
    }),
  );
  async function* input() {
    yield `${JSON.stringify(request(1, 'tools/call', { name: 'wait', _meta }))}\n`;
    await expect.poll(() => own).toBeDefined();
    throw new Error('the input broke off');
  }
  const lines: string[] = [];
  const served = serveMcpStdio(waiting, '/mcp', { input: input(), write: (line) => lines.push(line) });
  await expect(served).rejects.toThrow('the input broke off');
  await expect.poll(() => own?.aborted).toBe(true);
  expect(lines).toEqual([]);
});

it('waits for a client that reads slowly', async () => {
  let [waiting, most] = [0, 0];
  const many = new App().mountMcp(
    '/mcp',
    new RpcRegistry().query('many', { mcp: true }, async (_, { ctx }) => {
      for (let n = 1; n <= 200; n++) {
        reportProgress(ctx, { progress: n });
        await new Promise((resolve) => setImmediate(resolve));
      }
      return 'done';
    }),
  );
  async function* input() {
    yield `${JSON.stringify(request(1, 'tools/call', { name: 'many', _meta: { ..._meta, progressToken: 1 } }))}\n`;
  }
  const write = async () => {
    waiting += 1;
    most = Math.max(most, waiting);
    await new Promise((resolve) => setTimeout(resolve, 1));
    waiting -= 1;
  };
  await serveMcpStdio(many, '/mcp', { input: input(), write });
  expect(most).toBe(1);
});

it('sends header fields in whatever case', async () => {
  const session = started({ headers: { 'content-type': 'text/plain', 'mcp-protocol-version': '1' } });
  session.send(request(1, 'tools/list', { _meta }));
  expect((await session.next()).result.tools).toHaveLength(3);
  await session.end();
});

it('tells that there is nothing at the path', async () => {
  const session = started({}, app, '/other');
  session.send(request(1, 'tools/list', { _meta }));
  expect((await session.next()).error.message).toMatch(/^404: /);
  await session.end();
});
