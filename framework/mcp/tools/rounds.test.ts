import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { Jwt } from '../../auth/jwt/index.js';
import { legacy, modern, type Sent } from '../../conformance/mcp-client.js';
import { App, FwError } from '../../index.js';
import { RpcRegistry } from '../../rpc/index.js';
import { clientCapabilities, elicitation, requestInput } from '../index.js';
import { META } from '../protocol/messages.js';

const secret = 'a secret of at least 32 bytes, really';
const jwt = Jwt.hs256(secret).expiresIn(60);
const calls: string[] = [];
const text = (name: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});

const rpc = new RpcRegistry()
  .mutation(
    'remove',
    { input: z.object({ id: z.string() }), mcp: { confirm: 'Remove the task?' } },
    ({ id }) => {
      calls.push(id);
      return { removed: id };
    },
  )
  .mutation('order', { input: z.object({ item: z.string() }), mcp: true }, ({ item }, { ctx }) => {
    const { size } = requestInput(ctx, { size: elicitation('Which size?', text('size')) });
    const { color } = requestInput(ctx, { color: elicitation('Which color?', text('color')) });
    return { item, answers: [size, color] };
  })
  .mutation('several', { mcp: true }, (_, { ctx }) =>
    requestInput(ctx, {
      roots: { method: 'roots/list' },
      text: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 10 } },
      page: {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Sign', url: 'https://a.example' },
      },
    }),
  )
  .query('abilities', { mcp: true }, (_, { ctx }) => clientCapabilities(ctx) ?? null)
  .query('ask', { mcp: { prompt: true } }, (_, { ctx }) => {
    const { about } = requestInput(ctx, { about: elicitation('About what?', text('about')) });
    return `Write about ${JSON.stringify(about)}`;
  });
const app = new App()
  .use(Jwt.hs256(secret).optional().build())
  .mountMcp('/mcp', rpc, { stateSecret: 'x'.repeat(32) })
  .mountRpc('/rpc', rpc);

const able = { meta: { [META.capabilities]: { elicitation: { form: {} } } } };
const accepted = (content: object) => ({ action: 'accept', content });

async function call(name: string, input: object, more: object = {}, options: object = able): Promise<Sent> {
  return await modern(app, 'tools/call', { name, arguments: input, ...more }, options);
}

afterEach(() => {
  vi.useRealTimers();
  calls.length = 0;
});

it('asks before it runs', async () => {
  const { message } = await call('remove', { id: '1' });
  expect(message.result).toMatchObject({
    resultType: 'input_required',
    inputRequests: {
      confirm: { method: 'elicitation/create', params: { mode: 'form', message: 'Remove the task?' } },
    },
    requestState: expect.stringMatching(/^[\w+/=]+\.[\w+/=]+$/),
  });
  expect(calls).toEqual([]);
  const { requestState } = message.result;
  const answer = { requestState, inputResponses: { confirm: accepted({ confirm: true }), other: 1 } };
  const done = await call('remove', { id: '1' }, answer);
  expect(done.message.result.structuredContent).toEqual({ removed: '1' });
  expect(calls).toEqual(['1']);
});

it.each([
  ['decline', { action: 'decline' }],
  ['cancel', { action: 'cancel' }],
  ['decline with the check', { action: 'decline', content: { confirm: true } }],
  ['cancel with the check', { action: 'cancel', content: { confirm: true } }],
  ['accept without the check', accepted({ confirm: false })],
  ['accept without an answer', { action: 'accept' }],
  ['accept with a text', accepted({ confirm: 'true' })],
])('does not run after %s', async (_, confirm) => {
  const { message } = await call('remove', { id: '1' }, { inputResponses: { confirm } });
  expect(message.result).toMatchObject({
    isError: true,
    content: [{ text: 'The person did not agree that remove runs. Nothing was changed.' }],
  });
  expect(calls).toEqual([]);
});

it.each([7, null, 'accept', [], { action: 'maybe' }, { action: 'accept', content: 7 }])(
  'asks again after the answer %j',
  async (confirm) => {
    const { message } = await call('remove', { id: '1' }, { inputResponses: { confirm } });
    expect(message.result.resultType).toBe('input_required');
    expect(calls).toEqual([]);
  },
);

