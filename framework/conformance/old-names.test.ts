// Names of before: each still works for one version, and options say once what they are called now.
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { z } from 'zod';
import { ApiKey, apiKey, StaticKeys } from '../auth/api-key/index.js';
import type { Secret } from '../auth/jwt/index.js';
import type {
  Answer,
  Answers,
  GuardOptions,
  RequireAuthOptions,
  ResponseDescription,
  Responses,
} from '../index.js';
import { App, describeRoute, route } from '../index.js';
import { Csrf, csrf } from '../middleware/csrf/index.js';
import {
  MemoryRateLimitStore,
  RateLimiter,
  RequestId,
  rateLimiter,
  rateLimitState,
  requestId,
} from '../middleware/index.js';
import { warnDeprecated } from '../options/check.js';
import { RpcRegistry } from '../rpc/index.js';
import { TestClient, withServer } from '../testing/index.js';
import { ChannelManager, events, eventTypes, websocket } from '../websocket/index.js';

const secret = 's'.repeat(32);
const store = new StaticKeys().insert('k'.repeat(32), 'billing');

afterEach(() => vi.restoreAllMocks());

describe('an option under its old name', () => {
  it.each<[string, () => unknown, string]>([
    ['apiKey header', () => apiKey({ store, header: 'x-key' }), "use 'headerName'"],
    ['apiKey query', () => apiKey({ store, query: 'key' }), "use 'queryName'"],
    ['requestId', () => requestId({ header: 'X-Trace' }), "use 'headerName'"],
    ['csrf', () => csrf({ secret, origins: ['https://app.example'] }), "use 'allowedOrigins'"],
    ['rateLimiter', () => rateLimiter({ onStoreError: 'deny' }), "use 'storeErrors'"],
    ['websocket', () => websocket({}, { slow: 'drop' }), "use 'slowClients'"],
    ['history', () => new ChannelManager({ history: { messages: 3 } }), "use 'maxMessages'"],
    ['topics', () => new ChannelManager({ historyBounds: { topics: 3 } }), "use 'maxTopics'"],
    ['bytes', () => new ChannelManager({ historyBounds: { bytes: 3 } }), "use 'maxBytes'"],
  ])('is taken, with one warning: %s', (_, make, says) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    make();
    make();
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining(says), { type: 'DeprecationWarning', code: 'FW_DEPRECATED' }],
    ]);
  });

  it('means the same', async () => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const app = new App()
      .use(requestId({ header: 'X-Trace' }))
      .get('/', apiKey({ store, header: 'x-key' }), ({ id }) => id);
    const client = new TestClient(app);
    (await client.get('/', { headers: { 'x-key': 'k'.repeat(32) } }))
      .assertStatus(200)
      .assertText('billing')
      .assertHeader('x-trace', /./);
    (await client.get('/', { headers: { 'x-api-key': 'k'.repeat(32) } })).assertStatus(401);
  });

  it('is refused beside the new one, and with a wrong value by the name that was written', () => {
    expect(() => requestId({ header: 'X-A', headerName: 'X-B' })).toThrow(
      "requestId: 'header' and 'headerName' are the same option; give 'headerName' alone",
    );
    expect(() => requestId({ header: 'X Id' })).toThrow("requestId: header is 'X Id'");
    expect(() => websocket({}, { slow: 'wait' as 'drop' })).toThrow("slow is 'wait'; give 'close' or 'drop'");
  });

  it('is not among those that a message lists', () => {
    expect(() => requestId({ nothing: 1 } as object)).toThrow(
      "requestId has no option 'nothing'; there are headerName, trustedOnly",
    );
  });

  it('warns of each once', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    for (const what of ['one of these', 'one of these', 'another of these']) warnDeprecated(what, "'it'");
    expect(warn).toHaveBeenCalledTimes(2);
  });
});

describe('a function under its old name', () => {
  it('works: route, events, rateLimitState, withServer, discoverable and setters', async () => {
    const app = new App().get(route('/:id', { returns: z.object({ id: z.string() }) }), (ctx) => ({
      id: ctx.req.param('id'),
    }));
    expect(describeRoute('/a', {})).toEqual(route('/a', {}));
    expect(() => route('/a', { nothing: 1 } as object)).toThrow("route('/a') has no option 'nothing'");
    const old = await withServer(app, ({ client }) => client.get('/7'), {});
    const now = await withServer(app, {}, ({ client }) => client.get('/7'));
    expect([old.status, now.status]).toEqual([200, 200]);
    await expect(withServer(app, {} as never)).rejects.toThrow('withServer: the test is');
    expect(events<{ a: string }>()).toBe(eventTypes<{ a: string }>());
    const limit = { max: 2, windowMs: 1_000 };
    expect(rateLimitState(true, 500, limit)).toEqual(
      rateLimitState({ isAllowed: true, resetMs: 500, limit }),
    );
    const info = { title: 'T', version: '1' };
    const [before, after] = [new RpcRegistry().discoverable(info), new RpcRegistry().openRpc(info)];
    expect(await before.call('rpc.discover')).toEqual(await after.call('rpc.discover'));
    expect(after.generateOpenRpc(info)).toEqual(await after.call('rpc.discover'));
    expect(() => new RequestId().header('a b')).toThrow("RequestId: headerName is 'a b'");
    expect(new Csrf(secret).origins(['https://a.example']).build()).toBeTypeOf('function');
    expect(new ApiKey(store).headerName('x-key').build()).toBeTypeOf('function');
  });

  it.each([
    ['App', new App()],
    ['RpcRegistry', new RpcRegistry()],
  ])('works, with one warning: useContract of %s', (owner, one) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    expect(one.useContract(undefined).useContract(undefined)).toBe(one);
    expect(warn.mock.calls).toEqual([
      [
        `${owner}.useContract is deprecated; use loadContract`,
        { type: 'DeprecationWarning', code: 'FW_DEPRECATED' },
      ],
    ]);
  });

  it('reads the contract', () => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const read = (contract: unknown) => () => new RpcRegistry().useContract(contract);
    expect(read({ version: 0 })).toThrow(expect.objectContaining({ code: 'FW_RPC_CONTRACT' }));
  });

  it('has what builders lacked: the policy while a store fails', async () => {
    const failing = new MemoryRateLimitStore();
    vi.spyOn(failing, 'take').mockImplementation(() => {
      throw new Error('away');
    });
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const strict = new RateLimiter(1, 1).store(failing).storeErrors('deny').build();
    (await new TestClient(new App().use(strict).get('/', () => 'x')).get('/')).assertStatus(503);
    expect(() => new RateLimiter(1, 1).storeErrors('maybe' as 'deny')).toThrow('storeErrors');
  });
});

it('types have their old names too', () => {
  expectTypeOf<Answer>().toEqualTypeOf<ResponseDescription>();
  expectTypeOf<Answers>().toEqualTypeOf<Responses>();
  expectTypeOf<GuardOptions>().toEqualTypeOf<RequireAuthOptions>();
  expectTypeOf<Secret>().toEqualTypeOf<string | Uint8Array>();
});
