// `fw dev` as a separate process, built from the current sources, for the tests of the session.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { type DevSession, type DevSessionOptions, startDev } from '../../e2e/dev-session.js';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import { makeProject } from './trial-app.js';

const sources = fileURLToPath(new URL('..', import.meta.url));
let built: Promise<string> | undefined;

/** The binary as JavaScript, laid out as in the package. */
export function builtBinary(): Promise<string> {
  built ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fw-binary-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'package.json'), '{"name":"fw","version":"0.0.0","type":"module"}');
    await esbuild.build({
      entryPoints: [
        'main',
        'dev/worker/worker',
        'generate/entry-process',
        'generate/generator',
        'process/sources/source-hooks',
      ].map((name) => join(sources, `${name}.ts`)),
      outdir: join(folder, 'cli'),
      bundle: true,
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      external: ['esbuild', 'typescript', 'fw'],
      banner: {
        js: "import { createRequire as __fwCreateRequire } from 'node:module'; const require = __fwCreateRequire(import.meta.url);",
      },
    });
    return join(folder, 'cli/main.js');
  })();
  return built;
}

/** Makes a folder with the files, and the package `esbuild` for the apps in it. */
export function makeWorkspace(files: Record<string, string>): AbsolutePath {
  const root = makeProject(files);
  const esbuildFolder = dirname(createRequire(import.meta.url).resolve('esbuild/package.json'));
  symlinkSync(esbuildFolder, join(root, 'node_modules/esbuild'));
  return root;
}

export async function startSession(options: Omit<DevSessionOptions, 'binary'>): Promise<DevSession> {
  return startDev({ ...options, binary: await builtBinary() });
}
