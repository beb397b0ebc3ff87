import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import type { Context } from '../context/context.js';
import { RpcMode, RpcRegistry } from '../rpc/index.js';
import { MemoryStore, session } from '../session/index.js';
import { SseEvent } from '../streaming/sse-event.js';
import { TestClient } from '../testing/index.js';
import { jsonOf } from './json-form.js';

const lost = (value: unknown): string => {
  try {
    jsonOf(value);
    return '';
  } catch (error) {
    return (error as Error).message.replace(' has no JSON form, it would be sent as {}', '');
  }
};

class Tags extends Map<string, string> {
  readonly kind = 'tags';
}

class Query {
  readonly sql = 'select secret';
  readonly joins = {};

  // biome-ignore lint/suspicious/noThenProperty: as that of a query
  then(): void {}
}

describe('jsonOf', () => {
  it.each<[unknown, string]>([
    [new Map([[1, 2]]), 'a Map; convert it first, as with Object.fromEntries()'],
    [new Tags([['a', 'b']]), 'a Map; convert it first, as with Object.fromEntries()'],
    [{ user: Promise.resolve(1) }, "a Promise at 'user'; await it first"],
    [
      { items: [1, { tags: new Set([1]) }] },
      "a Set at 'items[1].tags'; convert it first, as with Array.from()",
    ],
    // A query of a database that was not awaited.
    [{ rows: new Query() }, "a Promise at 'rows'; await it first"],
    // A query of Kysely, which nothing runs but `execute`.
    [
      {
        rows: new (class {
          toOperationNode(): void {}
        })(),
      },
      "a query at 'rows'; run it first, as with await query.execute()",
    ],
    [[[/x/]], "a RegExp at '[0][0]'; convert it first, as with String()"],
    [{ 'a b': { c: new Error('x') } }, `an Error at '["a b"].c'; send its message, if everybody may know it`],
    [{ cause: new DOMException('x') }, "an Error at 'cause'; send its message, if everybody may know it"],
    [{ map: runInNewContext('new Map([[1, 2]])') }, "a Map at 'map'; convert it first"],
    [{ error: runInNewContext('new Error("x")') }, "an Error at 'error'; send its message"],
    [{ body: new Response('x') }, "a Response at 'body'; convert it first"],
    [{ headers: new Headers() }, "a Headers at 'headers'; convert it first"],
    [{ a: {}, b: (function* () {})() }, "a Generator at 'b'; convert it first"],
  ])('refuses %j with its place and the remedy', (value, message) => expect(lost(value)).toContain(message));

  it.each<unknown>([
    {},
    { a: {}, b: [{}], c: 'text with {}' },
    new (class Empty {})(),
    { at: new Date(0), url: new URL('http://x/'), nothing: null, left: undefined },
    { own: Object.assign(new Map(), { toJSON: () => ({}) }) },
    { missing: Object.assign(new Error('x'), { code: 'ENOENT' }), empty: {} },
    Object.create(null),
    new Uint8Array(2),
  ])('has the JSON of %j', (value) => expect(jsonOf(value)).toBe(JSON.stringify(value)));

  it('has none of undefined, a function or a symbol', () => {
    for (const value of [undefined, () => {}, Symbol('x')]) expect(jsonOf(value)).toBeUndefined();
  });

  it('looks at every object, however many there are', () => {
    for (const count of [1, 3, 4, 5, 6, 50]) {
      const rows: object[] = Array.from({ length: count }, (_, id) => ({ id }));
      expect(lost(rows)).toBe('');
      expect(lost([...rows, { tags: new Set() }])).toContain(`a Set at '[${count}].tags'`);
      expect(lost([{ tags: new Set() }, ...rows])).toContain("a Set at '[0].tags'");
      expect(lost([...rows, new Map(), ...rows])).toContain(`a Map at '[${count}]'`);
    }
  });

  it('looks as deep as JSON.stringify goes', () => {
    let value: object = { deep: new Map() };
    for (let i = 0; i < 2_000; i += 1) value = [value];
    expect(lost(value)).toContain('.deep');
  });
});

describe('a bigint', () => {
  const cyclic: { self?: unknown; list: unknown[] } = { list: [{ at: new Date(0) }, { 'total sum': 7n }] };
  cyclic.self = cyclic;

  it.each<[unknown, string]>([
    [1n, 'a bigint has no'],
    [{ id: 1n }, "a bigint at 'id' has no"],
    [{ user: { rows: [{ id: 1 }, { id: 2n }] } }, "a bigint at 'user.rows[1].id' has no"],
    [{ toJSON: () => 1n }, 'a bigint has no'],
  ])('in %o is refused with its place and the remedy', (value, place) => {
    expect(() => jsonOf(value)).toThrow(`${place} JSON form; convert it first, as with String()`);
  });

  it('is looked for once in values that contain themselves', () => {
    expect(() => jsonOf(cyclic)).toThrow(/bigint|circular/);
  });
});

