// One spelling for each file, on the disks of three systems.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { linuxDisk, macDisk, windowsDisk } from '../conformance/trial-disk.js';
import { type AbsolutePath, absolutePath, folderOf, isInside, spelledPath } from './absolute-path.js';
import { NamedPaths } from './named-paths.js';

describe('on Windows', () => {
  const disk = windowsDisk({
    files: ['C:\\Proj\\src\\main.ts', 'D:\\data'],
    links: { 'C:\\app': 'C:\\Proj' },
  });
  const main = 'C:\\Proj\\src\\main.ts';

  it.each([
    main,
    'C:/Proj/src/main.ts',
    'c:/proj/SRC/Main.ts',
    'c:\\Proj\\lib\\..\\src\\main.ts',
    'C:\\app\\src\\main.ts',
    'C:/APP/src/main.ts',
  ])('gives %s the name on disk', (name) => {
    expect(absolutePath(name, disk)).toBe(main);
  });

  it('keeps the name of what does not exist, in its real folder', () => {
    expect(absolutePath('c:/app/SRC/New.ts', disk)).toBe('C:\\Proj\\src\\New.ts');
    expect(absolutePath('c:/app/New/a.ts', disk)).toBe('C:\\Proj\\New\\a.ts');
  });

  it('ends at a drive that does not exist', () => {
    expect(absolutePath('z:/app/a.ts', disk)).toBe('Z:\\app\\a.ts');
    expect(absolutePath('\\\\server\\share\\a.ts', disk)).toBe('\\\\server\\share\\a.ts');
  });

  it('keeps the letter of a drive that stands for a folder', () => {
    const files = ['C:\\work\\app\\a.ts', '\\\\server\\share\\app\\a.ts', 'C:\\b.ts', 'D:\\c.ts'];
    const links = { 'S:\\': 'C:\\work', 'N:\\': '\\\\server\\share', 'S:\\out': 'C:\\', 'S:\\other': 'D:\\' };
    const realpath = (path: string): string => {
      const [drive = ''] = Object.keys(links)
        .filter((one) => path.startsWith(one))
        .sort((a, b) => b.length - a.length);
      const target = links[drive as keyof typeof links];
      return windowsDisk({ files }).realpath(
        target === undefined ? path : win32.join(target, path.slice(drive.length)),
      );
    };
    const mapped = { path: win32, realpath };
    expect(absolutePath('s:/APP/A.ts', mapped)).toBe('S:\\app\\a.ts');
    expect(absolutePath('N:\\app\\a.ts', mapped)).toBe('N:\\app\\a.ts');
    expect(absolutePath('S:\\out\\b.ts', mapped)).toBe('C:\\b.ts');
    expect(absolutePath('S:\\other\\c.ts', mapped)).toBe('D:\\c.ts');
  });

  it('spells what a program has made of a real path without the disk', () => {
    expect(spelledPath('c:/Proj/src/other.ts', disk)).toBe('C:\\Proj\\src\\other.ts');
  });
});

it('takes the case of a disk that ignores it, and that of a name on others', () => {
  const files = ['/Users/me/App/src/main.ts'];
  expect(absolutePath('/users/me/app/src/main.ts', macDisk({ files }))).toBe('/Users/me/App/src/main.ts');
  expect(absolutePath('/users/me/app/src/main.ts', linuxDisk({ files }))).toBe('/users/me/app/src/main.ts');
});

it('follows links: /tmp is one on macOS', () => {
  const disk = macDisk({ files: ['/private/tmp/app/a.ts'], links: { '/tmp': '/private/tmp' } });
  expect(absolutePath('/tmp/app/a.ts', disk)).toBe('/private/tmp/app/a.ts');
  expect(absolutePath('/tmp/App/new.ts', disk)).toBe('/private/tmp/app/new.ts');
});

it('leaves the files in the executable of TypeScript 7 as they are', () => {
  const realpath = (path: string) => {
    throw new TypeError(`${path} is not on a disk`);
  };
  const disk = { ...linuxDisk({ files: [] }), realpath };
  expect(absolutePath('bundled:///libs/lib.es5.d.ts', disk)).toBe('bundled:///libs/lib.es5.d.ts');
});

it('throws what is not an error of the system', () => {
  const realpath = () => {
    throw new TypeError('a mistake');
  };
  expect(() => absolutePath('/a', { ...linuxDisk({ files: [] }), realpath })).toThrow('a mistake');
});

it('knows what is inside of a folder, of a root too', () => {
  const linux = linuxDisk({ files: [] });
  const windows = windowsDisk({ files: [] });
  const at = (name: string) => spelledPath(name, linux);
  const on = (name: string) => spelledPath(name, windows);
  expect(isInside(at('/app'), at('/app/src/a.ts'), linux)).toBe(true);
  expect(isInside(at('/app'), at('/app-2/a.ts'), linux)).toBe(false);
  expect(isInside(at('/app'), at('/app'), linux)).toBe(false);
  expect(isInside(at('/'), at('/a.ts'), linux)).toBe(true);
  expect(isInside(at('/'), at('/'), linux)).toBe(false);
  expect(isInside(on('C:\\'), on('C:\\a.ts'), windows)).toBe(true);
});

describe('names of a program', () => {
  function folder(): string {
    const made = realpathSync(mkdtempSync(join(tmpdir(), 'fw-paths-')));
    onTestFinished(() => rmSync(made, { recursive: true, force: true }));
    mkdirSync(join(made, 'src'));
    writeFileSync(join(made, 'src/a.ts'), '');
    symlinkSync('a.ts', join(made, 'src/link.ts'));
    return made;
  }

  it('leads to a path, and from it to all names', () => {
    const root = folder();
    const paths = new NamedPaths();
    const a = absolutePath(`${root}/src/a.ts`);
    expect([paths.of(`${root}/src/./a.ts`), paths.of(`${root}/src/link.ts`)]).toEqual([a, a]);
    expect(paths.nameOf(a)).toBe(`${root}/src/./a.ts`);
    expect(paths.namesOf(a)).toEqual([`${root}/src/./a.ts`, `${root}/src/link.ts`]);
    const other = absolutePath(`${root}/other.ts`);
    expect(paths.namesOf(other)).toEqual([`${root}/other.ts`]);
  });

  it('follows links to packages', () => {
    const root = folder();
    mkdirSync(join(root, 'node_modules'));
    symlinkSync('../src', join(root, 'node_modules/lib'));
    expect(new NamedPaths().of(`${root}/node_modules/lib/a.ts`)).toBe(join(root, 'src/a.ts'));
    // Only folders are looked at there, as no package manager links single files.
    expect(new NamedPaths().of(`${root}/node_modules/lib/link.ts`)).toBe(join(root, 'src/link.ts'));
  });

  it('asks the disk again after it was told to', () => {
    const root = folder();
    const paths = new NamedPaths();
    const link = `${root}/src/link.ts`;
    expect(paths.of(link)).toBe(join(root, 'src/a.ts'));
    rmSync(link);
    writeFileSync(link, '');
    expect(paths.of(link)).toBe(join(root, 'src/a.ts'));
    paths.forget();
    expect(paths.of(link)).toBe(link);
  });
});

it('has a folder around it, up to the root', () => {
  expect(folderOf('/a/b/c.ts' as AbsolutePath)).toBe('/a/b');
  expect(folderOf('/' as AbsolutePath)).toBe('/');
});
