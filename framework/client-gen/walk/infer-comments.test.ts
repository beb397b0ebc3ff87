import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compilers, infer, project, removeProjects } from '../../conformance/inferred-project.js';
import { contractText } from '../../rpc/contract/contract-text.js';
import { RpcMode, RpcRegistry } from '../../rpc/index.js';

afterAll(removeProjects);

describe.each(compilers)('comments of procedures, with %s', (_name, typescript) => {
  const notesOf = async (code: string, others: Readonly<Record<string, string>> = {}) => {
    const directory = project(typescript, code);
    for (const [file, text] of Object.entries(others)) writeFileSync(join(directory, 'src', file), text);
    return { ...(await infer(directory)).notes };
  };

  it('are those before the call, of every call in a chain', async () => {
    const code = `
/**
 * Lists users.
 * @example
 * await client.list();
 */
rpc.query('list', () => 1 as number) // not this
  .query('bare', () => 1 as number) /** of the line, not of the next */
  .query('other', () => 1 as number)
  /** Renames. */
  .mutation('rename', { input: {}, output: {} }, () => 1)
  . /** Inside. */ queryWithTypes('texts', () => 1, 'void', 'number');
/** The variable, not the procedure. */
const second = new RpcRegistry().query('of.variable', () => 1 as number);
export function add() {
  /** @deprecated */
  second.query('in.function', { input: {}, output: {} }, () => 1);
}
`;
    expect(await notesOf(code)).toEqual({
      list: { description: 'Lists users.\n\nExample:\n\n```ts\nawait client.list();\n```' },
      rename: { description: 'Renames.' },
      texts: { description: 'Inside.' },
      'in.function': { deprecated: true },
    });
  });

  it('or else those of the handler, wherever it is declared', async () => {
    const code = `
import { imported as renamed, handlers } from './handlers.js';
/** Of the function. */
async function declared(input: { id: string }) { return 1 as number; }
/** Of the constant, \`@deprecated\` in code.
 * @deprecated use other
 */
const constant = () => 1 as number;
rpc.query('function', declared).query('constant', constant).query('imported', renamed);
rpc.query('property', handlers.own).query('inline', /** Inline. */ () => 1 as number);
/** Of the call. */
rpc.query('call', constant);
rpc.query('none', undocumented);
rpc.query('alone', /** Alone. */ () => 1 as number);
const undocumented = () => 1 as number;
`;
    const handlers = `
/** Imported. */
export const imported = (input: { a: string }): number => 1;
export const handlers = {
  /** Of a property. */
  own: (): number => 1,
};`;
    expect(await notesOf(code, { 'handlers.ts': handlers })).toEqual({
      function: { description: 'Of the function.' },
      constant: { description: 'Of the constant, `@deprecated` in code.', deprecated: 'use other' },
      imported: { description: 'Imported.' },
      property: { description: 'Of a property.' },
      inline: { description: 'Inline.' },
      call: { description: 'Of the call.' },
      alone: { description: 'Alone.' },
    });
  });

  it('are replaced by options, one by one', async () => {
    const code = `
/** Comment. @x
 * @deprecated use b
 */
rpc.query('a', { description: 'Option.' }, () => 1 as number);
/**
 * Comment.
 * @deprecated
 */
rpc.query('b', { deprecated: false }, () => 1 as number);
/** Comment. */
rpc.query('c', { description: 'Option.', deprecated: true }, () => 1 as number);
const options = { description: 'Option.' };
/** Comment. */
rpc.query('d', options, () => 1 as number);
/** Comment. */
rpc.query('e', {} as Record<string, object>, () => 1 as number);
`;
    expect(await notesOf(code)).toEqual({
      a: { deprecated: 'use b' },
      b: { description: 'Comment.' },
      e: { description: 'Comment.' },
    });
  });

  it('are the first in the order of files, if several registries have the procedure', async () => {
    const register = (comment: string) =>
      `import { RpcRegistry } from './registry.js';\n/** ${comment} */\nnew RpcRegistry().query('a', () => 1 as number);`;
    const notes = await notesOf("/** Main. */\nrpc.query('a', () => 1 as number);", {
      'z.ts': register('Z.'),
      'b.ts': register('B.'),
    });
    expect(notes).toEqual({ a: { description: 'B.' } });
  });
});

