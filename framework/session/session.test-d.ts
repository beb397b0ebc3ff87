import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { Session } from '../context/session.js';
import { MemoryStore } from './memory-store.js';
import { session } from './session.js';
import { SessionConfig } from './session-config.js';

interface Declared {
  cart: string[];
  theme: 'dark' | 'light';
}

describe('the types of values', () => {
  it('are unknown, with any key, if nothing is declared', () => {
    const current = {} as Session<Record<never, never>>;
    expectTypeOf(current.get('a')).toEqualTypeOf<unknown>();
    current.set('a', 1);
  });

  it('are those that the application declares', () => {
    const current = {} as Session<Declared>;
    expectTypeOf(current.get('cart')).toEqualTypeOf<string[] | undefined>();
    expectTypeOf(current.get('theme')).toEqualTypeOf<'dark' | 'light' | undefined>();
    // @ts-expect-error not declared
    current.get('other');
    // @ts-expect-error of another type
    current.set('theme', 'blue');
  });

  it('are those of the schema, in what the extractor gives', () => {
    const schema = z.object({ since: z.coerce.date(), size: z.number() }).partial();
    const current = {} as ReturnType<ReturnType<typeof session<typeof schema>>['extract']>;
    expectTypeOf(current.get('since')).toEqualTypeOf<Date | undefined>();
    expectTypeOf(session(new MemoryStore(), { schema }).extract).returns.toEqualTypeOf(current);
    expectTypeOf(
      session(new MemoryStore(), new SessionConfig().schema(schema)).extract,
    ).returns.toEqualTypeOf(current);
    // @ts-expect-error of another type
    current.set('size', 'large');
  });
});
