// Whether a JSON writer made from a type is faster than JSON.stringify: `npm run json-writers [-- --rounds 7]`. Prints
// the time of fast-json-stringify ÷ that of JSON.stringify for answers as the other benches have them; below 1 the
// writer of the type is faster. `parse` adds the schema that declared answers are parsed by, which both need.
import { parseArgs } from 'node:util';
import fastJson from 'fast-json-stringify';
import { z } from 'zod';
import { median, printTable } from './measure.js';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const rounds = Number(values.rounds);

const User = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  isActive: z.boolean(),
  tags: z.array(z.string()),
});
const user = (id: number): z.infer<typeof User> => ({
  id,
  name: `Ada Lovelace ${id}`,
  email: `ada${id}@example.org`,
  isActive: id % 2 === 0,
  tags: ['mathematics', 'engines'],
});
const payloads: Readonly<Record<string, readonly [schema: z.ZodType, value: unknown]>> = {
  '{ hello }': [z.object({ hello: z.string() }), { hello: 'world' }],
  'one user': [User, user(1)],
  '50 users': [z.array(User), Array.from({ length: 50 }, (_, id) => user(id))],
  'text of 4 KB': [z.object({ text: z.string() }), { text: 'a "quoted" line\n'.repeat(256) }],
};

/** Nanoseconds of one call, in a loop of about 50 ms. */
function timed(work: () => string): number {
  let calls = 1;
  for (;;) {
    const began = process.hrtime.bigint();
    for (let index = 0; index < calls; index++) length += work().length;
    const took = Number(process.hrtime.bigint() - began);
    if (took > 5e7) return took / calls;
    calls *= 2;
  }
}

/** Read at the end, so that no call is removed as unused. */
let length = 0;
const rows = Object.entries(payloads).map(([name, [schema, value]]) => {
  const write = fastJson(z.toJSONSchema(schema, { target: 'draft-7' }) as never);
  const ways = {
    stringify: () => JSON.stringify(value),
    typed: () => write(value),
    parsedStringify: () => JSON.stringify(schema.parse(value)),
    parsedTyped: () => write(schema.parse(value)),
  };
  if (ways.typed() !== ways.stringify()) throw new Error(`other JSON for ${name}`);
  const found = Object.fromEntries(Object.keys(ways).map((way) => [way, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    for (const [way, work] of Object.entries(ways)) {
      const took = timed(work);
      // The first round warms up.
      if (round > 0) found[way]?.push(took);
    }
  }
  const ns = (way: keyof typeof ways) => median(found[way] ?? []);
  return [
    name,
    ns('stringify').toFixed(0),
    (ns('typed') / ns('stringify')).toFixed(2),
    (ns('parsedTyped') / ns('parsedStringify')).toFixed(2),
  ];
});
console.log(`\nNode ${process.version}: fast-json-stringify ÷ JSON.stringify (${length > 0 ? 'time' : ''})`);
printTable(['answer', 'JSON.stringify ns', 'typed ÷ stringify', 'with parse'], rows);