describe.each(compilers)('comments of types, with %s', (_name, typescript) => {
  const code = `
/**
 * Who uses the shop.
 * @deprecated use Person
 */
export interface User {
  /** Shown to others. @default Ada */
  name: string;
  /**
   * From 1 to 100.
   * @default 10
   * @example 25
   * @example 50
   */
  size?: number;
  /** @default 'asc' */
  sort?: 'asc' | 'desc';
  /** @default asc */
  order?: string;
  /** @default 10 */
  text?: string;
  /** @deprecated */
  old: boolean;
  /**
   * Where.
   * @default process.cwd()
   * @example at(1)
   * @deprecated use place
   */
  at: number[];
  /** @internal */
  inner: null;
  /** @example { "id": "1" } */
  boss?: User;
}
rpc.query('get', (input: {
  /** The id. @x
   * @example 'a*b'
   */
  id: string;
}): User => null!);
`;

  it('are descriptions and annotations', async () => {
    const { named, procedures } = await infer(project(typescript, code));
    expect(named.User).toMatchObject({
      description: 'Who uses the shop.\n\nDeprecated: use Person',
      notes: { deprecated: true },
    });
    const fields = named.User?.kind === 'object' ? named.User.fields : [];
    const said = fields.map(({ name, description, type: { notes } }) => [name, description, notes]);
    expect(said).toEqual([
      ['name', 'Shown to others.', { default: 'Ada' }],
      ['size', 'From 1 to 100.', { default: 10, examples: [25, 50] }],
      ['sort', undefined, { default: 'asc' }],
      ['order', undefined, { default: 'asc' }],
      ['text', undefined, { default: '10' }],
      ['old', undefined, { deprecated: true }],
      [
        'at',
        'Where.\n\nExample:\n\n```ts\nat(1)\n```\n\nDefault: process.cwd()\n\nDeprecated: use place',
        { deprecated: true },
      ],
      ['inner', undefined, undefined],
      ['boss', undefined, { examples: [{ id: '1' }] }],
    ]);
    expect(procedures.get?.input).toMatchObject({
      fields: [{ name: 'id', type: { notes: { examples: ['a*b'] } } }],
    });
  });

  it('reach the client and both documents through the contract, and are not part of the types', async () => {
    const text = contractText(await infer(project(typescript, code)));
    const registry = (contract: unknown, mode: RpcMode = RpcMode.JsonRpc) =>
      RpcRegistry.withMode(mode)
        .loadContract(contract)
        .query('get', () => null);
    const rpc = registry(JSON.parse(text));
    const client = rpc.generateClient();
    expect(client).toContain('  /**\n   * From 1 to 100.\n   * @default 10\n   */\n  size?: number;');
    expect(client).toContain(
      '/**\n * Who uses the shop.\n *\n * Deprecated: use Person\n * @deprecated\n */\nexport type User',
    );
    const schemas = registry(JSON.parse(text), RpcMode.Rest).generateOpenapi('a', '1', '/').toJSON()
      .components?.schemas;
    expect(schemas?.User).toMatchObject({
      deprecated: true,
      properties: { size: { description: 'From 1 to 100.', default: 10, example: 25 } },
    });
    const document = await rpc.discoverable({ title: 'a', version: '1' }).call('rpc.discover');
    expect(document).toMatchObject({
      components: { schemas: { User: { properties: { size: { default: 10, examples: [25, 50] } } } } },
    });
    const bare = contractText(await infer(project(typescript, code.replace(/\/\*\*[\s\S]*?\*\//g, ''))));
    expect(bare).not.toContain('/*');
    const hash = (from: string): unknown =>
      /hash: "\w+"/.exec(registry(JSON.parse(from)).generateClient())?.[0];
    expect(hash(bare)).toBe(hash(text));
  });
});
