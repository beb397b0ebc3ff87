import { expect, test } from 'vitest';
import { canShare, testsByProcess } from './shared-tests.js';

test.each([
  "vi.mock('node:fs');",
  "process.env.PORT = '1';",
  'globalThis.fetch = answer;',
  "vi.spyOn(console, 'warn')",
  "import { databaseKinds } from '../conformance/databases.js';",
  "import { startDev } from '../../e2e/dev-session.js';",
  "const child = spawn(process.execPath, ['main.js']);",
])('a file has a process of its own for: %s', (text) => {
  expect(canShare(text)).toBe(false);
});

test('a file that computes shares one', () => {
  expect(canShare("test('adds', () => expect(add(1, 2)).toBe(3));")).toBe(true);
  expect(canShare('await vi.waitFor(() => expect(vi.fn()).not.toHaveBeenCalled());')).toBe(true);
  expect(canShare('vi.useFakeTimers(); vi.spyOn(store, "load");')).toBe(true);
  expect(canShare('const folder = join(process.cwd(), "a"); // the previous.env')).toBe(true);
});

test('the files are those of the folders, and only tests, each in one of the lists', () => {
  const slowOnes = ['framework/sql/migrations/killed.test.ts', 'framework/wire/formats.test.ts'];
  const { quick, slow } = testsByProcess(['framework/wire', 'framework/sql'], slowOnes);
  expect(quick.shared).toContain('framework/wire/canonical.test.ts');
  expect(quick.separate).toContain('framework/sql/transactions.test.ts');
  expect(slow).toEqual({
    separate: ['framework/sql/migrations/killed.test.ts'],
    shared: ['framework/wire/formats.test.ts'],
  });
  const files = [...quick.shared, ...quick.separate, ...slowOnes];
  expect(files.filter((file) => !/^framework\/(wire|sql)\/.*\.test\.ts$/.test(file))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});

test('a slow file that does not exist is an error: its test would be in no run', () => {
  expect(() => testsByProcess(['framework/wire'], ['framework/wire/gone.test.ts'])).toThrow(
    'framework/wire/gone.test.ts does not exist; correct the list in .ci/slow-tests.ts',
  );
});
