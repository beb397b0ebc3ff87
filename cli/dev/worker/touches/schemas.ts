// Makes a waiting process run the code of zod that makes schemas and checks values, before the app does.
import type * as Zod from 'zod';
import type { Load } from '../../../process/load-packages.js';

/** After this many rounds, V8 has compiled what makes schemas; more rounds would only take longer. */
const rounds = 30;

/**
 * An app makes its schemas while it starts, and checks its environment with one of them. Its first schemas are
 * slow, because their code is interpreted; so is the first check of an object, for which zod generates code.
 */
export async function touchSchemas(load: Load, loaded: readonly string[]): Promise<void> {
  if (!loaded.includes('zod')) return;
  const { z } = (await load('zod')) as typeof Zod;
  for (let round = 0; round < rounds; round += 1) touch(z);
}

function touch(z: typeof Zod.z): void {
  const item = z.object({
    id: z.uuid(),
    email: z.email().max(254).meta({ description: 'An address.' }),
    title: z.string().trim().min(1).max(200).describe('A title.'),
    at: z.iso.datetime(),
    status: z.enum(['open', 'done']).default('open'),
    note: z.string().nullable().optional(),
    kind: z.literal('item'),
  });
  const settings = z.object({
    url: z.url().optional(),
    name: z
      .string('is missing')
      .regex(/^\w+$/, 'must be a word')
      .refine((name) => name !== '', 'is empty'),
    port: z.coerce.number('must be a number').int('must be whole').min(0).max(65_535).default(3000),
    words: z
      .string()
      .default('')
      .transform((list) => list.split(' ')),
    isOn: z.boolean().optional(),
    items: z.array(item.partial()).default([]),
    more: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).optional(),
  });
  const given = { name: 'a', port: '1', words: 'a b', more: { a: 1 }, items: [{ title: ' a ' }] };
  settings.safeParse(given);
  settings.safeParse({ ...given, name: 1, port: 'x' });
  item
    .pick({ title: true })
    .extend({ page: z.number().min(1) })
    .strict()
    .safeParse({ title: 'a', page: 1 });
}
