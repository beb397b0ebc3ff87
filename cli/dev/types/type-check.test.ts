// The type check with the real compiler: the app's own settings, and projects that it only references.
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { TypeProblem } from '../report/dev-report.js';
import { makeProject } from '../trial-app.js';
import { TypeCheck } from './type-check.js';

const require = createRequire(import.meta.url);
const compiler = dirname(require.resolve('typescript/package.json'));
const options = '"compilerOptions": { "strict": true, "noEmit": true, "types": [], "lib": ["es2022"] }';

let root: string;
let check: TypeCheck | undefined;
let verdict: (problems: TypeProblem[]) => void;
afterEach(() => {
  check?.cancel();
  rmSync(root, { recursive: true, force: true });
});

function open(files: Record<string, string>): void {
  root = makeProject(files);
  symlinkSync(compiler, join(root, 'node_modules/typescript'));
  check = TypeCheck.of(root, undefined, join(root, 'node_modules/.fw'), (problems) => verdict(problems));
}

function next(): Promise<string[]> {
  return new Promise((settle) => {
    verdict = (problems) =>
      settle(problems.map(({ file, line, text }) => `${file}:${line} ${text.slice(0, 6)}`));
    check?.schedule();
  });
}

describe('the check of types', () => {
  it('reports errors with their places, and when there are none any more', async () => {
    open({
      'tsconfig.json': `{ ${options}, "include": ["src"] }`,
      'src/a.ts': 'const x: number = "";\nexport { x };\n',
    });
    expect(await next()).toEqual(['src/a.ts:1 TS2322']);
    writeFileSync(join(root, 'src/a.ts'), 'export const x: number = 1;\n');
    expect(await next()).toEqual([]);
  });

  it('checks the projects that a tsconfig.json without files references', async () => {
    open({
      'tsconfig.json':
        '{\n // A solution.\n "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./lib" }] }',
      'tsconfig.app.json': `{ ${options}, "include": ["src"] }`,
      'src/a.ts': 'export const x: number = "";\n',
      'lib/tsconfig.json': `{ ${options}, "include": ["*.ts"] }`,
      'lib/b.ts': 'export const y: string = 1;\n',
    });
    expect((await next()).sort()).toEqual(['lib/b.ts:1 TS2322', 'src/a.ts:1 TS2322']);
  });

  it('is skipped without settings or compiler', () => {
    root = makeProject({});
    expect(TypeCheck.of(root, undefined, root, () => {})).toBeUndefined();
    writeFileSync(join(root, 'tsconfig.json'), '{}');
    expect(TypeCheck.of(root, undefined, root, () => {})).toBeUndefined();
  });
});
