// The tarball that `fw` makes of itself: what is in it, and that it is the same everywhere.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseTar } from 'nanotar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { packageRoot } from '../process/package-root.js';
import { packPackage, publishedFiles } from './own-package.js';

let root: string;
const files: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: 'fw',
    version: '1.2.3',
    bin: { fw: 'dist/cli/main.js' },
    files: ['dist', '!dist/.built', 'docs/*.md', 'CHANGELOG.md'],
  }),
  'README.md': '# fw\n',
  LICENSE: 'MIT',
  'CHANGELOG.md': 'none',
  'dist/.built': '',
  'dist/cli/main.js': '#!/usr/bin/env node\n',
  'dist/index.js': 'export {};\n',
  'docs/a.md': 'ä',
  'docs/a.txt': 'not published',
  'node_modules/ws/index.js': 'not published',
  'notes.md': 'not published',
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fw-own-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterEach(() => rmSync(root, { recursive: true }));

function entries(content: Uint8Array): { name: string; mode: string; text: string }[] {
  const tar = new Uint8Array(gunzipSync(content));
  return parseTar(tar).map((file) => ({ name: file.name, mode: file.attrs?.mode ?? '', text: file.text }));
}

describe('the tarball', () => {
  it('has the published files, and the binary can be run', () => {
    const { version, content } = packPackage(root);
    expect(version).toBe('1.2.3');
    expect(entries(content)).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'dist/cli/main.js',
        'dist/index.js',
        'docs/a.md',
        'package.json',
      ].map((path) => ({
        name: `package/${path}`,
        mode: path === 'dist/cli/main.js' ? '0000755' : '0000644',
        text: files[path],
      })),
    );
  });

  it('has the same bytes from another folder, with other modes and times, and on every machine', () => {
    const first = packPackage(root).content;
    const copy = join(root, 'copy');
    for (const path of Object.keys(files)) cpSync(join(root, path), join(copy, path));
    chmodSync(join(copy, 'dist/cli/main.js'), 0o600);
    chmodSync(join(copy, 'dist/index.js'), 0o777);
    utimesSync(join(copy, 'README.md'), 1, 1);
    expect(packPackage(copy).content).toEqual(first);
    expect(createHash('sha256').update(first).digest('hex')).toBe(
      'cddf8659ed465083141fcf329bb889549f0846fd44d6d701e5409e1522f4613e',
    );
  });

  it('is what tar reads', (context) => {
    if (process.platform === 'win32') context.skip('there may be no tar');
    writeFileSync(join(root, 'fw.tgz'), packPackage(root).content);
    const listed = execFileSync('tar', ['-tzf', join(root, 'fw.tgz')], { encoding: 'utf8' });
    expect(listed.split('\n')).toContain('package/dist/cli/main.js');
  });

  it('is not made of half a package', () => {
    rmSync(join(root, 'dist'), { recursive: true });
    expect(() => packPackage(root)).toThrow(
      `${join(root, 'dist')} is missing, which belongs to the package fw`,
    );
  });
});

it('has the files of this checkout that npm publishes', () => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: packageRoot(),
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [pack] = Object.values(JSON.parse(output)) as { files: { path: string; mode: number }[] }[];
  expect(publishedFiles(packageRoot(), packageJson.files)).toEqual(
    pack?.files.map(({ path }) => path).sort(),
  );
  expect(pack?.files.filter(({ mode }) => mode === 0o755).map(({ path }) => path)).toEqual(
    Object.values(packageJson.bin),
  );
  const tarball = parseTar(new Uint8Array(gunzipSync(packPackage(packageRoot()).content)));
  for (const { name, data } of tarball) {
    const source = readFileSync(join(packageRoot(), name.replace(/^package\//, '')));
    expect(Buffer.compare(source, data ?? new Uint8Array()), name).toBe(0);
  }
});