it('asks one question after the other, and keeps the answers in the state', async () => {
  const first = await call('order', { item: 'shirt' });
  expect(Object.keys(first.message.result.inputRequests)).toEqual(['size']);
  const second = await call(
    'order',
    { item: 'shirt' },
    {
      requestState: first.message.result.requestState,
      inputResponses: { size: accepted({ size: 'M' }) },
    },
  );
  expect(Object.keys(second.message.result.inputRequests)).toEqual(['color']);
  const third = await call(
    'order',
    { item: 'shirt' },
    {
      requestState: second.message.result.requestState,
      inputResponses: { color: accepted({ color: 'red' }) },
    },
  );
  expect(third.message.result.structuredContent).toEqual({
    item: 'shirt',
    answers: [accepted({ size: 'M' }), accepted({ color: 'red' })],
  });
});

it('takes no state that it has not made for this call', async () => {
  const first = await call('order', { item: 'shirt' });
  const state: string = first.message.result.requestState;
  const inputResponses = { size: accepted({ size: 'M' }) };
  const bearer = { headers: { authorization: `Bearer ${jwt.sign({ sub: 'u1' })}` } };
  const [body = '', mac = ''] = state.split('.');
  const forged = btoa(JSON.stringify({ values: { size: 1 }, until: Date.now() + 1000 }));
  const refused: Sent[] = [
    ...(await Promise.all(
      [`${forged}.${mac}`, `${body}.${btoa('x')}`, body, `${state}.x`, '', 'x', 7, {}, null].map(
        (requestState) => call('order', { item: 'shirt' }, { requestState, inputResponses }),
      ),
    )),
    // Another input, another tool, another caller.
    await call('order', { item: 'coat' }, { requestState: state, inputResponses }),
    await call('several', { item: 'shirt' }, { requestState: state, inputResponses }),
    await call('order', { item: 'shirt' }, { requestState: state, inputResponses }, { ...able, ...bearer }),
  ];
  for (const { message } of refused) expect(message.error?.code).toBe(-32602);
  const other = new App().mountMcp(
    '/mcp',
    new RpcRegistry().query('order', { mcp: true }, () => 1),
  );
  const elsewhere = await modern(other, 'tools/call', {
    name: 'order',
    arguments: { item: 'shirt' },
    requestState: state,
  });
  expect(elsewhere.message.error.code).toBe(-32602);
});

it('takes no state after ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { requestState } = (await call('order', { item: 'shirt' })).message.result;
  vi.setSystemTime(Date.now() + 10 * 60_000 - 1);
  const inTime = await call('order', { item: 'shirt' }, { requestState, inputResponses: {} });
  expect(inTime.message.result.resultType).toBe('input_required');
  vi.setSystemTime(Date.now() + 1);
  const late = await call('order', { item: 'shirt' }, { requestState, inputResponses: {} });
  expect(late.message.error.code).toBe(-32602);
});

it('takes no state of another server, if neither has a secret', async () => {
  const ask = async (to: App, more: object = {}) =>
    (await modern(to, 'tools/call', { name: 'order', arguments: { item: 'shirt' }, ...more }, able)).message;
  const [one, other] = [new App().mountMcp('/mcp', rpc), new App().mountMcp('/mcp', rpc)];
  const { requestState } = (await ask(one)).result;
  expect((await ask(other, { requestState })).error.code).toBe(-32602);
  expect((await ask(one, { requestState })).result.resultType).toBe('input_required');
});

it('is answered by another process with the same secret', async () => {
  const again = new App().mountMcp(
    '/mcp',
    new RpcRegistry().mutation(
      'remove',
      { input: z.object({ id: z.string() }), mcp: { confirm: 'Sure?' } },
      () => 'gone',
    ),
    { stateSecret: 'x'.repeat(32) },
  );
  const { requestState } = (await call('remove', { id: '1' })).message.result;
  const params = { name: 'remove', arguments: { id: '1' }, requestState };
  const inputResponses = { confirm: accepted({ confirm: true }) };
  const done = await modern(again, 'tools/call', { ...params, inputResponses }, able);
  expect(done.message.result.content[0].text).toBe('gone');
});

