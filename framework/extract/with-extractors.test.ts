import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App, Context, type Extractor, Json, Path, Query, Valid } from '../index.js';
import { withExtractors } from './with-extractors.js';

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
      'middleware for one path goes on an App that is mounted there by route()',
    );
  });

  it('refuses a ninth extractor', () => {
    const get = new App().get as (...args: unknown[]) => unknown;
    expect(() => get('/', ...Array(9).fill(One), String)).toThrow(
      'GET / has 9 extractors; a handler takes up to 8',
    );
  });

  it('refuses a missing handler', () => {
    expect(() => new App().get('/', One as never)).toThrow('the handler of GET / is of type object');
  });

  it('refuses values that are not a schema', () => {
    for (const make of [Path, Query, Json, Valid]) {
      expect(() => make({ type: 'object' } as never)).toThrow(
        `${make.name}() takes a Standard Schema, such as one of zod, valibot or arktype; got a value of type object`,
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
