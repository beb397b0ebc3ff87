import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { legacy, modern } from '../../conformance/mcp-client.js';
import { App } from '../../index.js';
import { RpcRegistry } from '../../rpc/index.js';
import { reportProgress, requestInput } from '../index.js';
import { META, MODERN } from '../protocol/messages.js';

const progress = { meta: { progressToken: 'p' } };

afterEach(() => {
  vi.useRealTimers();
});

it('ends a call at the end of its time, and tells the procedure', async () => {
  let reason: unknown;
  const rpc = new RpcRegistry()
    .query('hang', { mcp: { timeout: 20 } }, (_, { signal }) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
      });
      return new Promise(() => {});
    })
    .query('deaf', { mcp: true }, () => new Promise(() => {}))
    .subscription('quiet', { mcp: true }, async function* () {
      await new Promise(() => {});
      yield 1;
    });
  const app = new App().mountMcp('/mcp', rpc, { timeout: 30 });
  for (const [name, ms] of [
    ['hang', 20],
    ['deaf', 30],
    ['quiet', 30],
  ] as const) {
    const { message } = await modern(app, 'tools/call', { name });
    expect(message.result).toMatchObject({
      isError: true,
      content: [{ text: `The tool has not answered within ${ms} ms, and was stopped.` }],
    });
  }
  expect(reason).toMatchObject({ name: 'TimeoutError' });
});

it('tells it also who asks for the signal when the time is over', async () => {
  let goOn = (): void => {};
  let reason: unknown;
  const rpc = new RpcRegistry().query('late', { mcp: { timeout: 20 } }, async (_, call) => {
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    reason = call.signal.reason ?? 'it goes on';
  });
  const { message } = await modern(new App().mountMcp('/mcp', rpc), 'tools/call', { name: 'late' });
  expect(message.result.isError).toBe(true);
  goOn();
  await expect.poll(() => reason).toMatchObject({ name: 'TimeoutError' });
});

it('ends a stream that a tool returns when its time is over', async () => {
  let goOn = (): void => {};
  let isEnded = false;
  const rpc = new RpcRegistry().query('late', { mcp: { timeout: 20 } }, async () => {
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    return new ReadableStream({
      cancel() {
        isEnded = true;
      },
    });
  });
  const { message } = await modern(new App().mountMcp('/mcp', rpc), 'tools/call', { name: 'late' });
  expect(message.result.isError).toBe(true);
  goOn();
  await expect.poll(() => isEnded).toBe(true);
});

it('clears the timer of a call that has ended', async () => {
  vi.useFakeTimers();
  const rpc = new RpcRegistry().query('soon', { mcp: true }, async () => 1);
  await modern(new App().mountMcp('/mcp', rpc), 'tools/call', { name: 'soon' });
  expect(vi.getTimerCount()).toBe(0);
});

it('aborts the signal of a call whose client leaves', async () => {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let hasLeft = false;
  const rpc = new RpcRegistry().query('wait', { mcp: true }, (_, { signal }) => {
    begin();
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        hasLeft = true;
        resolve(1);
      });
    });
  });
  const app = new App().mountMcp('/mcp', rpc);
  const controller = new AbortController();
  const sent = modern(app, 'tools/call', { name: 'wait' }, { signal: controller.signal });
  // The Request is refused when it is aborted.
  const settled = sent.then(undefined, () => undefined);
  await begun;
  controller.abort();
  await settled;
  await expect.poll(() => hasLeft).toBe(true);
});

it('gives no result that is larger than its limit', async () => {
  const rpc = new RpcRegistry()
    .query('text', { input: z.object({ n: z.number() }), mcp: { maxResultSize: 12 } }, ({ n }) =>
      'x'.repeat(n),
    )
    .query('wide', { input: z.object({ n: z.number() }), mcp: { maxResultSize: 12 } }, ({ n }) =>
      '€😀'.repeat(n),
    );
  const app = new App().mountMcp('/mcp', rpc);
  const call = async (name: string, n: number) =>
    (await modern(app, 'tools/call', { name, arguments: { n } })).message.result;
  expect((await call('text', 12)).isError).toBeUndefined();
  expect(await call('text', 13)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^The result has 13 bytes, more than the 12 /) }],
  });
  // Seven bytes each.
  expect((await call('wide', 1)).isError).toBeUndefined();
  expect((await call('wide', 2)).content[0].text).toMatch(/^The result has 14 bytes/);
});

