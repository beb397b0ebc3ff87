import diagnostics from 'node:diagnostics_channel';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { AnnouncedApp } from '../app/app-channel.js';
import type { AppDescription } from '../app/description/app-description.js';
import { legacy, modern, post } from '../conformance/mcp-client.js';
import { App, FwError, toNodeHandler } from '../index.js';
import { JsonRpcError, openApiFromApp, RpcRegistry } from '../rpc/index.js';
import { mcpHandler, toolContent } from './index.js';
import { META, MODERN } from './protocol/messages.js';

const Task = z.object({ id: z.string(), title: z.string() });

function registry(): RpcRegistry {
  return new RpcRegistry()
    .query('tasks.list', { description: 'All tasks.', output: z.array(Task), mcp: true }, () => [
      { id: '1', title: 'Write' },
    ])
    .query('tasks.get', { input: z.object({ id: z.string() }), mcp: { title: 'One task' } }, ({ id }) => ({
      id,
      title: 'Write',
    }))
    .mutation(
      'tasks.finish',
      {
        input: z.object({ id: z.string() }),
        errors: { noTask: { data: z.object({ id: z.string() }), message: 'there is no such task' } },
        mcp: { destructive: false, idempotent: true, openWorld: false, description: 'Finishes a task.' },
      },
      ({ id }, { errors }) => {
        if (id === 'none') throw errors.noTask({ id });
        if (id === 'conflict') throw FwError.conflict('somebody else has changed it');
        if (id === 'broken') throw new Error('the password of the database is 1234');
      },
    )
    .query('say', { mcp: true, deprecated: 'use write' }, () => 'good morning')
    .query('picture', { mcp: true }, () =>
      toolContent([{ type: 'image', data: 'AAAA', mimeType: 'image/png' }]),
    )
    .query('inner', () => 'not a tool');
}

const options = { name: 'tasks', version: '2.0.0', title: 'Tasks', instructions: 'List before you finish.' };
const app = new App().mountMcp('/mcp', registry(), options);
const server = { name: 'tasks', version: '2.0.0', title: 'Tasks' };

it('tells what it is', async () => {
  const { status, message } = await modern(app, 'server/discover');
  expect(status).toBe(200);
  expect(message).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: {
      resultType: 'complete',
      supportedVersions: [MODERN],
      capabilities: { tools: {} },
      instructions: 'List before you finish.',
      ttlMs: 60_000,
      cacheScope: 'private',
      _meta: { [META.server]: server },
    },
  });
});

it('lists the procedures that are tools, in a fixed order, with their types', async () => {
  const { message } = await modern(app, 'tools/list');
  const { tools, ttlMs, cacheScope } = message.result;
  expect([ttlMs, cacheScope]).toEqual([60_000, 'private']);
  expect(tools.map(({ name }: { name: string }) => name)).toEqual([
    'picture',
    'say',
    'tasks_finish',
    'tasks_get',
    'tasks_list',
  ]);
  const id = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  expect(tools[2]).toEqual({
    name: 'tasks_finish',
    description: 'Finishes a task.',
    inputSchema: id,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  });
  expect(tools[3]).toMatchObject({ title: 'One task', inputSchema: id, annotations: { readOnlyHint: true } });
  expect(tools[4]).toMatchObject({
    description: 'All tasks.',
    outputSchema: {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id', 'title'] },
    },
  });
  expect(tools[1].description).toBe('Deprecated: use write');
});

it('repeats no id of a response, which is one of the server', async () => {
  const { status, message } = await post(app, { jsonrpc: '2.0', id: 7, result: {} });
  expect([status, message.id, message.error.code]).toEqual([400, null, -32600]);
});

