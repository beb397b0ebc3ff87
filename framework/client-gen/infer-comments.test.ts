import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compilers, infer, project, removeProjects } from '../conformance/inferred-project.js';

afterAll(removeProjects);

describe.each(compilers)('comments of procedures, with %s', { timeout: 60_000 }, (_name, typescript) => {
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
/** Of the constant. @deprecated is no tag here
 * @deprecated use other
 */
const constant = () => 1 as number;
rpc.query('function', declared).query('constant', constant).query('imported', renamed);
rpc.query('property', handlers.own).query('inline', /** Inline. */ () => 1 as number);
/** Of the call. */
rpc.query('call', constant);
rpc.query('none', undocumented);
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
      constant: { description: 'Of the constant. @deprecated is no tag here', deprecated: 'use other' },
      imported: { description: 'Imported.' },
      property: { description: 'Of a property.' },
      inline: { description: 'Inline.' },
      call: { description: 'Of the call.' },
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
