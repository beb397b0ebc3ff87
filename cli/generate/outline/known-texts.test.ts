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

it('reads only the statement that was changed, where statements are known', () => {
  const file = written('  return 1;\n');
  // In the whole file, the bracket makes it unclear where bodies end.
  const statements = [
    text('  return 1;\n'),
    'export function h(): number {\n  return 3;\n}\n',
    'const odd = (;\n',
  ];
  writeFileSync(file, `${statements.join('')}// The end.\n`);
  const texts = new KnownTexts();
  texts.learn([file], false, KnownTexts.read([file]), 0, () => statements);
  const write = (f: string, h: string, odd = 'const odd = (;\n') => {
    writeFileSync(file, `${text(f)}export function h(): number {\n${h}}\n${odd}// The end.\n`);
    return texts.sameTypes(file);
  };
  const place = { file, line: 5, column: 17 };
  expect(write('  // One.\n  return 1;\n', '  return 3;\n')?.(place)).toEqual({ ...place, line: 6 });
  expect(write('  // One.\n  return 1;\n', '  return 4;\n')?.({ ...place, line: 6 })).toEqual({
    ...place,
    line: 6,
  });
  expect(write('  // One.\n  return 1;\n', '  return 4;\n', 'const odd = 1;\n')).toBeUndefined();
  expect(write('  return 2;\n', '  return 5;\n')).toBeUndefined();
});

it('knows where nothing is after a change of several statements', () => {
  const file = written('  return 1;\n');
  const parts = [text('  return 1;\n'), text('  return 2;\n').replace('g', 'h')];
  writeFileSync(file, parts.join(''));
  const texts = new KnownTexts();
  texts.learn([file], false, KnownTexts.read([file]), 0, () => parts);
  const long = '  return 1 + 1 + 1 + 1 + 1 + 1;\n';
  writeFileSync(file, text(long) + text(long).replace('g', 'h'));
  expect(texts.sameTypes(file)).toBeDefined();
  writeFileSync(file, text(long) + text('  return 200;\n').replace('g', 'h'));
  expect(texts.sameTypes(file)?.({ file, line: 8, column: 14 })).toEqual({ file, line: 8, column: 14 });
  writeFileSync(file, text(long) + text('  return 200;\n').replace('g', 'i'));
  expect(texts.sameTypes(file)).toBeUndefined();
});

it('does not trust statements that are not those of the text', () => {
  const file = written('  return 1;\n');
  const texts = new KnownTexts();
  texts.learn([file], false, KnownTexts.read([file]), 0, () => ['const a = 1;\n', text('  return 1;\n')]);
  writeFileSync(file, text('  return 2;\n'));
  expect(texts.sameTypes(file)).toBeDefined();
  writeFileSync(file, text('  return 2;\n').replace('number', 'string'));
  expect(texts.sameTypes(file)).toBeUndefined();
});
