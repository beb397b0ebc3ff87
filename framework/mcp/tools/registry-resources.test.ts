import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { legacy, modern } from '../../conformance/mcp-client.js';
import { App, FwError } from '../../index.js';
import { RpcRegistry } from '../../rpc/index.js';
import { toolContent } from '../index.js';
import { META, MODERN } from '../protocol/messages.js';

/** Listeners of changes, which tests call. */
const heard = new Set<(id: string) => void>();

const rpc = new RpcRegistry()
  .query('all', { description: 'All tasks.', mcp: { resource: 'tasks://all', updates: 'changed' } }, () => [
    1,
  ])
  .query(
    'one',
    { input: z.object({ id: z.number() }), mcp: { title: 'A task', resource: 'tasks://{id}/full' } },
    ({ id }) => {
      if (id === 0) throw FwError.notFound('there is no such task');
      if (id < 0) throw new Error('a secret');
      return { id };
    },
  )
  .query('text', { mcp: { resource: 'note://text' } }, () => '7')
  .query('image', { mcp: { resource: 'note://image' } }, () =>
    toolContent([
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'note://other', text: 'x' } },
      { type: 'resource_link', uri: 'note://link', name: 'a link' },
    ]),
  )
  .query('large', { mcp: { resource: 'note://large', maxResultSize: 3 } }, () => 'abcd')
  .query(
    'state',
    {
      input: z.object({ of: z.enum(['open', 'done', 'other']), isNew: z.boolean() }),
      mcp: { resource: 'state://{of}/{isNew}' },
    },
    (input) => input,
  )
  .subscription('changed', async function* (_, { signal }) {
    const waiting: string[] = [];
    let wake = () => {};
    const hear = (id: string) => {
      waiting.push(id);
      wake();
    };
    heard.add(hear);
    signal.addEventListener('abort', () => wake());
    try {
      while (!signal.aborted) {
        const next = waiting.shift();
        if (next === 'end') return;
        if (next === 'break') throw FwError.serviceUnavailable('the database is away');
        if (next !== undefined) yield next;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      heard.delete(hear);
    }
  });
const app = new App().mountMcp('/mcp', rpc, { maxListeners: 2 });

async function read(uri: string) {
  return (await modern(app, 'resources/read', { uri })).message;
}

it('lists resources and templates apart', async () => {
  const { resources, ttlMs } = (await modern(app, 'resources/list')).message.result;
  expect(ttlMs).toBe(60_000);
  expect(resources).toEqual([
    { uri: 'note://image', name: 'image', mimeType: 'application/json' },
    { uri: 'note://large', name: 'large', mimeType: 'application/json' },
    { uri: 'note://text', name: 'text', mimeType: 'application/json' },
    { uri: 'tasks://all', name: 'all', description: 'All tasks.', mimeType: 'application/json' },
  ]);
  const { resourceTemplates } = (await modern(app, 'resources/templates/list')).message.result;
  expect(resourceTemplates).toEqual([
    { uriTemplate: 'state://{of}/{isNew}', name: 'state', mimeType: 'application/json' },
    { uriTemplate: 'tasks://{id}/full', name: 'one', title: 'A task', mimeType: 'application/json' },
  ]);
});

it('reads them, with the values of the URI in the types of the input', async () => {
  expect((await read('tasks://all')).result).toMatchObject({
    contents: [{ uri: 'tasks://all', mimeType: 'application/json', text: '[1]' }],
    ttlMs: 0,
    cacheScope: 'private',
  });
  expect((await read('tasks://7/full')).result.contents[0].text).toBe('{"id":7}');
  expect((await read('state://done/true')).result.contents[0].text).toBe('{"of":"done","isNew":true}');
  expect((await read('note://text')).result.contents).toEqual([
    { uri: 'note://text', mimeType: 'text/plain', text: '7' },
  ]);
  expect((await read('note://image')).result.contents).toEqual([
    { uri: 'note://image', mimeType: 'image/png', blob: 'AAAA' },
    { uri: 'note://other', text: 'x' },
    { uri: 'note://link', mimeType: 'text/plain', text: 'a link' },
  ]);
});

it.each([
  ['nothing://x', -32602, /^Resource not found: "nothing:\/\/x"$/],
  ['tasks://', -32602, /not found/],
  ['tasks://%/full', -32602, /not found/],
  ['tasks://7/8/full', -32602, /not found/],
  ['tasks://x/full', -32602, /^Invalid input: id/],
  ['tasks://0/full', -32602, /^there is no such task$/],
  ['tasks://-1/full', -32603, /^Internal error$/],
  ['note://large', -32602, /^The result has 4 bytes/],
])('answers %s by the error %i', async (uri, code, why) => {
  const { error } = await read(uri);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(why);
});

it('has another code for earlier revisions', async () => {
  const { message } = await legacy(app, 'resources/read', { uri: 'nothing://x' });
  expect(message.error).toMatchObject({ code: -32002, data: { uri: 'nothing://x' } });
  expect((await modern(app, 'resources/read', { uri: 7 })).message.error.code).toBe(-32602);
});

it('completes arguments from their types', async () => {
  const complete = async (uri: string, name: string, value: string) =>
    (
      await modern(app, 'completion/complete', {
        ref: { type: 'ref/resource', uri },
        argument: { name, value },
      })
    ).message;
  expect((await complete('state://{of}/{isNew}', 'of', 'o')).result.completion).toEqual({
    values: ['open', 'other'],
    total: 2,
    hasMore: false,
  });
  expect((await complete('state://{of}/{isNew}', 'isNew', 't')).result.completion.values).toEqual(['true']);
  expect((await complete('tasks://{id}/full', 'id', '')).result.completion.values).toEqual([]);
  expect((await complete('tasks://{id}/full', 'nothing', '')).result.completion.values).toEqual([]);
  expect((await complete('nothing://{x}', 'x', '')).error.code).toBe(-32602);
  expect((await modern(app, 'completion/complete', { ref: 1 })).message.error.code).toBe(-32602);
});

it('completes with a hundred values at the most, and says that there are more', async () => {
  const complete = async (count: number) => {
    const values = Array.from({ length: count }, (_, number) => `v${number}`) as [string, ...string[]];
    const many = new RpcRegistry().query(
      'many',
      { input: z.object({ of: z.enum(values) }), mcp: { resource: 'many://{of}' } },
      ({ of }) => of,
    );
    const ref = { type: 'ref/resource', uri: 'many://{of}' };
    const params = { ref, argument: { name: 'of', value: 'v' } };
    const { message } = await modern(new App().mountMcp('/mcp', many), 'completion/complete', params);
    const { completion } = message.result;
    return [completion.values.length, completion.total, completion.hasMore];
  };
  expect(await complete(100)).toEqual([100, 100, false]);
  expect(await complete(101)).toEqual([100, 101, true]);
});

interface Listening {
  next(): Promise<Record<string, unknown> | undefined>;
  leave(): void;
}

function asking(notifications: unknown, signal: AbortSignal): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    signal,
    headers: {
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': MODERN,
      'Mcp-Method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'sub',
      method: 'subscriptions/listen',
      params: { notifications, _meta: { [META.version]: MODERN, [META.capabilities]: {} } },
    }),
  });
}

