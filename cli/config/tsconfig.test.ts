import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliError } from '../terminal/errors.js';
import { circularConfig, compilerOptions, customConditions, readTsconfig } from './tsconfig.js';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fw-tsconfig-'));
  file = join(folder, 'tsconfig.json');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('tsconfig.json', () => {
  it.each([
    ['{ "a": 1, /* "a": 2 */ // "a": 3\n}', { a: 1 }],
    ['\ufeff{ "a": [1, ], }', { a: [1] }],
    ['{ "a": "// no comment, }", "b": "\\",]" }', { a: '// no comment, }', b: '",]' }],
    ['{ "a": ', {}],
    ['null', {}],
    ['', {}],
  ])('%j', (text, expected) => {
    writeFileSync(file, text);
    expect(readTsconfig(file)).toEqual(expected);
  });

  it('has compiler options only if they are an object', () => {
    writeFileSync(file, '{ "compilerOptions": { "strict": true } }');
    expect(compilerOptions(file)).toEqual({ strict: true });
    writeFileSync(file, '{ "compilerOptions": 1 }');
    expect(compilerOptions(file)).toEqual({});
  });

  it('has the compiler options of what it extends, and its own if that cannot be read', () => {
    writeFileSync(
      join(folder, 'base.json'),
      '{ "compilerOptions": { "customConditions": ["a", "b"], "strict": true, }, }',
    );
    writeFileSync(file, '{ "extends": "./base", "compilerOptions": { "strict": false } }');
    expect(compilerOptions(file)).toEqual({ strict: false, customConditions: ['a', 'b'] });
    expect(customConditions(file)).toEqual(['a', 'b']);
    writeFileSync(file, '{ "extends": ["./base", "./gone"], "compilerOptions": { "strict": false } }');
    expect(compilerOptions(file)).toEqual({ strict: false });
    writeFileSync(file, '{ "compilerOptions": { "customConditions": "a" } }');
    expect(customConditions(file)).toEqual([]);
    writeFileSync(file, '{ "compilerOptions": { "customConditions": ["a", 1, null, "b"] } }');
    expect(customConditions(file)).toEqual(['a', 'b']);
  });

  it('that extends itself is known, by another file or not', () => {
    const other = join(folder, 'circle.json');
    writeFileSync(file, '{ "extends": "./circle.json" }');
    expect(circularConfig(file)).toBeUndefined();
    writeFileSync(other, '{ "compilerOptions": {} }');
    expect(circularConfig(file)).toBeUndefined();
    writeFileSync(other, '{ "extends": "./tsconfig.json" }');
    expect(circularConfig(file)).toMatch(/circle\.json$/);
    writeFileSync(file, '{ "extends": "./tsconfig.json" }');
    expect(circularConfig(file)).toMatch(/tsconfig\.json$/);
  });

  it('is empty if it does not exist, and an error if it is a directory', () => {
    expect(readTsconfig(join(folder, 'gone.json'))).toEqual({});
    expect(() => readTsconfig(folder)).toThrow(
      new CliError(`cannot read ${folder}: it is a folder; replace it by the file`),
    );
  });

  it.each(['/*', '\\"', '"references":[', ',', ', ', `,${' '.repeat(999)}`, '"files":[], '])(
    'of 100 KB of %j is read in linear time',
    (part) => {
      const began = performance.now();
      for (const start of ['', '"']) {
        writeFileSync(file, start + part.repeat(100_000 / part.length));
        expect(readTsconfig(file)).toEqual({});
      }
      expect(performance.now() - began).toBeLessThan(1_000);
    },
  );
});
