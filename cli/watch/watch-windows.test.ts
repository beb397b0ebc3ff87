// The real watcher and chokidar with paths of Windows, on a disk that ignores case.
import { expect, it } from 'vitest';
import { onWindows } from '../files/trial-windows.js';

const files = {
  'Proj/package.json': '{}',
  'Proj/src/main.ts': '',
  'Proj/src/deep/part.ts': '',
  'Proj/README.md': '',
};

it('reports what is saved on Windows', async () => {
  const code = `
    import { writeFileSync } from 'node:fs';
    import { absolutePath } from './framework/files/absolute-path.ts';
    import { Watcher } from './cli/watch/watch.ts';
    const seen: string[] = [];
    const waits: (() => void)[] = [];
    const watcher = await Watcher.open({
      root: absolutePath('c:/proj'),
      configFile: undefined,
      onFirst() {},
      onNothing() {},
      onProblem: (text) => seen.push(text),
      onChange: (changed) => { seen.push(...changed); waits.shift()?.(); },
    });
    const changed = () => new Promise<void>((settle) => waits.push(settle));
    for (const name of ['src/main.ts', 'src/deep/part.ts', 'package.json']) {
      const next = changed();
      writeFileSync('C:/Proj/README.md', 'is not watched');
      writeFileSync('C:/Proj/' + name, 'saved');
      await next;
    }
    await watcher.close();
    console.log(JSON.stringify(seen));
    process.exit();
  `;
  expect(await onWindows(code, files)).toEqual([
    'C:\\Proj\\src\\main.ts',
    'C:\\Proj\\src\\deep\\part.ts',
    'C:\\Proj\\package.json',
  ]);
});

it('ignores the same files however chokidar spells them', async () => {
  const code = `
    import { absolutePath } from './framework/files/absolute-path.ts';
    import { WatchScope } from './cli/watch/watch-scope.ts';
    const scope = new WatchScope(absolutePath('C:\\\\Proj'), undefined);
    const names = ['C:/Proj', 'C:/Proj/src', 'C:/Proj/src/deep/part.ts', 'C:/Proj/README.md', 'C:/Proj/node_modules/x', 'C:/Proj/src/node_modules/x'];
    console.log(JSON.stringify(names.map((name) => [scope.isIgnored(name), scope.isIgnored(name.replaceAll('/', '\\\\'))])));
  `;
  const [no, yes] = [
    [false, false],
    [true, true],
  ];
  expect(await onWindows(code, files)).toEqual([no, no, no, yes, yes, yes]);
});
