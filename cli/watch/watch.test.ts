// Which files count as a change, and how several writes become one change.
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AbsolutePath, absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { makeProject } from '../dev/trial-app.js';
import { Watcher } from './watch.js';
import { changesEnvironment, isTemporary } from './watch-scope.js';

describe('isTemporary', () => {
  it.each([
    '.main.ts.swp',
    'main.ts~',
    '#main.ts#',
    '.#main.ts',
    '4913',
    'x.tmp',
    'a.ts.tmp.123',
    'x___jb_tmp___',
    '.DS_Store',
  ])('is true for %s', (name) => expect(isTemporary(`/app/src/${name}`)).toBe(true));
  it.each(['main.ts', 'tmp.ts', 'swp.ts', 'template.html', '.env'])('is false for %s', (name) =>
    expect(isTemporary(`/app/src/${name}`)).toBe(false),
  );
});

describe('changesEnvironment', () => {
  it.each([
    ['package.json', true],
    ['.env', true],
    ['fw.toml', true],
    ['tsconfig.json', true],
    ['tsconfig.app.json', true],
    ['node_modules/.package-lock.json', true],
    ['node_modules/.modules.yaml', true],
    ['node_modules/.yarn-state.yml', true],
    ['node_modules/.yarn-integrity', true],
    ['node_modules/x/package.json', false],
    ['src/main.ts', false],
    ['src/package.json', false],
    ['README.md', false],
  ])('%s: %s', (name, expected) =>
    expect(changesEnvironment(absolutePath(join('/app', name)), absolutePath('/app'))).toBe(expected),
  );
});

