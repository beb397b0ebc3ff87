// What is said of two packages that differ: which file, and where.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { describe, expect, it } from 'vitest';
import { tarballDifferences } from './tarball-difference.js';

interface File {
  readonly name: string;
  readonly data: string | Uint8Array;
  readonly mode?: string;
  readonly mtime?: number;
}

const packed = (...files: readonly File[]) =>
  gzipSync(
    createTar(
      files.map(({ name, data, mode = '644', mtime = 0 }) => ({
        name,
        data,
        attrs: { mode, mtime, uid: 0, gid: 0 },
      })),
    ),
  );
const a = { name: 'package/a.js', data: 'one\ntwo three\n' };
const b = { name: 'package/b.js', data: 'b' };

describe('the difference of two packages', () => {
  it('is nothing if their bytes are the same', () => {
    expect(tarballDifferences(packed(a, b), packed(a, b))).toEqual([]);
  });

  it('names the file, the line, and what is there', () => {
    expect(tarballDifferences(packed(a, b), packed({ ...a, data: 'one\ntwo /home/ada\n' }, b))).toEqual([
      'package/a.js differs in line 2, column 5:\n  "one\\ntwo three\\n"\n  "one\\ntwo /home/ada\\n"',
    ]);
  });

  it('is found where one text is the beginning of the other', () => {
    expect(tarballDifferences(packed(b), packed({ ...b, data: 'b\n' }))).toEqual([
      'package/b.js differs in line 1, column 2:\n  "b"\n  "b\\n"',
    ]);
  });

  it('names files that only one of them has', () => {
    expect(tarballDifferences(packed(a), packed(b))).toEqual([
      'package/a.js is in the first alone',
      'package/b.js is in the second alone',
    ]);
  });

  it('names modes and times', () => {
    expect(tarballDifferences(packed(b), packed({ ...b, mode: '600', mtime: 5000 }))).toEqual([
      expect.stringMatching(/^package\/b\.js has the mode 0*644 and 0*600$/),
      expect.stringMatching(/^package\/b\.js has the time \d+ and \d+$/),
    ]);
  });

  it('looks into compressed files', () => {
    const pack = (text: string, compress: (text: string) => Uint8Array, ending: string) =>
      packed({ name: `package/files.${ending}`, data: compress(text) });
    expect(tarballDifferences(pack('one', gzipSync, 'gz'), pack('two', gzipSync, 'gz'))).toEqual([
      'package/files.gz differs in line 1, column 1:\n  "one"\n  "two"',
    ]);
    expect(
      tarballDifferences(pack('a', brotliCompressSync, 'br'), pack('b', brotliCompressSync, 'br')),
    ).toEqual(['package/files.br differs in line 1, column 1:\n  "a"\n  "b"']);
    const weak = (text: string) => gzipSync(text, { level: 1 });
    const long = 'abcabcabd'.repeat(500);
    expect(tarballDifferences(pack(long, gzipSync, 'gz'), pack(long, weak, 'gz'))).toEqual([
      'package/files.gz is compressed differently, and holds the same',
    ]);
  });

  it('is the order of the files, or the archive', () => {
    expect(tarballDifferences(packed(a, b), packed(b, a))).toEqual([
      'the order of the files differs: package/a.js in the first, package/b.js in the second',
    ]);
    const tar = createTar([{ name: 'package/a.js', data: a.data.repeat(99) }]);
    expect(tarballDifferences(gzipSync(tar), gzipSync(tar, { level: 1 }))).toEqual([
      'the files are the same, and the headers or the compression of the archive differ',
    ]);
  });

  it('of many files is shown for the first twenty', () => {
    const files = Array.from({ length: 30 }, (_, index) => ({ name: `package/${index}.js`, data: 'x' }));
    const shown = tarballDifferences(packed(...files), packed(a));
    expect(shown).toHaveLength(21);
    expect(shown.at(-1)).toBe('… and 11 more differences');
  });
});
