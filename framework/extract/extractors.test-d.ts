import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { App, Context, type Extractor, Json, Path, Query, Valid, validate } from '../index.js';

const One: Extractor<number> = { extract: () => 1 };
const Text: Extractor<string> = { extract: async () => 'text' };

describe('the values of extractors', () => {
  it('are the outputs of zod schemas', () => {
    new App().put(
      '/users/:id',
      Path(z.object({ id: z.coerce.number() })),
      Query(z.object({ at: z.coerce.date().optional() })),
      Json(z.object({ tags: z.string().transform((text) => text.split(',')) })),
      Valid(z.object({ name: z.string() })),
      ({ id }, query, body, valid) => {
        expectTypeOf(id).toEqualTypeOf<number>();
        expectTypeOf(query).toEqualTypeOf<{ at?: Date | undefined }>();
        expectTypeOf(body).toEqualTypeOf<{ tags: string[] }>();
        expectTypeOf(valid).toEqualTypeOf<{ name: string }>();
      },
    );
  });

  it('are the outputs of valibot and arktype schemas', () => {
    const Count = v.pipe(v.string(), v.transform(Number));
    new App().post(
      '/:count',
      Path('count', Count),
      Json(type({ at: 'string.date.parse' })),
      (count, body) => {
        expectTypeOf(count).toEqualTypeOf<number>();
        expectTypeOf(body).toEqualTypeOf<{ at: Date }>();
      },
    );
  });

  it('have the same types with every method', () => {
    new App()
      .get('/', One, (one) => expectTypeOf(one).toEqualTypeOf<number>())
      .patch('/', Text, (text) => expectTypeOf(text).toEqualTypeOf<string>())
      .delete('/', One, Text, (one, text) => [one.toFixed(), text.trim()])
      .options('/', One, (one) => one)
      .all('/', One, (one) => one);
  });

  it('know the parameters of the path in Context', () => {
    new App<'/orgs/:org'>().get('/users/:id', One, Context, (_one, ctx) => {
      expectTypeOf(ctx).toEqualTypeOf<Context<'org' | 'id'>>();
      // @ts-expect-error the path has no such parameter
      ctx.req.param('name');
    });
  });

  it('are inferred for inline extractors', () => {
    const inPlace = { extract: async (ctx: Context) => ctx.req.header('x-tenant') ?? 'public' };
    new App().get('/', inPlace, { extract: (ctx) => ctx.req.path.length }, (tenant, length) => {
      expectTypeOf(tenant).toEqualTypeOf<string>();
      expectTypeOf(length).toEqualTypeOf<number>();
    });
  });

  it('are the output with validate', () => {
    expectTypeOf(validate(z.coerce.number(), '1')).toEqualTypeOf<number>();
  });
});

describe('mistakes', () => {
  it('eight extractors are accepted, a ninth is not', () => {
    const app = new App();
    app.get('/', One, Text, One, Text, One, Text, One, Text, (...values) => {
      expectTypeOf(values).toEqualTypeOf<[number, string, number, string, number, string, number, string]>();
    });
    // @ts-expect-error a ninth
    app.get('/', One, One, One, One, One, One, One, One, One, () => null);
  });

  it('a handler with a parameter of another type', () => {
    // @ts-expect-error the extractor gives a number
    new App().get('/', One, (one: string) => one);
    // @ts-expect-error there is one extractor only
    new App().get('/', One, (one: number, two: number) => one + two);
  });

  it('a value that is not an extractor', () => {
    const middleware = () => undefined;
    // @ts-expect-error middleware is none
    new App().get('/', middleware, () => null);
    // @ts-expect-error a schema is none
    new App().get('/', z.string(), () => null);
  });

  it('a parameter that the path does not have', () => {
    const app = new App();
    app.get('/users/:id/*rest', Path('id', z.string()), Path('rest', z.string()), (id, rest) => id + rest);
    // @ts-expect-error it is called id
    app.get('/users/:id', Path('user', z.string()), (user) => user);
    // @ts-expect-error it has none
    app.get('/users', One, Path('id', z.string()), (_one, id) => id);
    const path: string = '/:id';
    app.get(path, Path('anything', z.string()), (anything) => anything);
  });
});