it('collects the events of a subscription, and tells each as progress', async () => {
  const rpc = new RpcRegistry().subscription(
    'count',
    { output: z.object({ n: z.number() }), mcp: true },
    async function* () {
      for (let n = 1; n <= 3; n++) {
        yield { n };
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  );
  const app = new App().mountMcp('/mcp', rpc);
  const plain = await modern(app, 'tools/call', { name: 'count' });
  expect(plain.message.result.structuredContent).toEqual({ events: [{ n: 1 }, { n: 2 }, { n: 3 }] });
  const { tools } = (await legacy(app, 'tools/list')).message.result;
  expect(tools[0].outputSchema).toEqual({
    type: 'object',
    properties: {
      events: {
        type: 'array',
        items: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      },
    },
    required: ['events'],
  });
  const { messages, message } = await modern(app, 'tools/call', { name: 'count' }, progress);
  expect(messages[0]).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 'p', progress: 1, message: '{"n":1}' },
  });
  expect(message.result.structuredContent.events).toHaveLength(3);
});

it('waits for no more events than its limit, and ends the subscription', async () => {
  let isEnded = false;
  const rpc = new RpcRegistry().subscription('endless', { mcp: true }, async function* () {
    try {
      for (let n = 0; ; n++) yield n;
    } finally {
      isEnded = true;
    }
  });
  const { message } = await modern(new App().mountMcp('/mcp', rpc, { maxEvents: 2 }), 'tools/call', {
    name: 'endless',
  });
  expect(message.result.structuredContent).toEqual({ events: [0, 1] });
  expect(isEnded).toBe(true);
});

it('tells how far a call is, only if it grows and only to who asks', async () => {
  const rpc = new RpcRegistry().query('work', { mcp: true }, async (_, { ctx }) => {
    for (const at of [1, 1, 0, 2]) {
      reportProgress(ctx, { progress: at, total: 2, message: `step ${at}` });
      await new Promise((resolve) => setImmediate(resolve));
    }
    return 'done';
  });
  const app = new App().mountMcp('/mcp', rpc).mountRpc('/rpc', rpc);
  const { messages } = await modern(app, 'tools/call', { name: 'work' }, progress);
  expect(messages.map(({ params, result }) => params?.message ?? result.content[0].text)).toEqual([
    'step 1',
    'step 2',
    'done',
  ]);
  expect((await modern(app, 'tools/call', { name: 'work' })).messages).toHaveLength(1);
  const noStream = { ...progress, headers: { Accept: 'application/json' } };
  expect((await modern(app, 'tools/call', { name: 'work' }, noStream)).messages).toHaveLength(1);
  const overRpc = await app.fetch(
    new Request('http://localhost/rpc', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"work"}',
    }),
  );
  expect(await overRpc.json()).toMatchObject({ result: 'done' });
});

it('answers a client that takes no stream with the result alone', async () => {
  const rpc = new RpcRegistry().query('counts', { mcp: true }, (_, { ctx }) => {
    reportProgress(ctx, { progress: 1 });
    return 'done';
  });
  const headers = { Accept: 'application/json' };
  const options = { headers, meta: { progressToken: 't' } };
  const sent = await modern(new App().mountMcp('/mcp', rpc), 'tools/call', { name: 'counts' }, options);
  expect([sent.status, sent.messages.length]).toEqual([200, 1]);
  expect(sent.message.result.content[0].text).toBe('done');
});

it('repeats no long token of progress', async () => {
  const rpc = new RpcRegistry().query('counts', { mcp: true }, async (_, { ctx }) => {
    reportProgress(ctx, { progress: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    return 'done';
  });
  const own = new App().mountMcp('/mcp', rpc);
  const sent = async (length: number) =>
    (await modern(own, 'tools/call', { name: 'counts' }, { meta: { progressToken: 'x'.repeat(length) } }))
      .messages.length;
  expect([await sent(1000), await sent(1001)]).toEqual([2, 1]);
});

it('tells the error of a call after its reports also who reads late', async () => {
  let hasFailed = false;
  const rpc = new RpcRegistry().query('asks', { mcp: true }, async (_, { ctx }) => {
    reportProgress(ctx, { progress: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    hasFailed = true;
    return requestInput(ctx, { roots: { method: 'roots/list', params: {} } });
  });
  const meta = { [META.version]: MODERN, [META.capabilities]: {}, progressToken: 'p' };
  const response = await new App().mountMcp('/mcp', rpc).fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'MCP-Protocol-Version': MODERN,
        'Mcp-Method': 'tools/call',
        'Mcp-Name': 'asks',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'asks', _meta: meta },
      }),
    }),
  );
  await expect.poll(() => hasFailed).toBe(true);
  // An error that nobody handles would end the process by now.
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(await response.text()).toMatch(/"progress":1.*"code":-32021/s);
});

it('answers a call that fails before it reports with its status', async () => {
  const rpc = new RpcRegistry().query('a', { mcp: true }, () => 1);
  const sent = await modern(new App().mountMcp('/mcp', rpc), 'tools/call', { name: 'b' }, progress);
  expect([sent.status, sent.message.error.code]).toEqual([200, -32602]);
});
