// Which texts are trusted to be those that a compiler has read, with real files.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { KnownTexts } from './known-texts.js';

const text = (body: string): string => `export function f(): number {\n${body}}\nexport const g = 1;\n`;

function written(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fw-texts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'a.ts'), text(body));
  return join(folder, 'a.ts');
}

it('trusts a text that is older than the reading, or that was there before and after it', () => {
  const file = written('  return 1;\n');
  const { ctimeMs } = statSync(file);
  const isKnown = (before: Map<string, string | undefined>, since: number): boolean => {
    const texts = new KnownTexts();
    texts.learn([file], false, before, since);
    return texts.sameTypes(file) !== undefined;
  };
  expect(isKnown(new Map(), ctimeMs + 1000)).toBe(true);
  expect(isKnown(new Map(), ctimeMs + 10)).toBe(false);
  expect(isKnown(new Map(), ctimeMs - 1000)).toBe(false);
  expect(isKnown(KnownTexts.read([file]), ctimeMs - 1000)).toBe(true);
  expect(isKnown(new Map([[file, text('  return 2;\n')]]), ctimeMs - 1000)).toBe(false);
});

it('moves places behind a body that has grown, and knows none in it', () => {
  const file = written('  return 1;\n');
  const texts = new KnownTexts();
  texts.learn([file], false, KnownTexts.read([file]), 0);
  writeFileSync(file, text('  // One.\n  return 1;\n'));
  const move = texts.sameTypes(file);
  expect(move?.({ file, line: 1, column: 17 })).toEqual({ file, line: 1, column: 17 });
  expect(move?.({ file, line: 4, column: 14 })).toEqual({ file, line: 5, column: 14 });
  expect(move?.({ file, line: 2, column: 3 })).toBeUndefined();
});

it('reads all texts again when routes begin to be inferred', () => {
  const file = written("  app.get('/a', b);\n");
  const texts = new KnownTexts();
  texts.learn([file], false, KnownTexts.read([file]), 0);
  texts.learn([file], true, KnownTexts.read([file]), 0);
  writeFileSync(file, text("  app.get('/b', b);\n"));
  expect(texts.sameTypes(file)).toBeUndefined();
});
