import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AbsolutePath, pathIn } from '../../../framework/files/absolute-path.js';
import { fingerprint } from '../../files/file-stamps.js';
import { makeProject } from '../trial-app.js';
import { BuiltTexts } from './built-texts.js';

let root: AbsolutePath;
let file: AbsolutePath;
let texts: BuiltTexts;

beforeEach(() => {
  root = makeProject({ 'src/main.ts': 'first' });
  file = pathIn(root, 'src/main.ts');
  texts = new BuiltTexts();
  texts.built([file], fingerprint([file]));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the files that the last build was made from', () => {
  it('are the same if the same text is written again, and not if another is', () => {
    writeFileSync(file, 'first');
    expect(texts.areSame([file])).toBe(true);
    writeFileSync(file, 'second');
    expect(texts.areSame([file])).toBe(false);
  });

  it('are the same after a failure if nothing was written since, as the app itself did before it', () => {
    writeFileSync(file, 'first');
    texts.failed();
    expect(texts.areSame([file])).toBe(true);
  });

  it('are new after a failure if the same text is written, by a clock that is behind', () => {
    const behind = new Date(Date.now() - 5000);
    texts.failed();
    writeFileSync(file, 'first');
    utimesSync(file, behind, behind);
    expect(texts.areSame([file])).toBe(false);
    texts.begins();
    expect(texts.areSame([file])).toBe(true);
  });

  it('are not the same if one was not built, or is gone', () => {
    expect(texts.areSame([file, pathIn(root, 'src/other.ts')])).toBe(false);
    rmSync(join(root, 'src/main.ts'));
    expect(texts.areSame([file])).toBe(false);
  });
});
