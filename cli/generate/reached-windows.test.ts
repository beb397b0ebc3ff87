// What changes reach on Windows, where compilers name files with `/`, and declarations partly in lower case.
import { expect, it } from 'vitest';
import { onWindows } from '../files/trial-windows.js';

const files = {
  'Proj/src/rpc.ts': "import type { Task } from './tasks.js';\nimport data from './data.json';\n",
  'Proj/src/tasks.ts': 'export interface Task { id: number }\n',
  'Proj/src/other.ts': 'export const other = 1;\n',
  'Proj/src/data.json': '{}',
};

it('reach the types of files by what is imported', async () => {
  const code = `
    import { absolutePath } from './framework/files/absolute-path.ts';
    import { NamedPaths } from './framework/files/named-paths.ts';
    import { ReachedFiles } from './cli/generate/contract.ts';
    const paths = new NamedPaths();
    const at = (name: string) => paths.of('C:/Proj/src/' + name);
    const own = ['rpc.ts', 'tasks.ts', 'other.ts'].map(at);
    const compiler = {
      sources: { all: [...own, at('data.json')], own, registering: [at('rpc.ts')], withRoutes: false },
      imports: (file: string) => file.endsWith('rpc.ts') ? ['c:/proj/src/tasks.ts', 'c:/proj/src/data.json'].map((name) => paths.of(name)) : [],
      isAlwaysModule: () => false,
    };
    const reached = new ReachedFiles();
    reached.record(compiler, []);
    const rows = ['rpc.ts', 'tasks.ts', 'data.json', 'other.ts'].map((name) => {
      const changed = [absolutePath('C:\\\\Proj\\\\src\\\\' + name)];
      const reach = reached.reach(changed, absolutePath('C:\\\\Proj\\\\src\\\\rpc-contract.json'));
      return [name, reached.isReachedBy(changed), reach?.(at('rpc.ts')) ?? 'everything'];
    });
    console.log(JSON.stringify(rows));
  `;
  expect(await onWindows(code, files)).toEqual([
    ['rpc.ts', true, 'itself'],
    ['tasks.ts', true, 'imports'],
    ['data.json', true, 'everything'],
    ['other.ts', false, 'not'],
  ]);
});