async function listen(notifications: unknown, to: App = app): Promise<Listening> {
  const controller = new AbortController();
  const response = await to.fetch(asking(notifications, controller.signal));
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const [event, ...others] = text.split('\n\n');
        if (others.length > 0) {
          text = others.join('\n\n');
          const data = (event ?? '').split('\n').find((line) => line.startsWith('data: '));
          if (data !== undefined) return JSON.parse(data.slice(6));
          continue;
        }
        const { done, value } = await reader.read();
        if (done) return text === '' ? undefined : JSON.parse(text);
        text += new TextDecoder().decode(value);
      }
    },
    leave() {
      controller.abort();
      reader.cancel().catch(() => {});
    },
  };
}

const tell = (id: string) => {
  for (const hear of heard) hear(id);
};

it('tells the changes of resources to those who listen, and no others', async () => {
  const uris = ['tasks://all', 'note://text', 'nothing://x'];
  const client = await listen({ resourceSubscriptions: uris, toolsListChanged: true });
  const _meta = { [META.subscription]: 'sub' };
  expect(await client.next()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta, notifications: { resourceSubscriptions: ['tasks://all'] } },
  });
  tell('1');
  const updated = {
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { _meta, uri: 'tasks://all' },
  };
  expect(await client.next()).toEqual(updated);
  // What nobody has read yet is told once.
  for (let n = 0; n < 1000; n++) tell('2');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await client.next()).toEqual(updated);
  tell('end');
  expect(await client.next()).toMatchObject({ id: 'sub', result: { resultType: 'complete', _meta } });
  expect(await client.next()).toBeUndefined();
  expect(heard.size).toBe(0);
});

