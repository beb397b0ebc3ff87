// A reporter of Vitest: writes the test files that failed, as JSON, to the path in FW_FAILED_FILES, for `tests.ts`.
// It writes nothing of a run that failed in another way than by its test files.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node';

export interface FailedFile {
  readonly project: string;
  /** From the root of the repository. */
  readonly file: string;
  /** The test that failed first, and what it said. */
  readonly message: string;
}

export default class FailedFiles implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const path = process.env.FW_FAILED_FILES;
    if (path === undefined || unhandled.length > 0 || reason === 'interrupted') return;
    writeFileSync(path, JSON.stringify(failedFiles(modules)));
  }
}

export function failedFiles(modules: readonly TestModule[]): FailedFile[] {
  return modules
    .filter((module) => module.state() === 'failed')
    .map((module) => ({
      project: module.project.name,
      file: relative(process.cwd(), module.moduleId),
      message: stripVTControlCharacters(firstFailure(module)),
    }));
}

function firstFailure(module: TestModule): string {
  const [ofFile] = module.errors();
  if (ofFile !== undefined) return ofFile.message;
  for (const suite of module.children.allSuites()) {
    const [error] = suite.errors();
    if (error !== undefined) return `${suite.fullName}: ${error.message}`;
  }
  for (const test of module.children.allTests('failed')) {
    return `${test.fullName}: ${test.result().errors?.[0]?.message ?? 'no message'}`;
  }
  return 'no message';
}
