// The place of an error in its source, as the terminal shows it.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeFrame, linesAround } from './code-frame.js';
import { plainColors, terminalColors } from './color.js';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fw-frame-')));
  const numbered = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
  writeFileSync(join(root, 'twelve.ts'), `${numbered.join('\r\n')}\n`);
  writeFileSync(join(root, 'tabs.ts'), 'one\n\ttwo three\n\nfour\n');
  writeFileSync(join(root, 'hostile.ts'), `const a = '\u001b[2J\u202e';\u0007 bad();\nx\ry\n`);
  writeFileSync(join(root, 'long.ts'), `${'x'.repeat(160)}\n${'y'.repeat(161)}\n`);
  writeFileSync(join(root, 'empty.ts'), '');
});
afterAll(() => rmSync(root, { recursive: true }));

const frame = (file: string, line: number, column = 1, length?: number): string[] =>
  codeFrame({ file, line, column, ...(length !== undefined && { length }) }, root, plainColors);

describe('a frame', () => {
  it('has the line before and the line after, and a caret', () => {
    expect(frame('tabs.ts', 2, 6, 5)).toEqual([
      '  tabs.ts:2:6',
      '    1 │ one',
      '  > 2 │ \ttwo three',
      '      │ \t    ^^^^^',
      '    3 │',
    ]);
  });

  it('begins with the first line, and ends with the last', () => {
    expect(frame('twelve.ts', 1)).toEqual([
      '  twelve.ts:1:1',
      '  > 1 │ line 1',
      '      │ ^',
      '    2 │ line 2',
    ]);
    expect(frame('twelve.ts', 12, 6, 2)).toEqual([
      '  twelve.ts:12:6',
      '    10 │ line 10',
      '    11 │ line 11',
      '  > 12 │ line 12',
      '       │      ^^',
    ]);
  });

  it('has numbers of one width', () => {
    expect(frame('twelve.ts', 8)).toEqual([
      '  twelve.ts:8:1',
      '    6 │ line 6',
      '    7 │ line 7',
      '  > 8 │ line 8',
      '      │ ^',
      '    9 │ line 9',
    ]);
    expect(frame('twelve.ts', 9)).toEqual([
      '  twelve.ts:9:1',
      '     7 │ line 7',
      '     8 │ line 8',
      '  >  9 │ line 9',
      '       │ ^',
      '    10 │ line 10',
    ]);
  });

  it.each([
    [1, 500, '^^^^^^'],
    [5, 500, '    ^^'],
    [6, 1, '     ^'],
    [7, 3, '      ^'],
    [40, 3, '      ^'],
    [3, 0, '  ^'],
  ])(
    'keeps the caret of column %i and length %i inside of the line, or right after it',
    (column, length, caret) => {
      expect(frame('twelve.ts', 2, column, length)[3]).toBe(`      │ ${caret}`);
    },
  );

  it('shows characters that would change the terminal by their codes, with the caret at its place', () => {
    expect(frame('hostile.ts', 1, 21, 3)).toEqual([
      '  hostile.ts:1:21',
      "  > 1 │ const a = '\\x1b[2J\\u202e';\\x07 bad();",
      `      │ ${' '.repeat(31)}^^^`,
      '    2 │ x\\x0dy',
    ]);
    const odd = codeFrame({ file: 'a\u001b[2J.ts', line: 1, column: 1 }, root, plainColors);
    expect(odd).toEqual(['  a\\x1b[2J.ts:1:1']);
  });

  it('cuts long lines', () => {
    expect(linesAround(join(root, 'long.ts'), 1)).toEqual({
      first: 1,
      lines: ['x'.repeat(160), `${'y'.repeat(159)}…`],
    });
  });

  it('is the place alone where there is no such line', () => {
    expect(frame('gone.ts', 2)).toEqual(['  gone.ts:2:1']);
    expect(frame('twelve.ts', 13)).toEqual(['  twelve.ts:13:1']);
    expect(frame('twelve.ts', 0)).toEqual(['  twelve.ts']);
    expect(frame('empty.ts', 2)).toEqual(['  empty.ts:2:1']);
  });

  it('names files outside of the project by their whole path', () => {
    expect(frame('../gone.ts', 1)).toEqual([`  ${join(root, '../gone.ts')}:1:1`]);
    expect(frame(join(root, 'twelve.ts'), 1)[0]).toBe('  twelve.ts:1:1');
  });

  it('is colored but for the line itself', () => {
    const lines = codeFrame({ file: 'tabs.ts', line: 2, column: 2 }, root, terminalColors);
    expect(lines).toEqual([
      '  \u001b[36mtabs.ts:2:2\u001b[39m',
      '\u001b[2m    1 │ one\u001b[22m',
      '  \u001b[31m>\u001b[39m 2 │ \ttwo three',
      '      │ \t\u001b[31m^\u001b[39m',
      '\u001b[2m    3 │ \u001b[22m',
    ]);
  });
});
