// The state of a program changes with everything that its types may depend on, and with nothing else.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AbsolutePath, absolutePath, pathIn } from '../../../framework/files/absolute-path.js';
import { isInState, namesBelow, type ProgramFiles, stateOf } from './stored-inference.js';

let base: AbsolutePath;
let root: AbsolutePath;
let program: ProgramFiles;

const typescript = fileURLToPath(new URL('../../../node_modules/typescript', import.meta.url));

function write(file: string, text: string): AbsolutePath {
  const path = pathIn(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

beforeEach(() => {
  base = absolutePath(mkdtempSync(join(tmpdir(), 'fw-state-')));
  root = pathIn(base, 'app');
  write('package.json', '{ "type": "module" }');
  write(
    'tsconfig.json',
    '{ "extends": ["../base", "shared-config"], /* own */ "references": [{ "path": "../shared" }] }',
  );
  write('../base.json', '{ "extends": "./more/base.json" }');
  write('../more/base.json', '{}');
  write('node_modules/shared-config/package.json', '{ "main": "tsconfig.json" }');
  write('node_modules/shared-config/tsconfig.json', '{}');
  write('node_modules/pack/package.json', '{}');
  write('node_modules/.package-lock.json', '{}');
  write('package-lock.json', '{}');
  write('../shared/package.json', '{}');
  write('../shared/tsconfig.json', '{}');
  symlinkSync(typescript, join(root, 'node_modules/typescript'));
  const files = [
    write('src/main.ts', 'main'),
    write('src/deep/other.ts', 'other'),
    write('src/generated.json', '{}'),
    write('node_modules/pack/index.d.ts', 'pack'),
    write('../shared/types.ts', 'shared'),
    absolutePath('bundled:///libs/lib.es5.d.ts'),
  ];
  program = { root, files, ignored: [pathIn(root, 'src/generated.json')] };
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const append = (file: string) => () => appendFileSync(pathIn(root, file), ' ');

const changes: [string, () => void][] = [
  ['own code', append('src/main.ts')],
  ['own code of another package', append('../shared/types.ts')],
  ['code that is removed', () => rmSync(join(root, 'src/deep/other.ts'))],
  ['the settings', append('tsconfig.json')],
  ['settings that these extend', append('../base.json')],
  ['settings that those extend', append('../more/base.json')],
  ['settings of a referenced project', append('../shared/tsconfig.json')],
  ['settings of a package', append('node_modules/shared-config/tsconfig.json')],
  ['settings that are missing', () => rmSync(join(base, 'more/base.json'))],
  ['package.json', append('package.json')],
  ['package.json of another package', append('../shared/package.json')],
  ['a new package.json below', () => write('src/deep/package.json', '{}')],
  ['a package', append('node_modules/pack/index.d.ts')],
  ['the package.json of a package', append('node_modules/pack/package.json')],
  ['a package that is removed', () => rmSync(join(root, 'node_modules/pack'), { recursive: true })],
  ['a package that is added', () => write('node_modules/new/index.d.ts', '')],
  ['types that are added for all', () => write('node_modules/@types/new/index.d.ts', '')],
  ['packages that are added above', () => write('../node_modules/new/index.d.ts', '')],
  ['what is installed below packages', append('node_modules/.package-lock.json')],
  ['a lock file', append('package-lock.json')],
  ['a lock file above', () => write('../pnpm-lock.yaml', '')],
  ['a new file', () => write('src/deep/other.d.ts', '')],
  ['a new file in a new folder', () => write('more/new.ts', '')],
  ['a new file beside code of another package', () => write('../shared/new.tsx', '')],
  ['a file with another name', () => renameSync(pathIn(root, 'src/main.ts'), pathIn(root, 'src/name.ts'))],
];

const others: [string, () => void][] = [
  [
    'a file that is written again',
    () => write('src/main.ts', readFileSync(join(root, 'src/main.ts'), 'utf8')),
  ],
  ['an ignored file', append('src/generated.json')],
  ['a file that is not code', () => write('src/page.html', '')],
  ['data', () => write('src/data.json', '')],
  ['a folder for tools', () => write('.git/hook.js', '')],
  ['a folder of fw', () => write('node_modules/pack/.fw/x.ts', '')],
];

describe('the state of a program', () => {
  it.each(changes)('is another one after a change of %s', (_, change) => {
    const state = stateOf(program);
    if (state === undefined) throw new Error('there is no state');
    expect(isInState(program, state)).toBe(true);
    change();
    expect(isInState(program, state)).toBe(false);
  });

  it.each(others)('stays the same after a change of %s', (_, change) => {
    const state = stateOf(program);
    change();
    expect(stateOf(program)).toEqual(state);
    expect(state).toBeDefined();
  });

  it('is another one after a package was installed whose files have the same size and time', () => {
    const file = pathIn(root, 'node_modules/pack/index.d.ts');
    utimesSync(file, 499_162_500, 499_162_500);
    const state = stateOf(program);
    writeFileSync(file, 'kcap');
    utimesSync(file, 499_162_500, 499_162_500);
    expect(stateOf(program)).not.toEqual(state);
  });

  it('does not mix up a text and the name of the next file', () => {
    const one = stateOf({ ...program, files: [write('src/a.ts', 'x'), write('src/b.ts', '')] });
    write('src/a.ts', '');
    write('src/b.ts', 'x');
    expect(stateOf({ ...program, files: [pathIn(root, 'src/a.ts'), pathIn(root, 'src/b.ts')] })).not.toEqual(
      one,
    );
  });

  it('is unknown if own code was changed since a time', () => {
    const changed = statSync(pathIn(root, 'src/deep/other.ts')).ctimeMs;
    expect(stateOf(program, Date.now() + 1000)).toBeDefined();
    expect(stateOf(program, changed)).toBeUndefined();
  });

  it.each(['src/main.ts', 'tsconfig.json', '../base.json', 'node_modules/shared-config/tsconfig.json'])(
    'is unknown without %s',
    (file) => {
      rmSync(join(root, file));
      expect(stateOf(program)).toBeUndefined();
    },
  );

  it('is not looked for in a folder with too many files', () => {
    const count = readdirSync(root, { recursive: true }).filter(
      (name) => !/^node_modules./.test(String(name)),
    ).length;
    expect(namesBelow(root, count)).toContain(pathIn(root, 'src/main.ts'));
    write('src/data', '');
    expect(() => namesBelow(root, count)).toThrow(`${root} has more than ${count} files`);
  });
});
