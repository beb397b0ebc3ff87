// Builds that failed by a file, with the errors of the real compiler.
import { rmSync } from 'node:fs';
import * as esbuild from 'esbuild';
import { afterEach, expect, it } from 'vitest';
import { type AbsolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { makeProject } from '../dev/trial-app.js';
import { buildErrorFiles, withNearestFile } from './build-error-files.js';

let root: AbsolutePath;
afterEach(() => rmSync(root, { recursive: true }));

it('names the files with errors, and all paths at which a missing file could be', async () => {
  root = makeProject({
    'src/main.ts': "import '../data/gone.js'; import './broken.js'; import 'nobody';",
    'src/broken.ts': 'const x = ;',
  });
  const errors = await errorsOf('src/main.ts');
  expect(buildErrorFiles(errors, root).sort()).toEqual(
    ['data/gone.js', 'data/gone.js.ts', 'data/gone.ts', 'src/broken.ts', 'src/main.ts'].map((name) =>
      pathIn(root, name),
    ),
  );
});

it.each([
  ['./acounts.ts', '; did you mean "./accounts.ts"?'],
  ['../src/rpc/indx.ts', '; did you mean "../src/rpc/index.ts"?'],
  ['./tasks.ts', ''],
  ['./acounts.js', ''],
  ['./nowhere/acounts.ts', ''],
])('says for %s which file was meant', async (path, hint) => {
  root = makeProject({
    'src/main.ts': `import '${path}';`,
    'src/accounts.ts': '',
    'src/rpc/index.ts': '',
  });
  const texts = (await errorsOf('src/main.ts')).map((error) => withNearestFile(error, root).text);
  expect(texts).toEqual([`Could not resolve "${path}"${hint}`]);
});

it('leaves errors of other kinds as they are', async () => {
  root = makeProject({ 'src/main.ts': "import 'nobody'; const x = ;" });
  for (const error of await errorsOf('src/main.ts')) expect(withNearestFile(error, root)).toBe(error);
});

async function errorsOf(entry: string): Promise<esbuild.Message[]> {
  const options = { absWorkingDir: root, bundle: true, write: false, logLevel: 'silent' } as const;
  return esbuild.build({ entryPoints: [entry], ...options }).then(
    ({ errors }) => errors,
    ({ errors }: esbuild.BuildFailure) => errors,
  );
}
