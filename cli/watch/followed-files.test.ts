// Changes from before the watcher was created are not missed, with a real watcher and real files.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AbsolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { makeProject } from '../dev/trial-app.js';
import { FollowedFiles } from './followed-files.js';
import { Watcher } from './watch.js';

let root: AbsolutePath;
let app: AbsolutePath;
let watcher: Watcher | undefined;
let followed: FollowedFiles;
let changes: string[];
let wake: () => void;

beforeEach(() => {
  root = makeProject({
    'app/src/main.ts': 'one',
    'data/j.ts': '1',
    'lib/dist/deep/part.js': '1',
    'lib/x.ts': '',
  });
  app = pathIn(root, 'app');
  followed = new FollowedFiles();
  changes = [];
  wake = () => {};
});
afterEach(async () => {
  await watcher?.close();
  rmSync(root, { recursive: true });
});

async function attach(): Promise<void> {
  watcher = await Watcher.open({
    root: app,
    configFile: undefined,
    onFirst: () => {},
    onNothing: () => {},
    onChange(files) {
      changes.push(...files.map((file) => file.slice(root.length + 1).replaceAll('\\', '/')));
      wake();
    },
    onProblem: (text) => {
      throw new Error(text);
    },
  });
  followed.attach(watcher);
}

const change = (): Promise<void> =>
  new Promise((settle) => {
    wake = settle;
  });

const bundle = (inputs: AbsolutePath[], linked: AbsolutePath[] = []) => ({ inputs, linked });

describe('files of a bundle that was built before the watcher was created', () => {
  it('are followed', async () => {
    followed.addBundle(bundle([pathIn(root, 'data/j.ts')]));
    await attach();
    const changed = change();
    writeFileSync(join(root, 'data/j.ts'), '2');
    await changed;
    expect(changes).toEqual(['data/j.ts']);
  });

  it('are reported if they were changed in between, in src too', async () => {
    followed.addBundle(bundle([pathIn(app, 'src/main.ts'), pathIn(root, 'data/j.ts')]));
    writeFileSync(join(app, 'src/main.ts'), 'two!');
    writeFileSync(join(root, 'data/j.ts'), '22');
    const changed = change();
    await attach();
    await changed;
    expect(changes.sort()).toEqual(['app/src/main.ts', 'data/j.ts']);
  });
});

describe('a folder of a linked package', () => {
  it('is followed with its subfolders, but not the rest of the package', async () => {
    followed.addBundle(bundle([], [pathIn(root, 'lib/dist')]));
    await attach();
    const changed = change();
    // Repeated until the watcher has found the folder.
    const writes = setInterval(() => {
      writeFileSync(join(root, 'lib/x.ts'), 'export {};');
      writeFileSync(join(root, 'lib/dist/types.d.ts'), '');
      writeFileSync(join(root, 'lib/dist/deep/part.js'), `${Date.now()}`);
    }, 30);
    await changed;
    clearInterval(writes);
    expect([...new Set(changes)]).toEqual(['lib/dist/deep/part.js']);
    expect(followed.isLinked(pathIn(root, 'lib/dist/deep/part.js'))).toBe(true);
    expect(followed.isLinked(pathIn(root, 'lib/x.ts'))).toBe(false);
  });
});
