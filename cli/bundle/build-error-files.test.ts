// Which files may fix a failed build, with the errors of the real compiler.
import { rmSync } from 'node:fs';
import * as esbuild from 'esbuild';
import { afterEach, expect, it } from 'vitest';
import { type AbsolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { makeProject } from '../dev/trial-app.js';
import { buildErrorFiles } from './build-error-files.js';

let root: AbsolutePath;
afterEach(() => rmSync(root, { recursive: true }));

it('names the files with errors, and all paths at which a missing file could be', async () => {
  root = makeProject({
    'src/main.ts': "import '../data/gone.js'; import './broken.js'; import 'nobody';",
    'src/broken.ts': 'const x = ;',
  });
  const failed = await esbuild
    .build({
      entryPoints: ['src/main.ts'],
      absWorkingDir: root,
      bundle: true,
      write: false,
      logLevel: 'silent',
    })
    .catch((error: esbuild.BuildFailure) => error);
  expect(buildErrorFiles(failed.errors, root).sort()).toEqual(
    ['data/gone.js', 'data/gone.js.ts', 'data/gone.ts', 'src/broken.ts', 'src/main.ts'].map((name) =>
      pathIn(root, name),
    ),
  );
});