it('lets a newer answer replace one of the state', async () => {
  const first = (await call('order', { item: 'shirt' })).message.result;
  const state = { requestState: first.requestState, inputResponses: { size: accepted({ size: 'M' }) } };
  const second = (await call('order', { item: 'shirt' }, state)).message.result;
  const inputResponses = { size: accepted({ size: 'L' }), color: accepted({ color: 'red' }) };
  const { requestState } = second;
  const third = await call('order', { item: 'shirt' }, { requestState, inputResponses });
  expect(third.message.result.structuredContent.answers[0]).toEqual(accepted({ size: 'L' }));
});

it.each([
  [{}, { elicitation: { form: {} } }, 'remove'],
  [{ elicitation: { url: {} } }, { elicitation: { form: {} } }, 'remove'],
  [{ elicitation: {} }, { roots: {} }, 'several'],
  [{ elicitation: {}, roots: {} }, { sampling: {} }, 'several'],
  [{ elicitation: {}, roots: {}, sampling: {} }, { elicitation: { url: {} } }, 'several'],
])('tells a client with %j that it needs %j', async (capabilities, required, name) => {
  const options = { meta: { [META.capabilities]: capabilities } };
  const { status, message } = await call(name, { id: '1' }, {}, options);
  expect([status, message.error.code]).toEqual([400, -32021]);
  expect(message.error.data).toEqual({ requiredCapabilities: required });
});

it('asks for everything that a client can give', async () => {
  const options = { meta: { [META.capabilities]: { elicitation: { url: {} }, roots: {}, sampling: {} } } };
  const { message } = await call('several', {}, {}, options);
  expect(Object.keys(message.result.inputRequests)).toEqual(['roots', 'text', 'page']);
  const inputResponses = {
    roots: { roots: [] },
    text: { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' },
    page: { action: 'accept' },
  };
  const done = await call(
    'several',
    {},
    { requestState: message.result.requestState, inputResponses },
    options,
  );
  expect(done.message.result.structuredContent).toEqual(inputResponses);
});

it.each([{ form: {} }, { form: {}, url: {} }, {}])(
  'asks a client by a form that says of elicitation %j',
  async (elicitation) => {
    const options = { meta: { [META.capabilities]: { elicitation } } };
    const { message } = await call('remove', { id: '1' }, {}, options);
    expect(message.result.inputRequests.confirm.params).toEqual({
      mode: 'form',
      message: 'Remove the task?',
      requestedSchema: {
        type: 'object',
        properties: { confirm: { type: 'boolean', title: 'Yes, go on', default: false } },
        required: ['confirm'],
      },
    });
  },
);

it('tells a procedure what its client can do', async () => {
  const abilities = async (options: object) =>
    (await call('abilities', {}, {}, options)).message.result.structuredContent;
  expect(await abilities({ meta: { [META.capabilities]: { sampling: {} } } })).toEqual({ sampling: {} });
  expect((await legacy(app, 'tools/call', { name: 'abilities' })).message.result.structuredContent).toEqual(
    {},
  );
  expect(await rpc.call('abilities', {}, { ctx: {} as never })).toBeNull();
});

it('refuses to run for clients of earlier revisions', async () => {
  const { message } = await legacy(app, 'tools/call', { name: 'remove', arguments: { id: '1' } });
  expect(message.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('2026-07-28') }],
  });
  expect(calls).toEqual([]);
});

it('asks for a prompt too', async () => {
  const first = await modern(app, 'prompts/get', { name: 'ask' }, able);
  expect(first.message.result.resultType).toBe('input_required');
  const { requestState } = first.message.result;
  const inputResponses = { about: accepted({ about: 'rain' }) };
  const done = await modern(app, 'prompts/get', { name: 'ask', requestState, inputResponses }, able);
  expect(done.message.result.messages[0].content.text).toContain('rain');
  const old = await legacy(app, 'prompts/get', { name: 'ask' });
  expect(old.message.error.message).toContain('2026-07-28');
});

it('is refused with 428 over RPC', async () => {
  const response = await app.fetch(
    new Request('http://localhost/rpc', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"several"}',
    }),
  );
  expect(await response.json()).toMatchObject({ error: { code: -32028, data: { status: 428 } } });
  expect(() => requestInput({} as never, {})).toThrow(FwError);
});
