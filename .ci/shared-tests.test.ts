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

test('the files are those of the folders, and only tests, each with one of both', () => {
  const { shared, separate } = testsByProcess(['framework/wire', 'framework/sql']);
  expect(shared).toContain('framework/wire/formats.test.ts');
  expect(separate).toContain('framework/sql/migrations/killed.test.ts');
  const files = [...shared, ...separate];
  expect(files.filter((file) => !/^framework\/(wire|sql)\/.*\.test\.ts$/.test(file))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});
