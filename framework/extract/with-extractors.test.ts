import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App, Context, type Extractor, Json, Path, Query, requireAuth, Valid } from '../index.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { withExtractors } from './register-route.js';

const One: Extractor<number> = { extract: () => 1 };
const none = undefined as never;

describe('registration', () => {
  it('does not wrap a handler without extractors', () => {
    const handler = () => 'x';
    expect(withExtractors('GET /', '/', [], handler)).toBe(handler);
  });

  it('refuses a Path name that the pattern does not have', () => {
    const named: string = 'user';
    expect(() => new App().get('/users/:id/*rest', Path(named, z.string()), String)).toThrow(
      "Path('user') of GET /users/:id/*rest names a parameter that the pattern does not have: it has 'id', 'rest'; " +
        'for a parameter of the prefix that the App is mounted under, use Path(schema) or Context',
    );
    expect(() => new App().all('/users', One, Path(named, z.string()), String)).toThrow('it has none');
  });

  it('refuses an argument that is not an extractor, and reports its position', () => {
    expect(() => new App().get('/', One, none, String)).toThrow(
      'argument 3 of GET / is undefined, not an extractor; give Path(), Query(), Json(), Valid(), Context',
    );
    expect(() => new App().get('/', (() => {}) as never, String)).toThrow(
      "middleware for one path goes into describeRoute('/', { use: [middleware] })",
    );
  });

  it.each<[string, readonly unknown[], string]>([
    [
      'a schema',
      [z.object({}), String],
      'argument 2 of POST /a is a schema, not an extractor; write Valid(schema)',
    ],
    // It has a method `extract`.
    ['an enum of zod', [z.enum(['a']), String], 'argument 2 of POST /a is a schema, not an extractor'],
    [
      'an extractor that is not called',
      [Valid, String],
      'extractors are called, as in Valid(schema); middleware for',
    ],
    [
      'middleware of a route',
      [requireAuth(), String],
      "argument 2 of POST /a is middleware, not an extractor; middleware for one path goes into describeRoute('/a', {",
    ],
    [
      'an extractor behind the handler',
      [String, One],
      'the last argument of POST /a is an extractor; give the handler',
    ],
  ])('says what to write instead of %s', (_, args, message) => {
    const app = new App();
    const post = app.post.bind(app) as (...given: unknown[]) => unknown;
    expect(() => post('/a', ...args)).toThrow(message);
  });

  it('refuses a ninth extractor', async () => {
    const app = new App();
    const get = app.get.bind(app) as (...args: unknown[]) => unknown;
    get('/eight', ...Array(8).fill(One), (...values: unknown[]) => values.join());
    expect(() => get('/', ...Array(9).fill(One), String)).toThrow(
      'GET / has 9 extractors; a handler takes up to 8',
    );
    expect(await (await app.fetch(new Request('http://localhost/eight'))).text()).toBe('1,1,1,1,1,1,1,1');
  });

  it.each<[string, (...args: never[]) => unknown]>([
    ['(req, res)', (req: never, res: never) => [req, res]],
    ['(request, reply)', async (request: never, reply: never) => [request, reply]],
    [
      '(_, response)',
      function list(_: never, response: never) {
        return response;
      },
    ],
    ['(req, res)', (req: never, res: never, next: never) => [req, res, next]],
  ])('refuses a handler %s of another framework', (names, handler) => {
    const get = new App().get as (...args: unknown[]) => unknown;
    expect(() => get('/', handler)).toThrow(`the handler of GET / takes ${names}, as in Express or Fastify`);
  });

  it('takes a handler with an optional parameter, and values of extractors', () => {
    const own = (ctx: Context, limit?: number) => ctx.json({ limit });
    new App().get('/', own).get('/one', Context, One, (ctx, response) => ctx.json({ response }));
  });

  it('refuses a missing handler', () => {
    expect(() => new App().get('/', {} as never)).toThrow('the handler of GET / is an object');
    expect(() => new App().all('/', none)).toThrow('the handler of ALL / is undefined; give a function');
  });

  it('refuses values that are not a schema', () => {
    for (const make of [Path, Query, Json, Valid]) {
      expect(() => make({ type: 'object' } as never)).toThrow(
        `${make.name}() takes a Standard Schema, such as one of zod, valibot or arktype; got an object`,
      );
    }
    expect(() => Path('id', none)).toThrow("Path('id') takes a Standard Schema");
  });
});

describe('a mounted App', () => {
  it('reads the parameters of its prefix with Path(schema) and Context', async () => {
    const sub = new App<'/orgs/:org'>().get(
      '/users/:id',
      Path(z.object({ org: z.string(), id: z.string() })),
      Path('id', z.string()),
      Context,
      (all, id, ctx) => ({ all, id, org: ctx.req.param('org') }),
    );
    const app = new App().route('/orgs/:org', sub);
    const response = await app.fetch(new Request('http://x/orgs/fw/users/7'));
    expect(await response.json()).toEqual({ all: { org: 'fw', id: '7' }, id: '7', org: 'fw' });
  });
});