describe('a value of which JSON would lose something is refused', () => {
  const user = () => ({ user: { roles: new Set(['admin']) } });

  it('as the result of a route, of ctx.json and of a procedure', async () => {
    const registry = (mode: RpcMode) =>
      RpcRegistry.withMode(mode)
        .queryWithTypes('user', user, 'void', 'unknown')
        .subscriptionWithTypes(
          'follow',
          async function* () {
            yield user();
          },
          'void',
          'unknown',
        );
    const messages: string[] = [];
    const app = new App()
      .get('/returned', () => user())
      .get('/json', (ctx) => ctx.json(user()))
      .get('/later', (ctx) => ctx.json({ value: Promise.resolve(1) }))
      .mountRest('/rest', registry(RpcMode.Rest))
      .onError((error, ctx) => {
        messages.push((error as Error).message);
        return ctx.text('failed', 500);
      });
    for (const path of ['/returned', '/json', '/later', '/rest/user']) {
      expect((await app.oneshot(new Request(`http://x${path}`))).status, path).toBe(500);
    }
    expect(messages).toEqual([
      expect.stringContaining("a Set at 'user.roles' has no JSON form, it would be sent as {}"),
      expect.stringContaining("a Set at 'user.roles'"),
      expect.stringContaining(
        "a Promise at 'value' has no JSON form, it would be sent as {}; await it first",
      ),
      expect.stringContaining("procedure 'user' returned a Set at 'user.roles', whose JSON would be {}"),
    ]);
    const batch = await new App().mountRpc('/rpc', registry(RpcMode.JsonRpc)).oneshot(
      new Request('http://x/rpc', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '[{"jsonrpc":"2.0","id":1,"method":"user"}]',
      }),
    );
    expect(await batch.json()).toMatchObject([{ error: { code: -32603 } }]);
  });

  it('as an event, and as a value of a session', async () => {
    expect(() => SseEvent.new(user())).toThrow("a Set at 'user.roles' has no JSON form");
    let message = '';
    const app = new App().use(session(new MemoryStore(), { secure: false })).get('/', (ctx) => {
      try {
        ctx.session().set('user' as never, user() as never);
      } catch (error) {
        message = (error as Error).message;
      }
      return 'x';
    });
    await app.oneshot(new Request('http://x/'));
    expect(message).toBe(
      "session.set('user'): a Set at 'user.roles' has no JSON form, it would be stored as {}; convert it first, as with Array.from()",
    );
  });
});

describe('a handler that returns', () => {
  const messageOf = async (handler: (ctx: Context) => unknown, app = new App()): Promise<string> => {
    let message = '';
    app.onError((error, ctx) => {
      message = (error as Error).message;
      return ctx.text('', 500);
    });
    await new TestClient(app.get('/', handler as never)).get('/');
    return message;
  };

  it.each<[string, (ctx: Context) => unknown]>([
    ['what status() returns', (ctx) => ctx.status(204)],
    ['what header() returns', (ctx) => ctx.header('x-a', 'b')],
    ['what setCookie() returns', (ctx) => ctx.setCookie('a', 'b')],
    ['a context with a circle', (ctx) => ctx.set('user', ctx as never) ?? ctx],
    ['a context that cannot be written', (ctx) => Object.assign(ctx, { count: 1n })],
  ])('%s is told what to return', async (_, handler) =>
    expect(await messageOf(handler)).toMatch(/^the context has no JSON form, .*return ctx\.json\(value\)/),
  );

  it('the context inside of a value is told where', async () =>
    expect(await messageOf((ctx) => ({ a: [ctx] }))).toMatch(/^the context at 'a\[0\]' has no JSON form/));

  it('the session is told what to send', async () => {
    const app = new App().use(session(new MemoryStore(), { secure: false }));
    expect(await messageOf((ctx) => ctx.session(), app)).toMatch(
      /^the session has no JSON form, .*session\.get\('name'\)/,
    );
  });

  it('the request is told what to send', async () =>
    expect(await messageOf((ctx) => ctx.req)).toMatch(/^the request has no JSON form.*ctx\.req\.json\(\)/));
});