it('watches 100 resources of a client at most, each once', async () => {
  const opened: string[] = [];
  const many = new RpcRegistry()
    .query(
      'one',
      { input: z.object({ id: z.string() }), mcp: { resource: 'one://{id}', updates: 'changed' } },
      ({ id }) => id,
    )
    .subscription('changed', { input: z.object({ id: z.string() }) }, async function* ({ id }) {
      opened.push(id);
      yield 1;
    });
  const uris = Array.from({ length: 101 }, (_, id) => `one://${id}`);
  const client = await listen(
    { resourceSubscriptions: ['one://0', ...uris] },
    new App().mountMcp('/mcp', many),
  );
  const told = (await client.next()) as { params: { notifications: { resourceSubscriptions: string[] } } };
  expect(told.params.notifications.resourceSubscriptions).toEqual(uris.slice(0, 100));
  await client.next();
  expect(opened).toHaveLength(100);
  client.leave();
});

it('ends its subscription when a client leaves', async () => {
  const client = await listen({ resourceSubscriptions: ['tasks://all'] });
  await client.next();
  expect(heard.size).toBe(1);
  client.leave();
  await expect.poll(() => heard.size).toBe(0);
});

it('answers a subscription that fails with its error', async () => {
  const client = await listen({ resourceSubscriptions: ['tasks://all'] });
  await client.next();
  tell('break');
  expect(await client.next()).toMatchObject({
    id: 'sub',
    error: { code: -32053, message: 'the database is away' },
  });
});

it('ends what it has begun if another subscription cannot be opened, and has room for the next client', async () => {
  const followed = new Set<AbortSignal>();
  const own = new RpcRegistry()
    .query('good', { mcp: { resource: 'good://x', updates: 'follows' } }, () => 1)
    .query('bad', { mcp: { resource: 'bad://x', updates: 'fails' } }, () => 1)
    .subscription('follows', (_, { signal }) => {
      followed.add(signal);
      signal.addEventListener('abort', () => followed.delete(signal));
      return new ReadableStream<number>() as AsyncIterable<number>;
    })
    .subscription('fails', (): AsyncIterable<number> => {
      throw FwError.serviceUnavailable('the database is away');
    });
  const single = new App().mountMcp('/mcp', own, { maxListeners: 1 });
  for (let times = 0; times < 2; times++) {
    const refused = await listen({ resourceSubscriptions: ['good://x', 'bad://x'] }, single);
    expect(await refused.next()).toMatchObject({ error: { message: 'the database is away' } });
    await expect.poll(() => followed.size).toBe(0);
  }
  const client = await listen({ resourceSubscriptions: ['good://x'] }, single);
  expect(await client.next()).toMatchObject({
    params: { notifications: { resourceSubscriptions: ['good://x'] } },
  });
  expect(followed.size).toBe(1);
  client.leave();
  await expect.poll(() => followed.size).toBe(0);
});

it('has room for the next client if one leaves while its subscription is being opened', async () => {
  const gates: (() => void)[] = [];
  const own = new RpcRegistry()
    .query('slow', { mcp: { resource: 'slow://x', updates: 'opens' } }, () => 1)
    .subscription('opens', (async () => {
      await new Promise<void>((resolve) => gates.push(resolve));
      return new ReadableStream<number>();
    }) as never);
  const single = new App().mountMcp('/mcp', own, { maxListeners: 1 });
  const controller = new AbortController();
  const left = single
    .fetch(asking({ resourceSubscriptions: ['slow://x'] }, controller.signal))
    .catch(() => undefined);
  await expect.poll(() => gates).toHaveLength(1);
  controller.abort();
  gates[0]?.();
  await left;
  const next = listen({ resourceSubscriptions: ['slow://x'] }, single);
  await expect.poll(() => gates).toHaveLength(2);
  gates[1]?.();
  const client = await next;
  expect(await client.next()).toMatchObject({
    params: { notifications: { resourceSubscriptions: ['slow://x'] } },
  });
  client.leave();
});

