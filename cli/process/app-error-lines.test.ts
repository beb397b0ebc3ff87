import { fileURLToPath, pathToFileURL } from 'node:url';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { appErrorLines, foldedFrames, MOST_FRAMES, shorten, topAppPlace } from './app-error-lines.js';

describe('topAppPlace', () => {
  it('skips packages and files outside of the app', () => {
    const frames = [
      'at check (/app/node_modules/zod/index.js:1:2)',
      'at /elsewhere/x.js:1:1',
      `at async Object.run (${pathToFileURL('/app/src/a b.ts').href}:7:3)`,
    ];
    expect(topAppPlace(frames, '/app')).toEqual({
      file: fileURLToPath(pathToFileURL('/app/src/a b.ts')),
      line: 7,
      column: 3,
    });
    expect(topAppPlace([], '/app')).toBeUndefined();
  });

  it.each([
    ['at /app/a.ts:1:2', '/app/a.ts'],
    ['at async /app/a.ts:1:2', '/app/a.ts'],
    ['at eval (eval at run (/app/b.ts:9:9), <anonymous>:1:2)', undefined],
    ['at run (/elsewhere/b.ts:9:9 (/app/a.ts:1:2)', '/app/a.ts'],
    ['at run (/app/src (copy)/a.ts:1:2)', '/app/src (copy)/a.ts'],
    ['at run (<anonymous>:1:2)', undefined],
    ['at run (/app/a.ts)', undefined],
  ])('of %j', (frame, file) => {
    expect(topAppPlace([frame], '/app')?.file).toBe(file);
  });

  it.each(['/', '(/', ':1', ':1:1', 'at ', 'file://'])('reads 100 KB of %j in linear time', (part) => {
    const began = performance.now();
    expect(topAppPlace([part.repeat(100_000 / part.length)], '/app')).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

it.each(
  [
    ['at run (file:///home/My%20Name/100%25/src/a.ts:1:2)', 'at run (src/a.ts:1:2)'],
    ['at run (/home/My Name/100%/src/a.ts:1:2)', 'at run (src/a.ts:1:2)'],
    ['at run (file:///home/My%20Name/other/a.ts:1:2)', 'at run (file:///home/My%20Name/other/a.ts:1:2)'],
  ].filter(([frame]) => process.platform !== 'win32' || frame?.includes('C:')),
)('shortens %s', (frame, short) => expect(shorten(frame, '/home/My Name/100%')).toBe(short));

it.each([
  [MOST_FRAMES, undefined, ''],
  [MOST_FRAMES + 1, undefined, '… 1 frame of packages and of Node.js'],
  [MOST_FRAMES + 2, 3, '… 5 frames of packages and of Node.js'],
  [1, 1, '… 1 frame of packages and of Node.js'],
])('counts the frames that are not shown: of %i, with %s left out', (length, folded, expected) => {
  const frames = Array.from({ length }, (_, n) => `at /app/a.ts:${n + 1}:1`);
  const error = { title: 'Error: x', frames, details: '', ...(folded !== undefined && { folded }) };
  expect(foldedFrames(error)).toBe(expected);
  const lines = appErrorLines(error, '/app', picocolors.createColors(false)).join('\n');
  expect(lines.match(/^ {4}at /gm)).toHaveLength(Math.min(length, MOST_FRAMES));
  expect(lines.includes('frame')).toBe(expected !== '');
});

it('prints no control characters of a message', () => {
  const error = { title: 'Error: bad \u001b[2J\rx', frames: ['at \u009b31m'], details: 'a\nb\u0007' };
  const lines = appErrorLines(error, '/app', picocolors.createColors(false)).join('\n');
  expect(lines).toBe('\n  Error: bad \\x1b[2J\\x0dx\n    at \\x9b31m\n  a\n  b\\x07');
});
