// One name for types that several files declare: one type if they mean the same.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compilers, infer, project, removeProjects } from '../conformance/inferred-project.js';
import { plain } from '../conformance/plain-type.js';
import { parseType } from '../wire/read/parse-type.js';

afterAll(removeProjects);

const other = `
export interface Tag { name: string }
export interface Item { tags: Tag[]; parent?: Item; id: string }
export type Either = { b: 1 } | { a: 1 };
export interface Odd { inner: Wrong }
export interface Wrong { b: number }
`;
const code = `
import type * as theirs from './other.js';
export interface Item { id: string; tags: Tag[]; parent?: Item }
export interface Tag { name: string }
export type Either = { a: 1 } | { b: 1 };
rpc.query('first', (input: { mine: Item; theirs: theirs.Item; either: Either; or: theirs.Either }) => 1);
rpc.query('second', (input: theirs.Tag): theirs.Item | undefined => undefined);
rpc.query('third', (input: Tag): Item | undefined => undefined);
`;

describe.each(compilers)('types of one name, with %s', (_name, typescript) => {
  it('are one if they mean the same, in inputs and outputs, recursive ones too', async () => {
    const directory = project(typescript, code);
    writeFileSync(join(directory, 'src/other.ts'), other);
    const { procedures, named } = await infer(directory);
    expect(Object.keys(named).sort()).toEqual(['Either', 'Item', 'Tag']);
    expect(plain(named.Item)).toEqual(plain(parseType('{ id: string; parent?: Item; tags: Tag[] }')));
    expect(plain(procedures.first?.input)).toEqual(
      plain(parseType('{ either: Either; mine: Item; or: Either; theirs: Item }')),
    );
    for (const name of ['second', 'third']) {
      expect(plain(procedures[name]?.input)).toEqual(plain(parseType('Tag')));
      expect(plain(procedures[name]?.output)).toEqual(plain(parseType('Item | null')));
    }
  });

  it('are refused if a type inside of them is another one', async () => {
    const directory = project(
      typescript,
      `import type * as theirs from './other.js';
export interface Wrong { a: string }
export interface Odd { inner: Wrong }
rpc.query('a', (input: { mine: Odd; theirs: theirs.Odd }) => 1);`,
    );
    writeFileSync(join(directory, 'src/other.ts'), other);
    const error = await infer(directory).catch((thrown: unknown) => thrown as Error);
    expect((error as Error).message.replaceAll(directory, '')).toContain(
      '/src/other.ts:6:1: two types are named Wrong, here and at /src/main.ts:4; rename one of them',
    );
  });
});