describe('Watcher', () => {
  let root: AbsolutePath;
  let watcher: Watcher;
  let changes: string[][];
  let nothing: number;
  let wake: () => void;
  let first: () => void;
  beforeEach(async () => {
    root = makeProject({ 'src/main.ts': 'one', 'src/other.ts': 'x', 'README.md': '' });
    // Not just now, as most files.
    utimesSync(join(root, 'src/main.ts'), 1_700_000_000.5, 1_700_000_000.5);
    changes = [];
    nothing = 0;
    first = () => {};
    watcher = await open();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await watcher.close();
    rmSync(root, { recursive: true });
  });

  const open = (): Promise<Watcher> =>
    Watcher.open({
      root,
      configFile: undefined,
      onFirst: () => first(),
      onNothing: () => {
        nothing += 1;
        wake();
      },
      onChange: (files) => {
        changes.push(files.map((file) => file.slice(root.length + 1).replaceAll('\\', '/')).sort());
        wake();
      },
      onProblem: (text) => {
        throw new Error(text);
      },
    });

  const next = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });

  it('reports several files written together as one change', async () => {
    const change = next();
    writeFileSync(join(root, 'README.md'), 'not watched');
    writeFileSync(join(root, 'src/main.ts'), 'two');
    writeFileSync(join(root, 'src/other.ts'), 'y');
    await change;
    expect(changes).toEqual([['src/main.ts', 'src/other.ts']]);
  });

  it('reports a second save that follows immediately', async () => {
    let change = next();
    writeFileSync(join(root, 'src/main.ts'), 'two');
    await change;
    change = next();
    writeFileSync(join(root, 'src/main.ts'), 'three');
    await change;
    expect(changes).toEqual([['src/main.ts'], ['src/main.ts']]);
  });

  it('reports no change of rights, and the next save', async () => {
    chmodSync(join(root, 'src/main.ts'), 0o600);
    let change = next();
    writeFileSync(join(root, '.env'), 'A=1');
    await change;
    expect(changes).toEqual([['.env']]);
    change = next();
    writeFileSync(join(root, 'src/main.ts'), 'two');
    await change;
    expect(changes).toEqual([['.env'], ['src/main.ts']]);
  });

  it('reports what links lead to by its real path, and settings by their own', async () => {
    mkdirSync(join(root, 'shared'));
    for (const name of ['part.ts', 'package.json']) writeFileSync(join(root, 'shared', name), '1');
    symlinkSync('../shared', join(root, 'src/link'));
    rmSync(join(root, 'package.json'));
    symlinkSync('shared/package.json', join(root, 'package.json'));
    await watcher.close();
    watcher = await open();
    let change = next();
    writeFileSync(join(root, 'shared/part.ts'), '22');
    await change;
    change = next();
    writeFileSync(join(root, 'shared/package.json'), '22');
    await change;
    expect(changes.flat()).toContain('shared/part.ts');
    expect(changes.flat()).toContain('package.json');
  });

  it('reports a file of the same size and time that takes the place of another', async () => {
    const [file, other] = [join(root, 'src/main.ts'), join(root, 'src/new.txt')];
    const { atime, mtime } = statSync(file);
    writeFileSync(other, 'six');
    utimesSync(other, atime, mtime);
    const change = next();
    renameSync(other, file);
    await change;
    expect(changes.flat()).toContain('src/main.ts');
  });

  it('waits for the second half of a truncate and write', async () => {
    const change = next();
    truncateSync(pathIn(root, 'src/main.ts'));
    setTimeout(() => writeFileSync(join(root, 'src/main.ts'), 'two'), 20);
    await change;
    expect(changes).toEqual([['src/main.ts']]);
  });

  it('reports the file of an editor that writes a temporary file and renames it', async () => {
    const change = next();
    writeFileSync(join(root, 'src/sedXyz'), 'two');
    renameSync(pathIn(root, 'src/sedXyz'), pathIn(root, 'src/main.ts'));
    await change;
    expect(changes.flat()).toContain('src/main.ts');
    expect(changes.flat()).not.toContain('src/sedXyz');
  });

  it('reports that there was no change if a file was created and deleted', async () => {
    const change = next();
    writeFileSync(join(root, 'src/ghost'), 'x');
    first = () => unlinkSync(pathIn(root, 'src/ghost'));
    await change;
    expect([changes, nothing]).toEqual([[], 1]);
  });

  it('reports settings that are created later, and sources outside of src', async () => {
    let change = next();
    writeFileSync(join(root, '.env'), 'A=1');
    await change;
    change = next();
    watcher.alsoWatch(new Map([[pathIn(root, 'README.md'), undefined]]), []);
    writeFileSync(join(root, 'README.md'), 'at once');
    await change;
    expect(changes.slice(0, 2)).toEqual([['.env'], ['README.md']]);
  });

  it('finds a source outside of src again whose folders were removed and created again', async () => {
    const file = pathIn(root, 'packages/shared/src/make.ts');
    const create = (): void => {
      mkdirSync(pathIn(root, 'packages/shared/src'), { recursive: true });
      writeFileSync(file, 'one');
    };
    create();
    watcher.alsoWatch(new Map([[file, undefined]]), []);
    const steps: (() => void)[] = [
      () => writeFileSync(file, 'two'),
      () => rmSync(pathIn(root, 'packages'), { recursive: true }),
      create,
      () => writeFileSync(file, 'a text of another length'),
      () => rmSync(pathIn(root, 'packages'), { recursive: true }),
      create,
      () => writeFileSync(file, 'a longer text of another length'),
    ];
    for (const step of steps) {
      const change = next();
      step();
      await change;
    }
    expect(changes).toEqual(steps.map(() => ['packages/shared/src/make.ts']));
  });

  it('ends the search for such a source when it is closed', async () => {
    const began = vi.spyOn(globalThis, 'setInterval');
    const ended = vi.spyOn(globalThis, 'clearInterval');
    const folder = pathIn(root, 'packages/shared');
    mkdirSync(folder, { recursive: true });
    writeFileSync(pathIn(folder, 'make.ts'), 'one');
    watcher.alsoWatch(new Map([[pathIn(folder, 'make.ts'), undefined]]), []);
    for (const step of [
      () => writeFileSync(pathIn(folder, 'make.ts'), 'two'),
      () => rmSync(folder, { recursive: true }),
    ]) {
      const change = next();
      step();
      await change;
    }
    const searches = began.mock.results.map((result) => result.value as NodeJS.Timeout);
    expect(searches).toHaveLength(1);
    await watcher.close();
    expect(ended.mock.calls).toEqual([[searches[0]]]);
  });
});
