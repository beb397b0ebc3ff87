import { expect, it } from 'vitest';
import { z } from 'zod';
import { apiKey, StaticKeys } from '../../auth/api-key/index.js';
import { Jwt } from '../../auth/jwt/index.js';
import { modern, type Sent } from '../../conformance/mcp-client.js';
import { App, createMiddleware, FwError, provide, requireScope } from '../../index.js';
import { RpcRegistry } from '../../rpc/index.js';

const secret = 'a secret of at least 32 bytes, really';
const jwt = Jwt.hs256(secret).expiresIn(60);
const store = new StaticKeys().withScopes('machine-key', 'machine', ['write']);
/** Authenticates for the procedures that use it alone. */
const machine = provide({ machine: apiKey({ store }) });
const staff = createMiddleware({ describes: { errors: { 403: 'Staff only.' } } }, async ({ ctx }, next) => {
  if (ctx.req.header('x-staff') === undefined) throw FwError.forbidden('staff only');
  return next();
});

const Tone = z.object({ tone: z.enum(['kind', 'keen']) });

function registry(): RpcRegistry {
  return new RpcRegistry()
    .query('anyone', { mcp: true }, () => 'a')
    .query('byKey', { use: [machine], mcp: true }, () => 'k')
    .query('signedIn', { mcp: true }, (_, { ctx }) => ctx.requireAuth().id)
    .query('writers', { use: [requireScope('write')], mcp: true }, () => 'w')
    .query('staff', { use: [staff], mcp: { resource: 'staff://all', updates: 'changes' } }, () => 's')
    .query('greeting', { input: Tone, use: [staff], mcp: { prompt: true } }, () => 'hello')
    .query('notes', { input: Tone, use: [staff], mcp: { resource: 'notes://{tone}' } }, () => 'n')
    .subscription('changes', async function* () {
      yield 1;
    })
    .requireAuth({ except: ['anyone', 'byKey', 'staff', 'greeting', 'notes'] });
}

const app = new App().use(Jwt.hs256(secret).optional().build()).mountMcp('/mcp', registry());
const bearer = (scope: string) => ({ authorization: `Bearer ${jwt.sign({ sub: 'u1', scope })}` });
const names = ({ message }: Sent): string[] => message.result.tools.map(({ name }: { name: string }) => name);

it.each([
  ['nobody', {}, ['anyone']],
  ['a reader', bearer('read'), ['anyone', 'signedIn']],
  ['a writer', bearer('write'), ['anyone', 'signedIn', 'writers']],
  ['a machine', { 'x-api-key': 'machine-key' }, ['anyone', 'byKey']],
  ['staff', { 'x-staff': '1' }, ['anyone', 'notes', 'staff']],
])('lists to %s what they may call', async (_, headers, listed) => {
  const sent = await modern(app, 'tools/list', {}, { headers });
  expect(names(sent)).toEqual(listed);
  expect(sent.message.result.cacheScope).toBe('private');
});

