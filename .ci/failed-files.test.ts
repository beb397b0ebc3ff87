import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { SerializedError, TestModule } from 'vitest/node';
import FailedFiles, { failedFiles } from './failed-files.js';

interface Parts {
  state?: string;
  errors?: string[];
  suites?: string[];
  tests?: string[];
}

const errors = (messages: string[] = []) => messages.map((message) => ({ message }));
const module = (file: string, { state = 'failed', ...parts }: Parts) =>
  ({
    moduleId: join(process.cwd(), file),
    project: { name: 'unit' },
    state: () => state,
    errors: () => errors(parts.errors),
    children: {
      allSuites: () => [{ fullName: 'a suite', errors: () => errors(parts.suites) }],
      allTests: () =>
        (parts.tests ?? []).map((message) => ({
          fullName: 'a suite > a test',
          result: () => ({ errors: errors([message]) }),
        })),
    },
  }) as unknown as TestModule;

const failed = [
  module('passed.test.ts', { state: 'passed' }),
  module('a/import.test.ts', { errors: ['no such module'] }),
  module('hook.test.ts', { suites: ['no server'] }),
  module('tests.test.ts', { tests: ['\u001B[31mexpected\u001B[39m 1', 'another'] }),
];

test('a file that failed is named with its project and its first failure, without colors', () => {
  expect(failedFiles(failed)).toEqual([
    { project: 'unit', file: join('a', 'import.test.ts'), message: 'no such module' },
    { project: 'unit', file: 'hook.test.ts', message: 'a suite: no server' },
    { project: 'unit', file: 'tests.test.ts', message: 'a suite > a test: expected 1' },
  ]);
});

test('nothing is written of a run that failed outside of its files, or was interrupted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fw-failed-files-'));
  const path = join(folder, 'failed.json');
  vi.stubEnv('FW_FAILED_FILES', path);
  const reporter = new FailedFiles();
  reporter.onTestRunEnd(failed, [{ message: 'unhandled' } as SerializedError], 'failed');
  reporter.onTestRunEnd(failed, [], 'interrupted');
  expect(readdirSync(folder)).toEqual([]);
  reporter.onTestRunEnd(failed, [], 'failed');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(failedFiles(failed));
  vi.unstubAllEnvs();
  reporter.onTestRunEnd([], [], 'failed');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(3);
  rmSync(folder, { recursive: true });
});