it('lists pages', async () => {
  const paged = new App().mountMcp('/mcp', registry(), { pageSize: 2, listTtl: 0 });
  const names: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 3; page++) {
    const { message } = await modern(paged, 'tools/list', cursor === undefined ? {} : { cursor });
    expect(message.result.ttlMs).toBe(0);
    names.push(...message.result.tools.map(({ name }: { name: string }) => name));
    cursor = message.result.nextCursor;
    expect(cursor === undefined).toBe(page === 2);
  }
  expect(names).toEqual(['picture', 'say', 'tasks_finish', 'tasks_get', 'tasks_list']);
  const whole = await modern(new App().mountMcp('/mcp', registry(), { pageSize: 5 }), 'tools/list');
  expect(whole.message.result.tools).toHaveLength(5);
  expect('nextCursor' in whole.message.result).toBe(false);
  for (const wrong of ['', '%', 7]) {
    const { message } = await modern(paged, 'tools/list', { cursor: wrong });
    expect(message.error.code).toBe(-32602);
  }
});

it.each([
  ['tasks_list', undefined, '[{"id":"1","title":"Write"}]', [{ id: '1', title: 'Write' }]],
  ['tasks_get', { id: '7' }, '{"id":"7","title":"Write"}', { id: '7', title: 'Write' }],
  ['tasks_finish', { id: '7' }, 'null', null],
  ['say', {}, 'good morning', 'good morning'],
])('calls %s', async (name, input, text, value) => {
  const { status, message } = await modern(app, 'tools/call', { name, ...(input && { arguments: input }) });
  expect(status).toBe(200);
  expect(message.result).toEqual({
    resultType: 'complete',
    content: [{ type: 'text', text }],
    structuredContent: value,
    _meta: { [META.server]: server },
  });
});

it('gives content as it is', async () => {
  const { message } = await modern(app, 'tools/call', { name: 'picture' });
  expect(message.result.content).toEqual([{ type: 'image', data: 'AAAA', mimeType: 'image/png' }]);
  expect(message.result).not.toHaveProperty('structuredContent');
  expect(() => toolContent('text' as never)).toThrow('toolContent() takes a list of blocks');
});

it.each([
  ['a declared error', { id: 'none' }, 'noTask: there is no such task\n{"code":-32000,"data":{"id":"none"}}'],
  ['another error', { id: 'conflict' }, /^somebody else has changed it\n.*"status":409/],
  ['a wrong input', { id: 7 }, /^Invalid input: id: .*\n.*"path":\["id"\]/],
  ['no input', {}, /^Invalid input: id/],
])('gives the model %s', async (_, input, text) => {
  const { status, message } = await modern(app, 'tools/call', { name: 'tasks_finish', arguments: input });
  expect(status).toBe(200);
  expect(message.result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  expect(message.result).not.toHaveProperty('structuredContent');
  if (typeof text === 'string') expect(message.result.content[0].text).toBe(text);
  else expect(message.result.content[0].text).toMatch(text);
});

it('survives whatever is thrown and returned', async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const values: Record<string, () => unknown> = {
    nothing: () => undefined,
    notANumber: () => Number.NaN,
    big: () => 1n,
    map: () => new Map(),
    circular: () => circular,
    response: () => new Response('x'),
    symbol: () => Symbol('x'),
    null: () => {
      throw null;
    },
    proxy: () => {
      throw proxy;
    },
    data: () => {
      throw new JsonRpcError(4000, 'told', { big: 1n });
    },
  };
  const rpc = new RpcRegistry();
  for (const [name, value] of Object.entries(values)) rpc.query(name, { mcp: true }, value as never);
  const odd = new App().mountMcp('/mcp', rpc);
  const texts: Record<string, string> = {};
  for (const name of Object.keys(values)) {
    const { status, message } = await modern(odd, 'tools/call', { name });
    expect([name, status]).toEqual([name, 200]);
    texts[name] = message.result.content[0].text;
  }
  const internal = 'Internal error';
  expect(texts).toEqual({
    nothing: 'null',
    notANumber: 'null',
    big: internal,
    map: internal,
    circular: internal,
    response: internal,
    symbol: internal,
    null: internal,
    proxy: internal,
    data: internal,
  });
});

