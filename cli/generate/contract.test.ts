import { afterAll, describe, expect, it } from 'vitest';
import { compilers, infer, project, removeProjects } from '../../framework/conformance/inferred-project.js';
import { contractText } from '../../framework/rpc/contract/contract-text.js';

const code = `
type Priority = 'low' | 'normal' | 'high';
interface Task { title: string; id: number; priority: Priority; at: Date; tags?: ('b' | 'a')[]; parent?: Task | null }
type Shape = { kind: 'square'; side: number } | { kind: 'circle'; radius: number } | null;
rpc.query('list', async (input: { priority?: Priority; flag: boolean | 'auto' }): Promise<Task[]> => []);
rpc.mutation('draw', (input: Shape): [Shape, ...Priority[]] => [input]);
rpc.query('table', (): Record<string, 3 | 1 | 2> => ({}));
`;

/** The same types, written in another order. */
const reordered = code
  .replace("'low' | 'normal' | 'high'", "'high' | 'low' | 'normal'")
  .replace('title: string; id: number;', 'id: number; title: string;')
  .replace('3 | 1 | 2', '1 | 2 | 3')
  .split('\n')
  .filter((line) => line !== '')
  .sort((a, b) => Number(a.startsWith('rpc')) - Number(b.startsWith('rpc')) || (a < b ? 1 : -1))
  .join('\n');

afterAll(removeProjects);

describe('the text of a contract', () => {
  it('is the same for every compiler and every order of declarations', {
    timeout: 60_000,
  }, async () => {
    const texts = new Set<string | undefined>();
    for (const [, typescript] of compilers) {
      for (const source of [code, reordered])
        texts.add(contractText(await infer(project(typescript, source))));
    }
    const [text] = texts;
    expect(texts.size, [...texts].join('\n')).toBe(1);
    expect(text).toBe(`{
  "version": 2,
  "procedures": {
    "draw": ["mutation", "Shape", "[Shape, ...Priority[]]"],
    "list": ["query", "{ flag: 'auto' | boolean, priority?: 'high' | 'low' | 'normal' }", "Task[]"],
    "table": ["query", "void", "{ [key: string]: 1 | 2 | 3 }"]
  },
  "named": {
    "Priority": "'high' | 'low' | 'normal'",
    "Shape": "null | { kind: 'circle', radius: number } | { kind: 'square', side: number }",
    "Task": "{ at: Date, id: number, parent?: null | Task, priority: Priority, tags?: ('a' | 'b')[], title: string }"
  }
}
`);
  });
});
