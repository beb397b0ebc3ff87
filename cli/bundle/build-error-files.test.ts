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
  ['./acounts.js', '; did you mean "./accounts.js"?'],
  ['./acounts', '; did you mean "./accounts"?'],
  ['./accounts.mjs', '; did you mean "./accounts.ts"?'],
  ['./accounts.ts/', '; did you mean "./accounts.ts"?'],
  ['./lib', '; did you mean "./lib.mjs"?'],
  ['./user.service', '; did you mean "./user.service.mts"?'],
  ['./usr.service', '; did you mean "./user.service.mts"?'],
  ['./check', ''],
  ['./notes.ts', ''],
  ['./nowhere/acounts.ts', ''],
])('says for %s which file was meant', async (path, hint) => {
  root = makeProject({
    'src/main.ts': `import '${path}';`,
    'src/accounts.ts': '',
    'src/home.ts': '',
    'src/lib.mjs': '',
    'src/user.service.mts': '',
    'src/check.test.ts': '',
    'src/rpc/index.ts': '',
  });
  const texts = (await errorsOf('src/main.ts')).map((error) => withNearestFile(error, root).text);
  expect(texts).toEqual([`Could not resolve "${path}"${hint}`]);
});

it('says how a file is read that is not code', async () => {
  root = makeProject({ 'src/main.ts': "/* é */ import a from './a.sql'; a;", 'src/a.sql': '' });
  const [error] = (await errorsOf('src/main.ts')).map((one) => withNearestFile(one, root).text);
  expect(error).toBe(
    `No loader is configured for ".sql" files: src/a.sql; only code and JSON are imported, a text is read by readFileSync(new URL('./a.sql', import.meta.url), 'utf8')`,
  );
});

it('says of the entry where it is named', async () => {
  root = makeProject({ 'src/server.ts': '' });
  const [error] = (await errorsOf('./src/main.ts')).map((one) => withNearestFile(one, root).text);
  expect(error).toBe(
    'Could not resolve "./src/main.ts", which starts the app; name another file by entry under [dev] of fw.toml',
  );
});

// On macOS and Windows it is the same file.
it.runIf(process.platform === 'linux')('says which file was meant whose name differs in case', async () => {
  root = makeProject({ 'src/main.ts': "import './App.ts';", 'src/app.ts': '' });
  const errors = await errorsOf('src/main.ts');
  const [error] = errors.map((one) => withNearestFile(one, root).text);
  expect(error).toMatch(
    /^Cannot read file: .*App\.ts; did you mean "app\.ts"\? Names differ in capital letters$/,
  );
  expect(buildErrorFiles(errors, root)).toContain(pathIn(root, 'src/App.ts'));
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
