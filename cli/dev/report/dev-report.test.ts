// How the terminal shows errors: places, frames, counts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import picocolors from 'picocolors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { absolutePath } from '../../../framework/files/absolute-path.js';
import { describeError } from '../../process/app-error.js';
import { codeFrame } from '../../terminal/code-frame.js';
import { describeFiles, merge } from '../../watch/change.js';
import { parseProblems } from '../types/type-check.js';
import { buildProblems } from '../workbench/shown-error.js';
import { DevReport } from './dev-report.js';
import { buildFailure } from './failure-text.js';

const plain = picocolors.createColors(false);
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'fw-frame-'));
  writeFileSync(join(root, 'a.ts'), 'one\n\ttwo three\nfour\nfive\n');
});
afterAll(() => rmSync(root, { recursive: true }));

describe('codeFrame', () => {
  it('shows the line, its neighbours and a caret, also with tabs', () => {
    expect(codeFrame({ file: 'a.ts', line: 2, column: 6, length: 5 }, root, plain)).toEqual([
      '  a.ts:2:6',
      '    1 │ one',
      '  > 2 │ \ttwo three',
      '      │ \t    ^^^^^',
      '    3 │ four',
    ]);
  });

  it('shows only the place if there is no source', () => {
    expect(codeFrame({ file: 'gone.ts', line: 2, column: 1 }, root, plain)).toEqual(['  gone.ts:2:1']);
    expect(codeFrame({ file: 'a.ts', line: 99, column: 1 }, root, plain)).toEqual(['  a.ts:99:1']);
  });

  it('keeps the caret inside a short line', () => {
    const frame = codeFrame({ file: 'a.ts', line: 1, column: 1, length: 500 }, root, plain);
    expect(frame).toContain('      │ ^^^');
  });
});

it('says of migrations what is the case and what to do in one piece, which no output of the app cuts', () => {
  const pieces: string[] = [];
  const terminal = {
    colors: plain,
    isTTY: false,
    clear: () => {},
    print: (piece: string) => void pieces.push(piece),
  };
  const state = { pending: ['b'], interrupted: [], edited: ['a'], missing: [] };
  new DevReport(terminal, root).migrations(state, { runScript: 'npm run', hasKeys: false });
  expect(pieces).toHaveLength(2);
  expect(pieces[0]).toMatch(/migrations: the migration a|migrations: a migration has/);
  for (const piece of pieces) expect(piece).toMatch(/^[^\n]*migrations: [^\n]+\n {10}\S[^\n]*$/);
});

it('shows an error of the build that has no place: in the terminal, to clients and in the workbench', () => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const text = 'cannot write to /app/node_modules/.fw: the disk is full; free some space';
  const errors = [
    { id: '', pluginName: '', text, location: null, notes: [{ text: 'a note', location: null }], detail: 0 },
  ];
  new DevReport({ colors: plain, isTTY: false, clear: () => {}, print }, root).buildFailed(
    'a.ts changed',
    errors,
    true,
  );
  expect(lines.slice(1)).toEqual([
    '',
    `  error: ${text}`,
    '  note: a note',
    '',
    '  the last good version keeps answering',
  ]);
  expect(lines[0]).toMatch(/a\.ts changed · build failed: 1 error$/);
  expect(buildFailure(errors)).toBe(`The build failed with 1 error.\n\n${text}\n`);
  expect(buildProblems(errors, root)).toEqual([{ text, notes: ['a note'] }]);
});

it('shows the place of a warning of the build, in the log of the workbench too', () => {
  const pieces: string[] = [];
  const noted: string[] = [];
  const print = (piece: string): void => void pieces.push(...piece.split('\n'));
  const log = { note: (text: string) => void noted.push(text) } as never;
  const location = { file: 'a.ts', line: 3, column: 0, length: 4 };
  const warnings = [
    { text: 'Duplicate key "a"', location },
    { text: 'without a place', location: null },
  ];
  new DevReport({ colors: plain, isTTY: false, clear: () => {}, print }, root, log).buildWarnings(
    warnings as never,
  );
  expect(pieces[0]).toMatch(/ {2}warning: Duplicate key "a"$/);
  expect(pieces[1]).toBe('  a.ts:3:1');
  expect(pieces).toContain('  > 3 │ four');
  expect(pieces.at(-1)).toMatch(/ {2}warning: without a place$/);
  expect(noted).toEqual(['warning: Duplicate key "a" (a.ts:3:1)', 'warning: without a place']);
});