it('repeats no long ids', async () => {
  const longest = 'x'.repeat(1000);
  const taken = await post(app, { jsonrpc: '2.0', id: longest, method: 'ping' });
  expect(taken.message).toEqual({ jsonrpc: '2.0', id: longest, result: {} });
  const long = 'x'.repeat(1001);
  const { status, message } = await post(app, { jsonrpc: '2.0', id: long, method: 'ping' });
  expect([status, message.error.code]).toEqual([400, -32600]);
  const sent = await modern(app, 'tools/call', { name: 'say' }, { meta: { progressToken: long } });
  expect(sent.messages).toHaveLength(1);
});

it('tells nobody an unexpected error', async () => {
  const { message } = await modern(app, 'tools/call', { name: 'tasks_finish', arguments: { id: 'broken' } });
  expect(message.result).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: 'Internal error' }],
  });
});

it.each([
  ['inner', {}],
  ['tasks.list', {}],
  ['x'.repeat(500), {}],
])('knows no tool %s', async (name, input) => {
  const { message } = await modern(app, 'tools/call', { name, arguments: input });
  expect(message.error.code).toBe(-32602);
  expect(message.error.message.length).toBeLessThan(200);
});

it.each([
  [{ name: 7 }, /'name'/],
  [{ name: 'say', arguments: [] }, /'arguments'/],
  [{ name: 'say', arguments: null }, /'arguments'/],
])('refuses the params %j', async (params, why) => {
  const { status, message } = await modern(app, 'tools/call', params);
  expect([status, message.error.code]).toEqual([200, -32602]);
  expect(message.error.message).toMatch(why);
});

it('answers the handshake of earlier revisions', async () => {
  for (const [asked, got] of [
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ]) {
    const { message } = await legacy(app, 'initialize', { protocolVersion: asked, capabilities: {} });
    expect(message.result).toEqual({
      protocolVersion: got,
      capabilities: { tools: {} },
      serverInfo: server,
      instructions: 'List before you finish.',
    });
  }
  expect((await legacy(app, 'ping')).message.result).toEqual({});
  const told = await post(app, { jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([told.status, told.messages]).toEqual([202, []]);
});

it('gives earlier revisions objects alone as structured content', async () => {
  const headers = { 'MCP-Protocol-Version': '2025-11-25' };
  const list = await legacy(app, 'tools/call', { name: 'tasks_list' }, { headers });
  expect(list.message.result).toEqual({ content: [{ type: 'text', text: '[{"id":"1","title":"Write"}]' }] });
  const one = await legacy(app, 'tools/call', { name: 'tasks_get', arguments: { id: '7' } }, { headers });
  expect(one.message.result.structuredContent).toEqual({ id: '7', title: 'Write' });
  const { tools } = (await legacy(app, 'tools/list', {}, { headers })).message.result;
  expect(tools.find(({ name }: { name: string }) => name === 'tasks_list')).not.toHaveProperty(
    'outputSchema',
  );
});

it.each([
  ['not JSON', '{', -32700],
  ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], -32600],
  ['no JSON-RPC', { id: 1, method: 'ping' }, -32600],
  ['no method', { jsonrpc: '2.0', id: 1 }, -32600],
  ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, -32600],
  ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, -32600],
  ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
  ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32600],
  ['a number', 7, -32600],
])('refuses %s', async (_, body, code) => {
  const { status, message } = await post(app, body);
  expect([status, message.error.code]).toEqual([400, code]);
});

it('names the message that it refuses', async () => {
  expect((await post(app, { jsonrpc: '2.0', id: 'x', method: 7 })).message.id).toBe('x');
  expect((await post(app, { jsonrpc: '2.0', id: { a: 1 }, method: 7 })).message.id).toBeNull();
});

