import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { env } from './index.js';

describe('env', () => {
  it('has the types of the output of every library', () => {
    const ofZod = () => env(z.object({ PORT: z.coerce.number(), A: z.string().optional() }));
    expectTypeOf(ofZod).returns.toEqualTypeOf<{ PORT: number; A?: string | undefined }>();
    const ofValibot = () => env(v.object({ PORT: v.pipe(v.string(), v.transform(Number)) }));
    expectTypeOf(ofValibot).returns.toEqualTypeOf<{ PORT: number }>();
    const ofArk = () => env(type({ PORT: 'string.numeric.parse' }));
    expectTypeOf(ofArk).returns.toEqualTypeOf<{ PORT: number }>();
  });

  it('knows the names of the variables', () => {
    const Schema = z.object({ SECRET: z.string() });
    env(Schema, { secrets: ['SECRET'], development: { SECRET: 'x' }, variables: process.env });
    // @ts-expect-error no variable of the schema
    env(Schema, { secrets: ['SECRETS'] });
    // @ts-expect-error no variable of the schema
    env(Schema, { development: { OTHER: 'x' } });
    // @ts-expect-error no schema of an object
    env(z.string());
  });
});
