// The check of the map itself: it must fail where a folder or a path is missing, and say which.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const check = fileURLToPath(new URL('check-map.ts', import.meta.url));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** What the check says of a map, beside the sources `framework/http/a.ts` and `framework/app/routes/b.ts`. */
function checked(map: string): Promise<{ code: unknown; said: string }> {
  const root = mkdtempSync(join(tmpdir(), 'fw-map-'));
  folders.push(root);
  for (const file of ['framework/http/a.ts', 'framework/app/routes/b.ts', 'CONTRIBUTING.md']) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), file.endsWith('.md') ? map : 'export {};');
  }
  execFileSync('git', ['init', '-q'], { cwd: root });
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', check, root], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
}

const tree = (lines: string) => `<!-- tree -->\n\n\`\`\`text\n${lines}\n\`\`\`\n`;
const whole =
  'framework/      all\n  http/         messages\n  app/          the App\n    routes/     its routes';

describe('the check of the map', () => {
  it('passes if every folder has its line and every path exists', async () => {
    const { code, said } = await checked(`${tree(whole)}See \`framework/http/a.ts\`, \`framework/app/\`.`);
    expect(said).toContain('4 folders have their line');
    expect(code).toBe(0);
  });

  it('fails for a folder without a line', async () => {
    const { code, said } = await checked(tree('framework/  all\n  http/  messages\n  app/  the App'));
    expect(said).toContain('framework/app/routes has no line in the tree of CONTRIBUTING.md');
    expect(code).toBe(1);
  });

  it('fails for a line without a folder, and for a path that does not exist', async () => {
    const { code, said } = await checked(`${tree(`${whole}\n  gone/  left`)}See \`framework/http/old.ts\`.`);
    expect(said).toContain('framework/gone is in the tree of CONTRIBUTING.md, and does not exist');
    expect(said).toContain('CONTRIBUTING.md names framework/http/old.ts, which does not exist');
    expect(code).toBe(1);
  });
});
