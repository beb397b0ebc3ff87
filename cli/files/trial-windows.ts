// A trial Windows for tests: modules of this repository run with paths, a drive and `process.platform` of Windows.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const shims = fileURLToPath(new URL('windows', import.meta.url));
const replaced: Readonly<Record<string, string>> = {
  fs: 'fs.ts',
  'fs/promises': 'fs-promises.ts',
  path: 'path.ts',
};

/**
 * Runs code, whose imports are relative to the root of the repository, and returns what it prints, as JSON.
 *
 * @param files on drive C:, by names such as `app/src/main.ts`
 */
export async function onWindows(
  code: string,
  files: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fw-windows-')));
  try {
    const drive = join(folder, 'drive');
    mkdirSync(drive);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(drive, name)), { recursive: true });
      writeFileSync(join(drive, name), text);
    }
    const outfile = join(folder, 'program.mjs');
    await build({
      stdin: { contents: code, resolveDir: repository, loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      define: { 'process.platform': '"win32"' },
      plugins: [windows],
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    const env = { ...process.env, FW_TRIAL_DRIVE: drive };
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { env, timeout: 30_000 });
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const windows: Plugin = {
  name: 'windows',
  setup({ onResolve }) {
    onResolve({ filter: /^(?:node:)?(?:path|fs|fs\/promises)$/ }, ({ path, importer }) => {
      const name = replaced[path.replace('node:', '')] ?? '';
      return dirname(importer) === shims ? { path, external: true } : { path: join(shims, name) };
    });
  },
};
