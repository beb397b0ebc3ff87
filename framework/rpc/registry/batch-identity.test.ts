// Who makes the calls of a batch: what one procedure accepts lets nobody into another one.
import { expect, it } from 'vitest';
import { apiKey, StaticKeys } from '../../auth/api-key/index.js';
import { Jwt } from '../../auth/jwt/index.js';
import { App, type Context, provide, requireScope } from '../../index.js';
import { RpcRegistry } from '../index.js';

const secret = 'a secret of at least 32 bytes, really';
const jwt = Jwt.hs256(secret).expiresIn(60);
const store = new StaticKeys().withScopes('machine-key', 'machine', ['write']);
const machine = provide({ machine: apiKey({ store }) });
const person = provide({ person: jwt.build() });
const both = { 'x-api-key': 'machine-key', authorization: `Bearer ${jwt.sign({ sub: 'ada' })}` };
const key = { 'x-api-key': 'machine-key' };

const nameOf = (ctx: Context) => ctx.principal()?.id ?? 'nobody';
const registry = () =>
  new RpcRegistry()
    .query('open', (_: unknown, { ctx }) => nameOf(ctx))
    .query('byKey', { use: [machine] }, (_, { ctx }) => nameOf(ctx))
    .query('byToken', { use: [person] }, (_, { ctx }) => nameOf(ctx))
    .query('writers', { use: [requireScope('write')] }, (_, { ctx }) => nameOf(ctx))
    .query('signedIn', (_: unknown, { ctx }) => nameOf(ctx))
    .requireAuth({ except: ['open', 'byKey', 'byToken', 'writers'] });

function send(app: App, names: readonly string[], headers: Record<string, string>): Promise<Response> {
  const calls = names.map((method, id) => ({ jsonrpc: '2.0', id, method }));
  const init = { method: 'POST', body: JSON.stringify(calls) };
  return app.fetch(
    new Request('http://x/rpc', { ...init, headers: { 'content-type': 'application/json', ...headers } }),
  );
}

/** The results of the calls, or the codes of their errors. */
async function ask(app: App, names: readonly string[], headers: Record<string, string>) {
  const answer = await send(app, names, headers);
  const all = (await answer.json()) as { id: number; result?: unknown; error?: { code: number } }[];
  expect(all.map(({ id }) => id)).toEqual(names.map((_, id) => id));
  return all.map(({ result, error }) => error?.code ?? result);
}

it.each([
  [['byKey', 'writers', 'signedIn', 'open'], key, ['machine', -32001, -32001, 'nobody']],
  [['writers', 'byKey', 'signedIn'], key, [-32001, 'machine', -32001]],
  [['byKey', 'byToken', 'byKey'], both, ['machine', 'ada', 'machine']],
  [['byToken', 'byKey', 'nothing', 'open'], both, ['ada', 'machine', -32601, 'nobody']],
  [['byKey', 'byToken'], key, ['machine', -32001]],
])('the batch %j asks each procedure by itself', async (names, headers, expected) => {
  const app = new App().mountRpc('/rpc', registry());
  expect(await ask(app, names, headers)).toEqual(expected);
});

it('whom the App has authenticated is so for every call', async () => {
  const app = new App().use(jwt.optional().build()).mountRpc('/rpc', registry());
  const names = ['open', 'byKey', 'signedIn', 'byToken', 'writers'];
  expect(await ask(app, names, both)).toEqual(['ada', 'ada', 'ada', 'ada', -32003]);
});

it('calls that authenticate in the same way run at the same time', async () => {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const rpc = new RpcRegistry()
    .query('waits', { use: [machine] }, async () => {
      await gate;
      return 'waited';
    })
    .query('opens', { use: [machine] }, () => {
      open();
      return 'opened';
    });
  const app = new App().mountRpc('/rpc', rpc);
  expect(await ask(app, ['waits', 'opens'], key)).toEqual(['waited', 'opened']);
});

it.each([
  [['byKey', 'byToken'], 'private, no-store'],
  [['byToken', 'byKey'], 'private, no-store'],
  [['open', 'byToken'], null],
])('a cache keeps nothing of the batch %j that has authenticated somebody', async (names, expected) => {
  const answer = await send(new App().mountRpc('/rpc', registry()), names, key);
  expect(answer.headers.get('cache-control')).toBe(expected);
});