it('takes neither deep nor long messages', async () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  const nested = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tasks_get","arguments":{"id":${deep}}}}`;
  expect((await post(app, nested)).message).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: {
      code: -32600,
      message: 'Invalid request: a message is not nested more than 1,000 levels deep',
    },
  });
  const small = new App().mountMcp('/mcp', registry(), { maxBodySize: 100 });
  const long = await post(small, {
    jsonrpc: '2.0',
    id: 1,
    method: 'ping',
    params: { text: 'x'.repeat(100) },
  });
  expect(long.status).toBe(413);
  const streamed = await small.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: new ReadableStream({
        pull(controller) {
          controller.enqueue(new TextEncoder().encode('x'.repeat(60)));
        },
      }),
      duplex: 'half',
    } as RequestInit),
  );
  expect(streamed.status).toBe(413);
});

it.each([
  ['MCP-Protocol-Version', { 'MCP-Protocol-Version': '2025-11-25' }],
  ['Mcp-Method', { 'Mcp-Method': 'tools/list' }],
  ['Mcp-Name', { 'Mcp-Name': 'say' }],
  ['Mcp-Name in malformed base64', { 'Mcp-Name': '=?base64?!?=' }],
  ['Mcp-Name in bytes that are not UTF-8', { 'Mcp-Name': '=?base64?/w==?=' }],
])('refuses a header field %s that contradicts the body', async (_, headers) => {
  const { status, message } = await modern(app, 'tools/call', { name: 'tasks_list' }, { headers });
  expect([status, message.error.code]).toEqual([400, -32020]);
});

it('refuses a request without the header fields, but no notification', async () => {
  const _meta = { [META.version]: MODERN, [META.capabilities]: {} };
  const body = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'say', _meta } };
  const fields: Record<string, string> = {};
  for (const [name, value] of [
    ['MCP-Protocol-Version', MODERN],
    ['Mcp-Method', 'tools/call'],
    ['Mcp-Name', '=?base64?c2F5?='],
  ] as const) {
    const { status, message } = await post(app, { ...body, id: 1 }, { headers: fields });
    expect([status, message.error.code, message.error.message.includes(name)]).toEqual([400, -32020, true]);
    fields[name] = value;
  }
  expect((await post(app, { ...body, id: 1 }, { headers: fields })).message.result.content[0].text).toBe(
    'good morning',
  );
  expect((await post(app, body)).status).toBe(202);
});

it.each([
  ['no capabilities', { [META.version]: MODERN }, -32602],
  ['capabilities that are not an object', { [META.version]: MODERN, [META.capabilities]: 1 }, -32602],
  ['a version that is not a text', { [META.version]: 1, [META.capabilities]: {} }, -32602],
  ['another version', { [META.version]: '2099-01-01', [META.capabilities]: {} }, -32022],
  ['an earlier version', { [META.version]: '2025-11-25', [META.capabilities]: {} }, -32022],
])('refuses metadata with %s', async (_, _meta, code) => {
  const headers = { 'MCP-Protocol-Version': String(_meta[META.version]), 'Mcp-Method': 'tools/list' };
  const { status, message } = await post(
    app,
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } },
    { headers },
  );
  expect([status, message.error.code]).toEqual([400, code]);
});

it('refuses the version of a header field that the body does not name, and unknown ones', async () => {
  const send = (version: string, method: string) =>
    post(app, { jsonrpc: '2.0', id: 1, method }, { headers: { 'MCP-Protocol-Version': version } });
  expect((await send(MODERN, 'tools/list')).message.error.code).toBe(-32602);
  expect((await send(MODERN, 'initialize')).message.error.code).toBe(-32020);
  const unknown = await send('2024-01-01', 'tools/list');
  expect([unknown.status, unknown.message.error.code]).toEqual([400, -32022]);
  expect(unknown.message.error.data.supported).toContain('2025-11-25');
});

