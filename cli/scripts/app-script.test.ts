// Which script of which package.json does the work, and what is said without one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliError } from '../terminal/errors.js';
import { findScript } from './app-script.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fw-script-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const has = (content: string | Uint8Array, folder = ''): void =>
  writeFileSync(join(directory, folder, 'package.json'), content);

function failure(names: readonly string[] = ['lint']): CliError {
  try {
    findScript('lint', names, directory);
  } catch (error) {
    if (error instanceof CliError) return error;
  }
  throw new Error('it found one');
}

describe('the script of a placeholder', () => {
  it('is the first one that is there', () => {
    has('{"scripts":{"format":"biome"}}');
    expect(findScript('fmt', ['fmt', 'format'], directory)).toEqual({ name: 'format', directory });
    has('{"scripts":{"format":"biome","fmt":"dprint"}}');
    expect(findScript('fmt', ['fmt', 'format'], directory).name).toBe('fmt');
  });

  it('is that of the nearest package.json above', () => {
    has('{"scripts":{"lint":"biome"}}');
    const below = join(directory, 'src/a');
    mkdirSync(below, { recursive: true });
    expect(findScript('lint', ['lint'], below)).toEqual({ name: 'lint', directory });
    has('{}', 'src');
    expect(() => findScript('lint', ['lint'], below)).toThrow(join(directory, 'src/package.json'));
  });

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFF{"scripts":{"lint":"x"}}')],
    ['UTF-16', Buffer.from('\uFEFF{"scripts":{"lint":"x"}}', 'utf16le')],
  ])('is found in %s', (_encoding, bytes) => {
    has(bytes);
    expect(findScript('lint', ['lint'], directory).name).toBe('lint');
  });

  it.each(['{}', '[]', 'null', '{"scripts":null}', '{"scripts":["lint"]}', '{"scripts":{"lint":""}}'])(
    'is missing in %s, and the error says how to add it',
    (content) => {
      has(content);
      expect(failure(['lint', 'check'])).toMatchObject({
        message: `${join(directory, 'package.json')} has no script "lint" or "check"`,
        help: 'add one to "scripts" there that does the work, such as "lint": "biome check ."',
        exitCode: 1,
      });
    },
  );

  it('is not a property that every object has', () => {
    has('{"scripts":{}}');
    expect(failure(['constructor']).message).toContain('has no script "constructor"');
  });

  it('must be a string', () => {
    has('{"scripts":{"lint":["biome"]}}');
    expect(failure().message).toContain('is not a string: ["biome"]');
    expect(failure().help).toMatch(/^write the command there that does the work, such as /);
  });

  it('is looked for in JSON that can be read', () => {
    has('{');
    expect(failure().message).toContain(`${join(directory, 'package.json')} is not valid JSON`);
    expect(failure().help).toBe('correct it');
    rmSync(join(directory, 'package.json'));
    mkdirSync(join(directory, 'package.json'));
    expect(failure().message).toContain('cannot be read: EISDIR');
  });

  it('needs a package.json', () => {
    expect(failure()).toMatchObject({
      message: `there is no package.json in ${directory} or above`,
      help: 'run fw lint in the directory of an app; fw new makes one',
    });
  });
});
