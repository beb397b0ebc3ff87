// Who has the subscriptions of one connection: what one of them accepts lets nobody into another one.
import { describe, expect, it, vi } from 'vitest';
import { apiKey, StaticKeys } from '../../auth/api-key/index.js';
import { Jwt } from '../../auth/jwt/index.js';
import { serve } from '../../conformance/websocket/trial-socket.js';
import { App, type Context, provide } from '../../index.js';
import { websocket } from '../../websocket/index.js';
import { RpcRegistry } from '../index.js';

const secret = 'a secret of at least 32 bytes, really';
const store = new StaticKeys().withScopes('machine-key', 'machine', ['write']);
const machine = provide({ machine: apiKey({ store }) });
const person = provide({ person: Jwt.hs256(secret).build() });

async function* once(ctx: Context, signal: AbortSignal) {
  yield [ctx.req.path, ctx.principal()?.id ?? 'nobody'];
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

const rpc = () =>
  new RpcRegistry()
    .subscription('open', (_: unknown, { ctx, signal }) => once(ctx, signal))
    .subscription('byKey', { use: [machine] }, (_, { ctx, signal }) => once(ctx, signal))
    .subscription('byToken', { use: [person] }, (_, { ctx, signal }) => once(ctx, signal))
    .subscription('guarded', (_: unknown, { ctx, signal }) => once(ctx, signal))
    .requireAuth({ except: ['open', 'byKey', 'byToken'] });

it('one ends when the token has expired that it alone has accepted', async () => {
  const { connect } = await serve(new App().websocket('/live', websocket({}, { rpc: rpc() })));
  const expires = Math.floor(Date.now() / 1000) + 2;
  const authorization = `Bearer ${Jwt.hs256(secret).sign({ sub: 'ada', exp: expires })}`;
  const client = await connect('/live', [], { headers: { 'x-api-key': 'machine-key', authorization } });
  for (const [id, method] of ['byKey', 'byToken'].entries()) client.send({ subscribe: { id, method } });
  const last = () => (client.json.at(-1) as { subscription: unknown } | undefined)?.subscription;
  const expired = { id: 1, error: { code: -32001, message: 'the token has expired' } };
  await vi.waitFor(() => expect(last()).toMatchObject(expired));
  // The other one goes on, and its id is taken.
  client.send({ subscribe: { id: 0, method: 'open' } });
  await vi.waitFor(() => expect(last()).toMatchObject({ id: 0, error: { code: -32600 } }));
  client.send({ subscribe: { id: 1, method: 'open' } });
  await vi.waitFor(() => expect(last()).toMatchObject({ id: 1, data: ['/live', 'nobody'] }));
});

it('each is asked by itself', async () => {
  const { connect } = await serve(new App().websocket('/live', websocket({}, { rpc: rpc() })));
  const authorization = `Bearer ${Jwt.hs256(secret).expiresIn(60).sign({ sub: 'ada' })}`;
  const client = await connect('/live', [], { headers: { 'x-api-key': 'machine-key', authorization } });
  const got: unknown[] = [];
  for (const [id, method] of ['byKey', 'guarded', 'byToken', 'byKey', 'open'].entries()) {
    client.send({ subscribe: { id, method } });
    await vi.waitFor(() => expect(client.json).toHaveLength(id + 1));
    const { data, error } = (client.json.at(-1) as { subscription: Record<string, unknown> }).subscription;
    got.push(data ?? (error as { code: number }).code);
  }
  const of = (name: string) => ['/live', name];
  expect(got).toEqual([of('machine'), -32001, of('ada'), of('machine'), of('nobody')]);
});

describe('a token in a cookie, which only the subscription accepts', () => {
  const byCookie = provide({ person: Jwt.hs256(secret).fromCookie('token').build() });
  const ran: string[] = [];
  const app = (allowedOrigins?: readonly string[]) => {
    const subscriptions = new RpcRegistry().subscription(
      'mine',
      { use: [byCookie] },
      async function* (_, { ctx }) {
        ran.push(String(ctx.principal()?.id));
        yield ctx.principal()?.id;
      },
    );
    return new App().websocket(
      '/live',
      websocket({}, { rpc: subscriptions, ...(allowedOrigins && { allowedOrigins }) }),
    );
  };

  async function first(origin: (url: string) => string | undefined, allowedOrigins?: readonly string[]) {
    ran.length = 0;
    const { connect, url } = await serve(app(allowedOrigins));
    const cookie = `token=${Jwt.hs256(secret).expiresIn(60).sign({ sub: 'ada' })}`;
    const from = origin(url);
    const client = await connect('/live', [], {
      headers: { cookie, ...(from !== undefined && { origin: from }) },
    });
    client.send({ subscribe: { id: 1, method: 'mine' } });
    await vi.waitFor(() => expect(client.json).not.toHaveLength(0));
    return (client.json[0] as { subscription: unknown }).subscription;
  }

  it.each(['https://evil.test', 'null'])('is refused to pages of other sites: %s', async (origin) => {
    expect(await first(() => origin)).toMatchObject({
      error: { code: -32003, message: expect.stringContaining('the token of a cookie') },
    });
    expect(ran).toEqual([]);
  });

  it('is taken from pages of its own, from listed ones, and from who is not a browser', async () => {
    expect(await first((url) => url)).toEqual({ id: 1, data: 'ada' });
    expect(await first(() => undefined)).toEqual({ id: 1, data: 'ada' });
    expect(await first(() => 'https://a.test', ['https://a.test'])).toEqual({ id: 1, data: 'ada' });
    expect(await first(() => 'https://a.test', [])).toEqual({ id: 1, data: 'ada' });
  });

  it('lets a page of another site have what needs no cookie', async () => {
    const { connect } = await serve(new App().websocket('/live', websocket({}, { rpc: rpc() })));
    const headers = { origin: 'https://evil.test', 'x-api-key': 'machine-key' };
    const client = await connect('/live', [], { headers });
    client.send({ subscribe: { id: 1, method: 'byKey' } });
    await vi.waitFor(() =>
      expect(client.json).toEqual([{ subscription: { id: 1, data: ['/live', 'machine'] } }]),
    );
  });
});