it('lets no more listen than its limit', async () => {
  const clients = [
    await listen({ resourceSubscriptions: ['tasks://all'] }),
    await listen({ resourceSubscriptions: ['tasks://all'] }),
  ];
  const third = await listen({ resourceSubscriptions: ['tasks://all'] });
  expect(await third.next()).toMatchObject({
    error: { code: -32603, message: expect.stringContaining('2 clients') },
  });
  for (const client of clients) client.leave();
  await expect.poll(() => heard.size).toBe(0);
  const again = await listen({ resourceSubscriptions: ['tasks://all'] });
  expect(await again.next()).toMatchObject({
    params: { notifications: { resourceSubscriptions: ['tasks://all'] } },
  });
  again.leave();
});

it.each([undefined, 7, { resourceSubscriptions: 'x' }, { resourceSubscriptions: [7] }])(
  'refuses the filter %j',
  async (notifications) => {
    const { message } = await modern(app, 'subscriptions/listen', { notifications });
    expect(message.error.code).toBe(-32602);
  },
);

it('ends at once if there is nothing to hear', async () => {
  const { messages } = await modern(app, 'subscriptions/listen', { notifications: {} });
  expect(messages.map(({ method, result }) => method ?? result.resultType)).toEqual([
    'notifications/subscriptions/acknowledged',
    'complete',
  ]);
});

it('needs a client that takes streams to listen', async () => {
  const options = { headers: { Accept: 'application/json' } };
  const sent = await modern(app, 'subscriptions/listen', { notifications: {} }, options);
  expect(sent.status).toBe(406);
});

describe('one who asks to listen and does not', () => {
  const uris = { resourceSubscriptions: ['tasks://all'] };

  it('has nothing watched for it, if it takes no streams', async () => {
    const options = { headers: { Accept: 'application/json' } };
    for (let times = 0; times < 3; times++) {
      const { status } = await modern(app, 'subscriptions/listen', { notifications: uris }, options);
      expect(status).toBe(406);
    }
    expect(heard.size).toBe(0);
  });

  it('makes room for others, if middleware answers instead', async () => {
    const answering = new App().use(async (ctx, next) => {
      await next();
      return ctx.text('closed', 503);
    });
    answering.mountMcp('/mcp', rpc, { maxListeners: 1 });
    for (let times = 0; times < 3; times++) {
      const { signal } = new AbortController();
      expect(await (await answering.fetch(asking(uris, signal))).text()).toBe('closed');
      await expect.poll(() => heard.size).toBe(0);
    }
  });
});

describe('an error whose data JSON cannot represent', () => {
  const errors = { wrong: z.object({ n: z.bigint() }) };
  const own = new RpcRegistry()
    .query('all', { errors, mcp: { resource: 'tasks://all', updates: 'changed' } }, (_, call) => {
      throw call.errors.wrong({ n: 1n });
    })
    .subscription('changed', { errors }, async function* (_, call) {
      yield 1;
      throw call.errors.wrong({ n: 1n });
    });
  const failing = new App().mountMcp('/mcp', own);
  const internal = { code: -32603, message: 'Internal error' };

  it('is an internal one, of a resource and of its changes', async () => {
    expect((await modern(failing, 'resources/read', { uri: 'tasks://all' })).message.error).toEqual(internal);
    expect((await modern(failing, 'tools/call', { name: 'all' })).message.result).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: 'Internal error' }],
      isError: true,
      _meta: expect.anything(),
    });
    const client = await listen({ resourceSubscriptions: ['tasks://all'] }, failing);
    await client.next();
    let last = await client.next();
    while (last?.method !== undefined) last = await client.next();
    expect(last?.error).toEqual(internal);
  });
});

it('does not start if what a resource names as its updates is not a subscription', async () => {
  const wrong = new RpcRegistry().query('a', { mcp: { resource: 'a://b', updates: 'nothing' } }, () => 1);
  await expect(new App().mountMcp('/mcp', wrong).listen(0)).rejects.toThrow(/updates names 'nothing'/);
});
