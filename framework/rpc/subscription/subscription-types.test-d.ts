import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { Context } from '../../index.js';
import { RpcRegistry, tracked } from '../index.js';

const Id = z.object({ id: z.string().transform(Number) });
const Task = z.object({ id: z.number(), tags: z.array(z.string()).default([]) });

describe('handlers of subscriptions', () => {
  it('receive the output of the input schema, and yield the input of the output schema', () => {
    new RpcRegistry()
      .subscription(
        'a',
        { input: Id, output: Task, errors: { gone: z.object({ at: z.number() }) } },
        async function* ({ id }, { ctx, signal, errors, lastEventId }) {
          expectTypeOf(id).toEqualTypeOf<number>();
          expectTypeOf(ctx).toEqualTypeOf<Context>();
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
          expectTypeOf(lastEventId).toEqualTypeOf<string | undefined>();
          yield { id };
          yield tracked('1', { id });
          throw errors.gone({ at: 1 });
        },
      )
      .subscription(
        'b',
        { input: Id },
        async ({ id }) => new ReadableStream<number>({ start: () => void id }),
      )
      .subscription('c', async function* (input: { name: string }, { signal }) {
        if (!signal.aborted) yield input.name;
      });
  });

  it('must match them', () => {
    const rpc = new RpcRegistry();
    // @ts-expect-error the event lacks its id
    rpc.subscription('a', { input: Id, output: Task }, async function* () {
      yield { tags: [] };
    });
    // @ts-expect-error the tracked event lacks its id
    rpc.subscription('b', { input: Id, output: Task }, async function* () {
      yield tracked('1', { tags: [] });
    });
    // @ts-expect-error no events
    rpc.subscription('c', { input: Id }, () => [1]);
    // @ts-expect-error a query has no id of a last event
    rpc.query('d', { input: Id }, (_, { lastEventId }) => lastEventId);
  });
});
