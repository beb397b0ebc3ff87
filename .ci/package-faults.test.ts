// What must not be in a package is named, with the file that it is in.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packageFaults } from './package-faults.js';

const faults = (path: string, text: string | Uint8Array = '', mode = 0o644) =>
  packageFaults(
    [{ path, mode, read: () => Buffer.from(text) }],
    ['dist/main.js'],
    ['/home/ada/fw', '/home/ada', 'C:\\fw'],
  );

describe('a package', () => {
  it.each([
    'README.md',
    'dist/framework/testing/index.js',
    'dist/environment.js',
    'docs/npmrc.md',
    'dist/a.d.ts',
  ])('may have %s', (path) => expect(faults(path)).toEqual([]));

  it.each(['dist/a.test.ts', 'dist/a.test-d.ts', 'a.spec.js', '__tests__/a.js', 'a.test.ts.snap'])(
    'has no test, such as %s',
    (path) => expect(faults(path)).toEqual([`${path} is for tests: leave it out of the package`]),
  );

  it.each(['.env', 'dist/.env.production', '.npmrc', 'docs/.git/config', 'a/id_rsa', 'tls.key', 'a.pem'])(
    'has no file with secrets, such as %s',
    (path) => expect(faults(path)).toEqual([`${path} may hold secrets: leave it out of the package`]),
  );

  it('has no secret in a file', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}`;
    expect(faults('a.md', key)).toEqual([
      'a.md has what looks like a private key: remove it, and have it revoked',
    ]);
    expect(faults('a.md', `npm_${'a'.repeat(36)}`)).toEqual([expect.stringContaining('a token of npm')]);
    expect(faults('a.md', '//registry.example/:_authToken=abc')).toEqual([
      expect.stringContaining('a token of npm'),
    ]);
    expect(faults('a.md', `ghp_${'a'.repeat(36)}`)).toEqual([expect.stringContaining('a token of GitHub')]);
    expect(faults('a.md', 'AKIAABCDEFGHIJKLMNOP')).toEqual([expect.stringContaining('a key of AWS')]);
    expect(
      faults('a.md', '-----BEGIN PRIVATE KEY-----\n…\n, $' + '{TOKEN}: _authToken=$' + '{TOKEN}'),
    ).toEqual([]);
  });

  it('has no folder of the machine that has built it', () => {
    const said = (folder: string) => [
      `a.js has ${folder}, a folder of this machine: write it relative to something`,
    ];
    expect(faults('a.js', 'at "/home/ada/fw/a.ts"')).toEqual(said('/home/ada/fw'));
    expect(faults('a.js', 'in /home/ada')).toEqual(said('/home/ada'));
    expect(faults('a.js', '"C:\\\\fw\\\\a.ts"')).toEqual(said('C:\\\\fw'));
    expect(faults('a.js', '/home/adam, /home/ada.md, home/ada')).toEqual([]);
  });

  it('is looked at inside of compressed files', () => {
    for (const [path, text] of [
      ['a.gz', gzipSync('/home/ada/x')],
      ['a.br', brotliCompressSync('/home/ada/x')],
    ] as const) {
      expect(faults(path, text)).toEqual([expect.stringContaining(`${path} has /home/ada`)]);
    }
  });

  it('has maps that lead to files beside them', () => {
    const map = (...sources: string[]) => JSON.stringify({ sources });
    expect(faults('a.d.ts.map', map('../sources/a.ts'))).toEqual([]);
    for (const source of ['/build/a.ts', 'D:\\a.ts', 'file:///build/a.ts']) {
      expect(faults('a.d.ts.map', map(source))).toEqual([
        `a.d.ts.map leads to ${source}, which is only on this machine: write it relative to the map`,
      ]);
    }
    expect(faults('a.js.map', JSON.stringify({ sources: ['a.ts'], sourceRoot: '/build' }))).toHaveLength(1);
  });

  it('lets everybody read its files, and run its binary alone', () => {
    expect(faults('dist/main.js', '', 0o755)).toEqual([]);
    expect(faults('dist/main.js', '', 0o644)).toEqual([
      'dist/main.js has the mode 644, and needs 755: chmod it',
    ]);
    expect(faults('dist/a.js', '', 0o755)).toEqual(['dist/a.js has the mode 755, and needs 644: chmod it']);
    expect(faults('dist/a.js', '', 0o600)).toEqual(['dist/a.js has the mode 600, and needs 644: chmod it']);
  });
});