it('answers a refusal by its status, so that clients can sign in', async () => {
  const call = (name: string, headers = {}) => modern(app, 'tools/call', { name }, { headers });
  const unknown = await call('writers');
  expect([unknown.status, unknown.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer']);
  const reader = await call('writers', bearer('read'));
  expect(reader.status).toBe(403);
  expect(reader.headers.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope", scope="write"');
  expect((await call('writers', bearer('write'))).message.result.content[0].text).toBe('w');
  expect((await call('byKey')).status).toBe(401);
  expect((await call('byKey', { 'x-api-key': 'machine-key' })).message.result.content[0].text).toBe('k');
  expect((await call('staff')).status).toBe(403);
});

it('guards resources and prompts too', async () => {
  const staffed = { headers: { 'x-staff': '1' } };
  const read = { uri: 'staff://all' };
  expect((await modern(app, 'resources/read', read)).status).toBe(403);
  expect((await modern(app, 'resources/read', read, staffed)).message.result.contents[0].text).toBe('s');
  expect((await modern(app, 'resources/list')).message.result.resources).toEqual([]);
  expect((await modern(app, 'resources/list', {}, staffed)).message.result.resources).toHaveLength(1);
  expect((await modern(app, 'prompts/get', { name: 'greeting' })).status).toBe(403);
  expect((await modern(app, 'prompts/list')).message.result.prompts).toEqual([]);
  const listen = { notifications: { resourceSubscriptions: ['staff://all'] } };
  expect((await modern(app, 'subscriptions/listen', listen)).status).toBe(403);
});

it('completes arguments for those alone who may use them', async () => {
  const argument = { name: 'tone', value: 'k' };
  for (const ref of [
    { type: 'ref/prompt', name: 'greeting' },
    { type: 'ref/resource', uri: 'notes://{tone}' },
  ]) {
    const refused = await modern(app, 'completion/complete', { ref, argument });
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.message)).not.toContain('keen');
    const staffed = { headers: { 'x-staff': '1' } };
    const told = await modern(app, 'completion/complete', { ref, argument }, staffed);
    expect(told.message.result.completion.values).toEqual(['kind', 'keen']);
  }
});

it('does not let a caller in because another tool has authenticated it', async () => {
  const rpc = new RpcRegistry()
    .query('a', { use: [machine], mcp: true }, () => 'a')
    .query('b', { use: [requireScope('write')], mcp: true }, () => 'b');
  const open = new App().mountMcp('/mcp', rpc);
  const headers = { 'x-api-key': 'machine-key' };
  expect(names(await modern(open, 'tools/list', {}, { headers }))).toEqual(['a']);
});

it('watches no resource because the subscription of another one has authenticated the caller', async () => {
  const events = async function* () {
    yield 1;
  };
  const rpc = new RpcRegistry()
    .query('a', { mcp: { resource: 'a://all', updates: 'aChanged' } }, () => 'a')
    .subscription('aChanged', { use: [machine] }, events)
    .query(
      'b',
      { use: [requireScope('write')], mcp: { resource: 'b://all', updates: 'bChanged' } },
      () => 'b',
    )
    .subscription('bChanged', { use: [requireScope('write')] }, events);
  const open = new App().mountMcp('/mcp', rpc);
  const headers = { 'x-api-key': 'machine-key' };
  const listen = async (...uris: string[]) =>
    (
      await modern(
        open,
        'subscriptions/listen',
        { notifications: { resourceSubscriptions: uris } },
        { headers },
      )
    ).status;
  expect(await listen('a://all')).toBe(200);
  expect(await listen('b://all')).toBe(401);
  expect(await listen('a://all', 'b://all')).toBe(401);
});

it('ends the stream of a client when the token expires that a subscription alone has accepted', async () => {
  let own: AbortSignal | undefined;
  const rpc = new RpcRegistry()
    .query('a', { mcp: { resource: 'a://all', updates: 'aChanged' } }, () => 'a')
    .subscription(
      'aChanged',
      { use: [provide({ person: Jwt.hs256(secret).build() })] },
      async function* (_, { signal }) {
        own = signal;
        yield 1;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    );
  const exp = Math.floor(Date.now() / 1000) + 2;
  const headers = { Authorization: `Bearer ${Jwt.hs256(secret).sign({ sub: 'ada', exp })}` };
  const params = { notifications: { resourceSubscriptions: ['a://all'] } };
  // The whole body is read: its stream has an end.
  const { messages } = await modern(new App().mountMcp('/mcp', rpc), 'subscriptions/listen', params, {
    headers,
  });
  expect(messages.length).toBeGreaterThan(1);
  await expect.poll(() => own?.aborted).toBe(true);
});

it('is behind the guards of the App', async () => {
  const inner = new RpcRegistry().query('a', { mcp: true }, () => 1);
  const closed = new App().use(Jwt.hs256(secret).optional().build()).requireAuth().mountMcp('/mcp', inner);
  expect((await modern(closed, 'tools/list')).status).toBe(401);
  expect(names(await modern(closed, 'tools/list', {}, { headers: bearer('') }))).toEqual(['a']);
  expect(String(closed.accessList())).toContain('tool  /mcp a  authenticated (bearer)');
});

it('answers 500 if a guard cannot decide, and lists nothing', async () => {
  const broken = createMiddleware({ describes: { errors: { 401: 'x' } } }, async () => {
    throw new Error('the store is away');
  });
  const rpc = new RpcRegistry().query('a', { use: [broken], mcp: true }, () => 1);
  const sent = await modern(new App().mountMcp('/mcp', rpc), 'tools/list');
  expect(sent.status).toBe(500);
  expect(JSON.stringify(sent.message)).not.toContain('store');
});