it.each([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/list',
  'prompts/list',
  'completion/complete',
  'x',
])('does not know the method %s of 2026-07-28', async (method) => {
  const { status, message } = await modern(app, method);
  expect([status, message.error.code]).toEqual([404, -32601]);
});

it.each([
  ['http://evil.example', 'localhost', 403],
  ['http://evil.example', 'evil.example', 403],
  ['http://localhost.evil.example', 'localhost', 403],
  ['null', 'localhost', 403],
  ['', 'localhost', 403],
  ['http://127.0.0.1.evil.example', 'localhost', 403],
  ['http://evil-localhost', 'localhost', 403],
  ['http://localhost:5173', 'localhost.evil.example', 403],
  ['http://localhost:5173', '127.0.0.1.evil.example', 403],
  ['http://localhost:5173', '', 403],
  ['https://agent.example.evil.example', 'api.example', 403],
  ['http://agent.example', 'api.example', 403],
  ['http://localhost:5173', 'evil.example', 403],
  ['http://localhost:5173', 'localhost:3000', 200],
  ['http://127.0.0.1:5173', '127.0.0.1:3000', 200],
  ['http://[::1]:5173', '[::1]:3000', 200],
  ['http://127.10.200.255', '127.0.0.53:80', 200],
  ['https://agent.example', 'api.example', 200],
])('answers a page of %s at %s with %i', async (origin, host, status) => {
  const open = new App().mountMcp('/mcp', registry(), { origins: ['https://agent.example'] });
  const sent = await modern(open, 'tools/list', {}, { headers: { Origin: origin, Host: host } });
  expect(sent.status).toBe(status);
});

it('takes a request without Accept, and none without a media type', async () => {
  const ask = async (headers: Record<string, string>) => {
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    return (await app.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }))).status;
  };
  expect(await ask({ 'Content-Type': 'application/json' })).toBe(200);
  expect(await ask({})).toBe(415);
});

it.each([
  [{ 'Content-Type': 'text/plain' }, 415],
  [{ Accept: 'text/html' }, 406],
  [{ Accept: '*/*' }, 200],
  [{ Accept: 'application/*;q=0.5' }, 200],
  [{ Accept: 'text/event-stream, application/json' }, 200],
])('answers a request with %j by %i', async (headers, status) => {
  expect((await modern(app, 'tools/list', {}, { headers })).status).toBe(status);
});

it('knows no other methods of HTTP', async () => {
  for (const method of ['GET', 'DELETE']) {
    const response = await app.fetch(new Request('http://localhost/mcp', { method }));
    expect([response.status, response.headers.get('Allow')]).toEqual([405, expect.stringContaining('POST')]);
  }
});

it('says by what method messages are sent, also where its handler is registered for others', async () => {
  const handler = mcpHandler(registry(), options);
  const own = new App().post('/mcp', handler).get('/mcp', handler).delete('/mcp', handler);
  expect((await modern(own, 'tools/list')).status).toBe(200);
  for (const method of ['GET', 'DELETE']) {
    const response = await own.fetch(new Request('http://localhost/mcp', { method }));
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST']);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('send messages by POST') },
    });
  }
});

it('is in the list of who may call what', () => {
  expect(String(app.accessList())).toContain('tool  /mcp tasks_finish  anyone');
});

it('is in the documents, with the names of the tools', () => {
  const both = new App().route('/api', new App().mountMcp('/mcp', registry())).mountMcp(
    '/mcp',
    new RpcRegistry().query('a', { mcp: true }, () => 1),
  );
  const { paths } = openApiFromApp(both, { title: 'x', version: '1' }).toJSON();
  expect(paths['/api/mcp']?.post).toMatchObject({
    operationId: 'mcp',
    description: expect.stringContaining('`picture`, `say`, `tasks_finish`, `tasks_get`, `tasks_list`'),
  });
  expect(paths['/mcp']?.post).toMatchObject({
    operationId: 'mcp2',
    description: expect.stringContaining('`a`'),
  });
});

