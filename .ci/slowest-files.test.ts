import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestModule } from 'vitest/node';
import { slowestFiles } from './slowest-files.js';

const module = (file: string, duration: number, collectDuration: number) =>
  ({
    moduleId: join(process.cwd(), file),
    project: { name: 'unit' },
    diagnostic: () => ({ duration, collectDuration, setupDuration: 0, prepareDuration: 0 }),
  }) as TestModule;

test('the slowest files come first, by tests and imports, and no more than ten', () => {
  const quick = Array.from({ length: 10 }, (_, index) => module(`quick-${index}.test.ts`, 10 + index, 0));
  const lines = slowestFiles([
    ...quick,
    module('imports.test.ts', 1000, 9000),
    module('a/b.test.ts', 4000, 6),
  ]);
  expect(lines.slice(0, 3)).toEqual([
    'The 10 test files that took longest, of 14.2 s for 12:',
    ' 10.0 s  imports.test.ts (unit)',
    '  4.0 s  a/b.test.ts (unit)',
  ]);
  expect(lines).toHaveLength(11);
  expect(lines.join('\n')).not.toContain('quick-1.');
});
