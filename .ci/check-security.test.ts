// The check of the page about security itself: it must fail where a test that the page names does not exist.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

const check = fileURLToPath(new URL('check-security.ts', import.meta.url));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** What the check says of a page with these rows, beside one test. */
function checked(rows: string, fewest = 1): Promise<{ code: unknown; said: string }> {
  const root = mkdtempSync(join(tmpdir(), 'fw-security-'));
  folders.push(root);
  mkdirSync(join(root, 'framework/docs'), { recursive: true });
  const head = '| Requirement | Level | What | Who | Held by |\n| --- | --- | --- | --- | --- |\n';
  writeFileSync(join(root, 'framework/docs/security.md'), head + rows);
  writeFileSync(join(root, 'framework/a.test.ts'), "it('is refused', () => {});");
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', check, root, String(fewest)], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
}

it('passes where every test exists, and where a row has none to name', async () => {
  const { code, said } = await checked(
    '| 1.1.1 | 1 | a | fw | `framework/a.test.ts`: “is refused” |\n| 1.1.2 | 2 | b | open | by design |\n',
  );
  expect([code, said]).toEqual([0, '2 rows about security: every test that they name exists\n']);
});

it.each([
  ['a file that does not exist', '`framework/b.test.ts`: “is refused”', 'there is no framework/b.test.ts'],
  ['a test that does not exist', '`framework/a.test.ts`: “is allowed”', 'has no test “is allowed”'],
  ['a file without a test', '`framework/a.test.ts`', 'give the name of the test behind framework/a.test.ts'],
  ['nothing', '', 'a row has five cells'],
])('fails for a row that names %s, and says where', async (_, heldBy, fault) => {
  const { code, said } = await checked(`| 1.1.1 | 1 | a | fw | ${heldBy} |\n`);
  expect(code).toBe(1);
  expect(said).toContain('framework/docs/security.md:3: ');
  expect(said).toContain(fault);
});

it('fails for a page without the rows that it had', async () => {
  const { code, said } = await checked('no table\n', 2);
  expect(code).toBe(1);
  expect(said).toContain('has 0 rows with a requirement, and had 2 or more');
});
