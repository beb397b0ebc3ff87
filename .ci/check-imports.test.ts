// The check of imports itself: it must fail where the house plan is broken, and say where.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const check = fileURLToPath(new URL('check-imports.ts', import.meta.url));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** What the check says of a tree of these files. */
function checked(files: Record<string, string>): Promise<{ code: unknown; said: string }> {
  const root = mkdtempSync(join(tmpdir(), 'fw-imports-'));
  folders.push(root);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  execFileSync('git', ['init', '-q'], { cwd: root });
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', check, root], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
}

describe('the check of imports', () => {
  it('passes where every import leads down', async () => {
    const { code, said } = await checked({
      'framework/http/headers.ts': 'export const a = 1;',
      'framework/app/app.ts': "import { a } from '../http/headers.js'; export const b = a;",
      'framework/index.ts': "export { b } from './app/app.js';",
    });
    expect(said).toContain('3 files, 2 imports: every one leads down');
    expect(code).toBe(0);
  });

  it.each([
    ['a value', "import { b } from '../app/app.js';"],
    ['a type', "import type { b } from '../app/app.js';"],
    ['a value that is exported again', "export { b } from '../app/app.js';"],
    ['a module that is loaded later', "await import('../app/app.js');"],
  ])('fails where a lower folder imports %s of a higher one', async (_, upward) => {
    const { code, said } = await checked({
      'framework/http/headers.ts': upward,
      'framework/app/app.ts': 'export const b = 1;',
    });
    expect(said).toContain(
      'framework/http/headers.ts imports framework/app/app.ts: framework/http/ stands below framework/app/',
    );
    expect(code).toBe(1);
  });

  it('fails where two files of one folder need each other’s values, not where one needs a type', async () => {
    const circle = await checked({
      'cli/new/a.ts': "import { b } from './b.js'; export const a = b;",
      'cli/new/b.ts': "import { a } from './a.js'; export const b = a;",
    });
    expect(circle.said).toContain('circle of imports: cli/new/a.ts → cli/new/b.ts → cli/new/a.ts');
    expect(circle.code).toBe(1);
    const typed = await checked({
      'cli/new/a.ts': "import { b } from './b.js'; export const a = b;",
      'cli/new/b.ts': "import type { a } from './a.js'; export const b: typeof a = 1;",
    });
    expect(typed.code).toBe(0);
  });

  it('fails for a file without a place in the plan', async () => {
    const { code, said } = await checked({ 'framework/utils/a.ts': 'export const a = 1;' });
    expect(said).toContain('framework/utils/a.ts is in no folder of the plan');
    expect(code).toBe(1);
  });
});
