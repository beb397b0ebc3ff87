// Where an app may be created, with real directories, files and links.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliError, UsageError } from '../terminal/errors.js';
import { compare, resolveTarget } from './target.js';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'fw-target-')));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function refusal(argument: string, name?: string): { message: string; help: string | undefined } {
  try {
    resolveTarget(argument, name, cwd);
  } catch (error) {
    if (error instanceof CliError) return { message: error.message, help: error.help };
    throw error;
  }
  throw new Error('it was accepted');
}

describe('resolveTarget', () => {
  it('accepts a name, a path, and the current directory', () => {
    mkdirSync(join(cwd, 'here'));
    expect(resolveTarget('app', undefined, cwd)).toEqual({
      directory: join(cwd, 'app'),
      name: 'app',
      exists: false,
    });
    expect(resolveTarget('a/b/app', undefined, cwd).directory).toBe(join(cwd, 'a/b/app'));
    expect(resolveTarget('.', undefined, join(cwd, 'here'))).toMatchObject({ name: 'here', exists: true });
    expect(resolveTarget('app', '@acme/app', cwd).name).toBe('@acme/app');
  });

  it.each([
    ['', 'the name is empty', 'for example: fw new my-app'],
    ['  ', 'the name is empty', 'for example: fw new my-app'],
  ])('refuses %j', (argument, message, help) => {
    expect(refusal(argument)).toEqual({ message, help });
  });

  it.each(['-x', '--x', '-', '-x/app', 'a/-x', './-x'])('refuses %s, which looks like a flag', (argument) => {
    mkdirSync(join(cwd, '--x'));
    const { message, help } = refusal(argument);
    expect(message).toContain('begins with -');
    expect(help).not.toMatch(/fw new -|[/]-/);
  });

  it('distinguishes a scoped name from a directory', () => {
    expect(refusal('@acme/app')).toEqual({
      message: "'@acme/app' is a scoped package name, not a directory",
      help: 'give both: fw new app --name @acme/app',
    });
  });

  it('suggests a valid name', () => {
    expect(refusal('My App')).toEqual({
      message: expect.stringContaining("'My App' is not a valid package name"),
      help: 'try: fw new my-app',
    });
    expect(refusal('app', 'Bad Name').help).toBe('try: fw new app --name bad-name');
  });

  it('refuses a path that is a file or leads through a file', () => {
    writeFileSync(join(cwd, 'file'), '');
    expect(refusal('file').message).toBe(`${join(cwd, 'file')} is a file, not a directory`);
    expect(refusal('file/app').message).toBe(`${join(cwd, 'file')} is a file, not a directory`);
  });

  it('refuses a symbolic link, but not a path through one', () => {
    mkdirSync(join(cwd, 'real'));
    symlinkSync(join(cwd, 'real'), join(cwd, 'link'));
    expect(refusal('link').message).toBe(`${join(cwd, 'link')} is a symbolic link`);
    expect(resolveTarget('link/app', undefined, cwd).exists).toBe(false);
  });

  it('throws a UsageError, for exit code 2', () => {
    expect(() => resolveTarget('Bad Name', undefined, cwd)).toThrow(UsageError);
  });
});

describe('compare', () => {
  const files = ['a.txt', 'src/b.txt'].map((path) => ({
    path,
    content: Buffer.from(path),
    executable: false,
  }));

  it('distinguishes files with other content from equal ones', () => {
    mkdirSync(join(cwd, 'src'));
    writeFileSync(join(cwd, 'a.txt'), 'other');
    writeFileSync(join(cwd, 'src/b.txt'), 'src/b.txt');
    writeFileSync(join(cwd, 'mine.txt'), 'stays');
    expect(compare(cwd, files)).toEqual({ conflicts: ['a.txt'], unchanged: ['src/b.txt'] });
  });

  it('ignores line ends of texts, and no others', () => {
    const texts = ['a.txt', 'b.bin'].map((path, index) => ({
      path,
      content: Buffer.from(index === 0 ? 'ä\nb\n' : 'a\n\0'),
      executable: false,
    }));
    writeFileSync(join(cwd, 'a.txt'), 'ä\r\nb\r\n');
    writeFileSync(join(cwd, 'b.bin'), 'a\r\n\0');
    expect(compare(cwd, texts)).toEqual({ conflicts: ['b.bin'], unchanged: ['a.txt'] });
  });

  it('refuses a directory, a file and a link in place of an entry of the template', () => {
    mkdirSync(join(cwd, 'a.txt'));
    expect(() => compare(cwd, files)).toThrow(`${join(cwd, 'a.txt')} is a directory`);
    rmSync(join(cwd, 'a.txt'), { recursive: true });
    symlinkSync(tmpdir(), join(cwd, 'src'));
    expect(() => compare(cwd, files)).toThrow(`${join(cwd, 'src')} is a symbolic link`);
    rmSync(join(cwd, 'src'));
    writeFileSync(join(cwd, 'src'), '');
    expect(() => compare(cwd, files)).toThrow(`${join(cwd, 'src')} is a file, not a directory`);
  });

  it('treats a link to an equal file as a different file', () => {
    writeFileSync(join(cwd, 'elsewhere'), 'a.txt');
    symlinkSync(join(cwd, 'elsewhere'), join(cwd, 'a.txt'));
    expect(compare(cwd, files).conflicts).toEqual(['a.txt']);
  });
});