describe('running', () => {
  it('is synchronous if the extractors are', () => {
    const handler = withExtractors('GET /', '/', [One, One], (...values) => values);
    expect(handler(none)).toEqual([1, 1]);
  });

  it('awaits promises, in order', async () => {
    const order: string[] = [];
    const slow = (name: string) => ({
      async extract() {
        order.push(`${name} starts`);
        await null;
        order.push(`${name} ends`);
        return name;
      },
    });
    const handler = withExtractors('GET /', '/', [slow('a'), One, slow('b')], (...values) => values);
    expect(await handler(none)).toEqual(['a', 1, 'b']);
    expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends']);
  });

  it('keeps the values of concurrent requests separate', async () => {
    const app = new App().get(
      '/:id',
      Path(
        'id',
        z.string().refine(async () => true),
      ),
      Context,
      (id, ctx) => `${id} ${ctx.req.param('id')}`,
    );
    const answers = ['a', 'b', 'c'].map(async (id) =>
      (await app.fetch(new Request(`http://x/${id}`))).text(),
    );
    expect(await Promise.all(answers)).toEqual(['a a', 'b b', 'c c']);
  });
});

describe('a body', () => {
  const Order = z.object({ items: z.array(z.string()).min(1) });
  const slow = Order.refine(async ({ items }) => items[0] !== 'none', 'is none');
  const post = async (app: App, body: string, type = 'application/json') => {
    const response = await app.fetch(
      new Request('http://x/', { method: 'POST', body, headers: { 'Content-Type': type } }),
    );
    return [response.status, await response.text()];
  };
  const good = '{"items":["a"]}';
  const fail = (): string => {
    throw new Error('broken');
  };

  it.each([
    ['a value', Order, (order: unknown) => ({ order })],
    ['a promise', Order, async (order: unknown) => ({ order })],
    ['a value, after a check that takes time', slow, (order: unknown) => ({ order })],
  ])('reaches a handler that gives %s', async (_, schema, handler) => {
    const behind = new App().use(async (_ctx, next) => void (await next()));
    for (const app of [new App(), behind]) {
      expect(await post(app.post('/', Json(schema), handler), good)).toEqual([200, `{"order":${good}}`]);
    }
  });

  it.each([
    ['throws', Order, () => fail()],
    ['rejects', Order, async () => fail()],
    ['throws after a check that takes time', slow, () => fail()],
  ])('is answered by onError if its handler %s', async (_, schema, handler) => {
    const app = new App()
      .onError((error, ctx) => ctx.text((error as Error).message, 500))
      .post('/', Valid(schema), handler);
    expect(await post(app, good)).toEqual([500, 'broken']);
  });

  it.each([
    ['of another type', good, 'text/plain', 400, 'is not JSON'],
    ['of malformed JSON', '{', 'application/json', 400, 'malformed JSON body'],
    ['that the schema refuses', '{"items":[]}', 'application/json', 422, 'items'],
    ['that the schema refuses later', '{"items":["none"]}', 'application/json', 422, 'is none'],
  ])('%s does not reach the handler', async (_, body, type, status, message) => {
    const handler = vi.fn();
    const [got, text] = await post(new App().post('/', Valid(slow), handler), body, type);
    expect([got, text]).toEqual([status, expect.stringContaining(message)]);
    expect(handler).not.toHaveBeenCalled();
  });

  it('takes its place among other extractors, and can be read again', async () => {
    const app = new App().post('/', One, Json(Order), Context, Valid(slow), async (...values) => {
      const [one, order, ctx, again] = values;
      return { one, order, again, text: await ctx.req.text() };
    });
    expect(await post(app, good)).toEqual([
      200,
      JSON.stringify({ one: 1, order: { items: ['a'] }, again: { items: ['a'] }, text: good }),
    ]);
  });

  it('is a promise for an extractor of your own that is made of Json', async () => {
    const first: Extractor<string> = {
      ...Json(Order),
      async extract(ctx) {
        const order = Json(Order).extract(ctx);
        expect(order).toBeInstanceOf(Promise);
        return (await order).items[0] as string;
      },
    };
    expect(
      await post(
        new App().post('/', first, (item) => item),
        good,
      ),
    ).toEqual([200, 'a']);
    expect(
      await post(
        new App().post('/', first, (item) => item),
        good,
        'text/plain',
      ),
    ).toEqual([400, expect.stringContaining('is not JSON')]);
  });
});

it('asks a schema as its own method, also for a query', async () => {
  class Words {
    readonly known = 'yes';
    readonly '~standard' = {
      version: 1 as const,
      vendor: 'words',
      words: this,
      validate(value: unknown) {
        const { q } = value as { q?: unknown };
        return q === this.words.known ? { value: { q } } : { issues: [{ message: 'unknown', path: ['q'] }] };
      },
    };
  }
  const schema: StandardSchemaV1<unknown, { q: unknown }> = new Words();
  const app = new App().get('/', Query(schema), ({ q }) => String(q));
  const ask = (q: string) => app.fetch(new Request(`http://localhost/?q=${q}`));
  expect(await (await ask('yes')).text()).toBe('yes');
  expect((await ask('no')).status).toBe(400);
});

it.each([
  [
    'at once',
    (fault: RangeError) => {
      throw fault;
    },
  ],
  ['later', (fault: RangeError) => Promise.reject(fault)],
])('a schema whose recursion is as deep as the body refuses it: %s', async (_, fail) => {
  const validate = () => fail(new RangeError('Maximum call stack size exceeded'));
  const schema = { '~standard': { version: 1 as const, vendor: 'own', validate } } as StandardSchemaV1;
  const app = new App().post('/', Json(schema), () => 'x');
  const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '[[]]' };
  const answer = await app.fetch(new Request('http://localhost/', sent));
  expect([answer.status, await answer.json()]).toEqual([
    400,
    expect.objectContaining({ message: 'body: nested too deeply' }),
  ]);
});