it('prints no character of files, messages and names that would change the terminal', () => {
  const hostile = 'a\u001b[2J\u001b[31m\rb\u202e\u0007';
  const shown = 'a\\x1b[2J\\x1b[31m\\x0db\\u202e\\x07';
  writeFileSync(join(root, 'hostile.ts'), `${hostile}\n`);
  const pieces: string[] = [];
  const print = (piece: string): void => void pieces.push(piece);
  const report = new DevReport({ colors: plain, isTTY: false, clear: () => {}, print }, root);
  const times = { build: 1, boot: 1, wait: 0, total: 2 };
  const location = { file: 'hostile.ts', line: 1, column: 0, length: 1, lineText: hostile };
  const built = {
    id: '',
    pluginName: '',
    text: hostile,
    location,
    notes: [{ text: hostile, location }],
    detail: 0,
  };
  const facts = { version: '1', name: hostile, urls: [], page: undefined, inspect: undefined, keys: false };
  const calls: (() => void)[] = [
    () => report.banner(facts),
    () => report.cycle(hostile, times),
    () => report.note(hostile),
    () => report.warn(hostile),
    () => report.buildWarnings([built as never]),
    () => report.buildFailed(hostile, [built as never], false),
    () => report.appFailed(hostile, { title: hostile, frames: [hostile], details: hostile }, hostile, false),
    () => report.types([{ text: hostile, file: 'hostile.ts', line: 1, column: 1 }]),
  ];
  for (const call of calls) {
    pieces.length = 0;
    call();
    const text = pieces.join('\n');
    expect(text).toContain(shown);
    expect(text).not.toMatch(/[^\n\P{Cc}]|\p{Bidi_Control}/u);
  }
});

describe('a cycle', () => {
  it('reports how long it waited for the client', () => {
    const lines: string[] = [];
    const terminal = {
      colors: plain,
      isTTY: false,
      clear: () => {},
      print: (line: string) => lines.push(line),
    };
    const reporter = new DevReport(terminal, root);
    reporter.cycle('a.ts changed', { build: 1, boot: 2, wait: 0, total: 5 });
    reporter.cycle('a.ts changed', { build: 1, boot: 2, wait: 9, total: 14 });
    expect(lines.map((line) => line.slice(10))).toEqual([
      'a.ts changed · build 1 ms · boot 2 ms · ready in 5 ms',
      'a.ts changed · build 1 ms · boot 2 ms · client 9 ms · ready in 14 ms',
    ]);
  });
});

describe('describeError', () => {
  it('has title, frames, properties and causes', () => {
    const error = Object.assign(new TypeError('no', { cause: new Error('deep') }), { code: 'E_X', at: 3 });
    const described = describeError(error);
    expect(described.title).toBe('TypeError: no');
    expect(described.code).toBe('E_X');
    expect(described.details).toMatch(/at: 3/);
    expect(described.details).toMatch(/cause: Error: deep/);
  });

  it('accepts values that are not an error', () => {
    expect(describeError('text').title).toBe("thrown: 'text'");
    expect(describeError(undefined).title).toBe('thrown: undefined');
  });
});

describe('parseProblems', () => {
  it('reads places, and keeps continuation lines', () => {
    const output = `src/a.ts(3,5): error TS2322: Type 'x' is not assignable.\n  Because of y.\nsrc/b.ts(1,1): error TS1: z\nerror TS18003: No inputs\n`;
    expect(parseProblems(output)).toEqual([
      {
        file: 'src/a.ts',
        line: 3,
        column: 5,
        text: "TS2322: Type 'x' is not assignable.\n    Because of y.",
      },
      { file: 'src/b.ts', line: 1, column: 1, text: 'TS1: z' },
      { file: 'tsconfig.json', line: 0, column: 0, text: 'TS18003: No inputs' },
    ]);
  });
});

describe('changes', () => {
  it('are described by their files', () => {
    expect(describeFiles(['src/a.ts'])).toBe('src/a.ts changed');
    expect(describeFiles(['src/a.ts', 'b', 'c'])).toBe('src/a.ts and 2 more changed');
  });

  it('are merged into one that began with the first', () => {
    const [a, b] = [absolutePath('/a'), absolutePath('/b')];
    const first = { what: 'a changed', files: [a], rebuild: false, environment: true, began: 1 };
    const second = { what: 'b changed', files: [a, b], rebuild: true, environment: false, began: 5 };
    expect(merge(first, second)).toEqual({
      what: 'a changed, b changed',
      files: [a, b],
      rebuild: true,
      environment: true,
      began: 1,
    });
  });
});
