import * as v from 'valibot';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { App, type Context } from '../../index.js';
import { RpcError, RpcMode, RpcRegistry } from '../index.js';

const At = z.object({ at: z.string().transform((text) => new Date(text)), limit: z.number().default(10) });
const User = z.object({ id: z.string(), tags: z.array(z.string()).default([]) });

describe('handlers of procedures with schemas', () => {
  it('receive the output of the input schema, and return the input of the output schema', () => {
    new RpcRegistry()
      .query('a', { input: At, output: User }, (input, { ctx, signal }) => {
        expectTypeOf(input).toEqualTypeOf<{ at: Date; limit: number }>();
        expectTypeOf(ctx).toEqualTypeOf<Context>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        return { id: '1' };
      })
      .mutation('b', { input: v.object({ n: v.number() }), output: z.number() }, async ({ n }) => n);
  });

  it('may have only one of them', () => {
    new RpcRegistry()
      .query('a', { input: At }, (input) => input.at.getTime())
      .query('b', { output: z.string() }, (input: { name: string }) => input.name)
      .query('c', { use: [] }, (input: { name: string }) => input.name)
      .query('d', {}, () => 1)
      .query(
        'e',
        { description: 'E.', deprecated: 'use d', tags: ['x'] },
        (input: { id: string }) => input.id,
      );
  });

  it('must match them', () => {
    const rpc = new RpcRegistry();
    // @ts-expect-error the schema gives a Date
    rpc.query('a', { input: At }, ({ at }: { at: string }) => at);
    // @ts-expect-error the result lacks its id
    rpc.query('b', { output: User }, () => ({ tags: [] }));
    // @ts-expect-error the result is a promise of the wrong type
    rpc.mutation('c', { input: At, output: User }, async () => ({ id: 1 }));
    // @ts-expect-error no schema
    rpc.query('d', { input: { type: 'object' } }, () => 1);
    // @ts-expect-error no such option
    rpc.query('e', { inputs: At }, () => 1);
    // @ts-expect-error a number is not a description
    rpc.query('e', { description: 7 }, () => 1);
    // @ts-expect-error there is no handler
    rpc.query('f', { input: At });
  });
});

describe('handlers without schemas', () => {
  it('declare the type of their input', () => {
    new RpcRegistry()
      .query('a', (input: { id: string }) => input.id)
      .mutation('b', async (input: { id: string; name?: string }, { ctx }) => {
        expectTypeOf(ctx).toEqualTypeOf<Context>();
        return input.name ?? null;
      })
      .query('c', (input: string[] = []) => input.length)
      .query('d', () => 'pong')
      .queryWithTypes('e', ({ a }: { a: number }) => a, '{ a: number }', 'number');
  });

  it('have an input of no type if they declare none, so that using it does not compile', () => {
    new RpcRegistry().query('a', (input) => {
      expectTypeOf(input).toEqualTypeOf<never>();
    });
  });
});

describe('declared errors', () => {
  const errors = {
    outOfStock: z.object({ left: z.number(), at: z.string().default('now') }),
    closed: { status: 409, description: 'The shop is closed.' },
    late: { data: v.object({ by: v.number() }) },
    maybe: z.object({ why: z.string() }).optional(),
  };

  it('are made with the input of their schemas, and have its output', () => {
    new RpcRegistry().mutation('buy', { input: At, errors }, (input, call) => {
      expectTypeOf(input.at).toEqualTypeOf<Date>();
      expectTypeOf(call.ctx).toEqualTypeOf<Context>();
      expectTypeOf(call.errors).toHaveProperty('closed');
      expectTypeOf<keyof typeof call.errors>().toEqualTypeOf<'outOfStock' | 'closed' | 'late' | 'maybe'>();
      const error = call.errors.outOfStock({ left: 2 }, { message: 'two left', cause: input });
      expectTypeOf(error).toEqualTypeOf<RpcError<'outOfStock', { left: number; at: string }>>();
      expectTypeOf(error.name).toEqualTypeOf<'outOfStock'>();
      expectTypeOf(error.data).toEqualTypeOf<{ left: number; at: string }>();
      expectTypeOf(call.errors.closed({ message: 'closed' }).data).toEqualTypeOf<undefined>();
      call.errors.maybe();
      throw call.errors.late({ by: 1 });
    });
  });

  it('are only those, with their data', () => {
    new RpcRegistry().mutation('buy', { input: At, errors }, (_input, call) => {
      // @ts-expect-error no such error: Property 'sold' does not exist on type 'RpcErrors<…>'
      call.errors.sold({ left: 2 });
      // @ts-expect-error the data is missing
      call.errors.outOfStock();
      // @ts-expect-error the data is of another type: Type 'string' is not assignable to type 'number'
      call.errors.outOfStock({ left: '2' });
      // @ts-expect-error it has no data
      call.errors.closed({ left: 2 });
      // @ts-expect-error a message is a text
      call.errors.late({ by: 1 }, { message: 7 });
    });
  });

  it('are none where none are declared', () => {
    new RpcRegistry()
      .query('a', (input: { id: string }, call) => {
        expectTypeOf<keyof typeof call.errors>().toEqualTypeOf<never>();
        return input.id;
      })
      .query('b', { input: At, output: User }, (_input, call) => {
        // @ts-expect-error none is declared
        call.errors.closed();
        return { id: '1' };
      });
  });

  it('leave the rest of a handler as it is', () => {
    const rpc = new RpcRegistry();
    rpc.query('a', { errors, description: 'A.' }, (input: { id: string }, call) => {
      if (input.id === '') throw call.errors.closed();
      return input.id;
    });
    rpc.query('b', { output: User, errors }, async (input: { id: string }, call) => {
      if (input.id === '') throw call.errors.closed();
      return { id: input.id };
    });
    // @ts-expect-error the result lacks its id
    rpc.query('c', { output: User, errors }, (_input, call) => {
      if (call.signal.aborted) throw call.errors.closed();
      return { tags: [] };
    });
    // @ts-expect-error no such part of a declaration
    rpc.query('d', { errors: { closed: { statsu: 409 } } }, () => 1);
    // @ts-expect-error a status is a number
    rpc.query('e', { errors: { closed: { status: '409' } } }, () => 1);
    // @ts-expect-error an error is a schema or a declaration
    rpc.query('f', { errors: { closed: 'closed' } }, () => 1);
    // @ts-expect-error only a procedure makes its errors
    new RpcError(1, '');
  });
});

it('a registry can be mounted', () => {
  const rpc = RpcRegistry.withMode(RpcMode.Rest);
  new App().mountRpc('/rpc', rpc).mountRest('/api', rpc);
  // @ts-expect-error no registry
  new App().mountRpc('/rpc', {});
  // @ts-expect-error no mode
  RpcRegistry.withMode('soap');
});

it('middleware receives the call', () => {
  new RpcRegistry().use((call, next) => {
    expectTypeOf(call.name).toEqualTypeOf<string>();
    expectTypeOf(call.kind).toEqualTypeOf<'query' | 'mutation' | 'subscription'>();
    expectTypeOf(call.input).toEqualTypeOf<unknown>();
    expectTypeOf(call.ctx).toEqualTypeOf<Context>();
    return next();
  });
});
