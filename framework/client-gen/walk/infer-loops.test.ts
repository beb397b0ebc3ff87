import { afterAll, describe, expect, it } from 'vitest';
import { compilers, infer, project, removeProjects } from '../../conformance/inferred-project.js';
import { plain } from '../../conformance/plain-type.js';
import { parseType } from '../../wire/read/parse-type.js';

afterAll(removeProjects);

describe.each(compilers)('procedures that a loop registers, with %s', (_name, typescript) => {
  it('get the types of their one handler, for every name that TypeScript knows', async () => {
    const code = `
type Name = 'typed.a' | 'typed.b';
const typed: readonly Name[] = ['typed.a', 'typed.b'];
const handler = (input: { id: string }) => input.id;
for (const name of ['for.a', 'for.b'] as const) rpc.query(name, handler);
for (const name of typed) rpc.mutation(name, (input: { id: string }) => input.id);
(['each.a', 'each.b'] as const).forEach((name) => rpc.query(name, { use: [] }, handler));
typed.forEach((name) => { new RpcRegistry().mutation(name, handler); });
for (const [name, own] of [['pair.a', handler], ['pair.b', handler]] as const) rpc.query(name, own);
for (const name of ['schema.a', 'schema.b'] as const) rpc.query(name, { input: {}, output: {} }, () => 1);
for (const kind of ['x', 'y'] as const) rpc.query(\`template.\${kind}\` as const, handler);
for (const { name } of [{ name: 'object.a' }, { name: 'object.b' }] as const) {
  /** Of a loop. */
  rpc.query(name, handler);
}
`;
    const { procedures, places, notes, warnings } = await infer(project(typescript, code));
    expect(warnings).toEqual([]);
    const names = ['each', 'for', 'object', 'pair', 'template', 'typed'].flatMap((one) =>
      one === 'template' ? ['template.x', 'template.y'] : [`${one}.a`, `${one}.b`],
    );
    expect(Object.keys(procedures)).toEqual(names);
    for (const name of names) {
      expect(plain(procedures[name]?.input), name).toEqual(plain(parseType('{ id: string }')));
      expect(procedures[name]?.output, name).toEqual({ kind: 'string' });
    }
    expect(procedures['typed.a']?.kind).toBe('mutation');
    expect(places['schema.b']).toHaveLength(1);
    expect({ ...notes }).toEqual({
      'object.a': { description: 'Of a loop.' },
      'object.b': { description: 'Of a loop.' },
    });
  });

  it('cause a warning if TypeScript knows their names only as texts', async () => {
    const code = `
for (const name of Object.keys({ a: 1 })) rpc.query(name, () => 1 as number);
for (const name of ['b', 'c']) rpc.query(name, () => 1 as number);
`;
    const notLiteral =
      'the types of a procedure whose name is not a literal cannot be inferred; in a loop, take the names from a ' +
      "list of literals, such as ['a', 'b'] as const";
    const { procedures, warnings } = await infer(project(typescript, code));
    expect(Object.keys(procedures)).toEqual([]);
    expect(warnings.map(({ place, message }) => `${place.line} ${message}`)).toEqual([
      `4 ${notLiteral}`,
      `5 ${notLiteral}`,
    ]);
  });
});