it('is described to tools of development, procedure by procedure', async () => {
  const announced: AnnouncedApp[] = [];
  const hear = (one: unknown) => void announced.push(one as AnnouncedApp);
  diagnostics.subscribe('fw:app', hear);
  toNodeHandler(new App().mountMcp('/mcp', registry()).mountRpc('/rpc', registry()));
  diagnostics.unsubscribe('fw:app', hear);
  const described = (await announced[0]?.describe()) as AppDescription;
  expect(described.routes.map(({ path, handler }) => [path, handler])).toEqual([
    ['/mcp', 'mountMcp'],
    ['/rpc', 'mountRpc'],
  ]);
  const tools = described.procedures.filter(({ protocol }) => protocol === 'mcp');
  expect(tools).toHaveLength(5);
  expect(tools.find(({ name }) => name === 'tasks_get')).toMatchObject({
    kind: 'query',
    path: '/mcp',
    input: expect.stringContaining('id: string'),
    guards: [],
  });
});

it.each([
  [{ pagesize: 1 }, /did you mean 'pageSize'/],
  [{ pageSize: 0 }, /pageSize is 0/],
  [{ origins: ['https://a.example/'] }, /give 'https:\/\/a.example'/],
  [{ stateSecret: 'x'.repeat(31) }, /stateSecret is a string; give a secret of 32 characters/],
  [{ stateSecret: 'short' }, /stateSecret is a string; give a secret of 32 characters/],
])('refuses the options %j', (wrong, why) => {
  expect(() => new App().mountMcp('/mcp', registry(), wrong as object)).toThrow(why);
});

it('takes the shortest secret, and the longest name of a tool', async () => {
  const name = 'a'.repeat(64);
  const rpc = new RpcRegistry().query(name, { mcp: true }, () => 1);
  const sent = await modern(new App().mountMcp('/mcp', rpc, { stateSecret: 'x'.repeat(32) }), 'tools/list');
  expect(sent.message.result.tools.map((one: { name: string }) => one.name)).toEqual([name]);
});

it.each([
  ['nothing', new RpcRegistry().query('a', () => 1), /no procedure of the registry is a tool/],
  [
    'two of one name',
    new RpcRegistry().query('a.b', { mcp: true }, () => 1).query('a_b', { mcp: true }, () => 1),
    /'a.b' and 'a_b' would both be the tool 'a_b'/,
  ],
  [
    'a name that models do not know',
    new RpcRegistry().query('a b', { mcp: true }, () => 1),
    /'a b' cannot be a tool/,
  ],
  [
    'a name that is too long',
    new RpcRegistry().query('a'.repeat(65), { mcp: true }, () => 1),
    /its name must be at most 64 letters/,
  ],
])('does not start with %s', async (_, rpc, why) => {
  await expect(new App().mountMcp('/mcp', rpc).listen(0)).rejects.toThrow(why);
});

it.each([
  [{ mcp: 'yes' }, /mcp is .*give true/],
  [{ mcp: { titel: 'x' } }, /did you mean 'title'/],
  [{ mcp: { destructive: true } }, /'destructive' is for mutations/],
  [{ mcp: { resource: 'tasks' } }, /resource is 'tasks'; give a URI/],
  [{ mcp: { updates: 'changed' } }, /'updates' is for a query with 'resource'/],
])('refuses a query with %j', (given, why) => {
  expect(() => new RpcRegistry().query('a', given as object, () => 1)).toThrow(why);
});

it('makes groups tools, without those that say no', async () => {
  const group = RpcRegistry.group('tasks')
    .mcp()
    .query('list', () => [])
    .query('secret', { mcp: false }, () => [])
    .subscription('changed', async function* () {});
  const merged = new RpcRegistry().query('other', () => 1);
  merged.merge(group);
  const { tools } = (await modern(new App().mountMcp('/mcp', merged), 'tools/list')).message.result;
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['tasks_list']);
});
