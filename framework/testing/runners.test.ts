// The assertions in popular test runners: each shows the response and the difference.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const framework = fileURLToPath(new URL('..', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'fw-runners-'));

const testFile = (runner: string) => `
import { test } from '${runner}';
import { App } from './index.mjs';
import { TestClient, withServer } from './testing/index.mjs';

const app = new App().get('/', () => ({ name: 'Ada', role: 'admin' }));

test('passes', async () => {
  await withServer(app, async ({ client }) => (await client.get('/')).assertStatus(200).assertHeader('content-type'));
});
test('status', async () => { (await new TestClient(app).get('/')).assertStatus(418); });
test('json', async () => { (await new TestClient(app).get('/')).assertJson({ name: 'Ada', role: 'guest' }); });
`;

beforeAll(async () => {
  await build({
    entryPoints: [join(framework, 'index.ts'), join(framework, 'testing/index.ts')],
    outbase: framework,
    outdir: dir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outExtension: { '.js': '.mjs' },
  });
  writeFileSync(join(dir, 'node.test.mjs'), testFile('node:test'));
  writeFileSync(join(dir, 'vitest.test.mjs'), testFile('vitest'));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The environment without the variables that this runner sets for its child processes. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_TEST|NODE_OPTIONS|TEST$)/.test(name),
  );
  return { ...Object.fromEntries(entries), NO_COLOR: '1', FORCE_COLOR: '0' };
}

function run(args: readonly string[]): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    const options = { cwd: dir, timeout: 50_000, env: cleanEnvironment() };
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? error.signal), output: stdout + stderr }),
    );
  });
}

describe('a failed assertion', () => {
  it('in node:test shows the response, and actual and expected', async () => {
    const { code, output } = await run(['--test', '--test-reporter=tap', 'node.test.mjs']);
    expect(code).toBe(1);
    expect(output).toMatch(/# pass 1\n# fail 2\n/);
    expect(output).toContain('GET /: expected status 418');
    expect(output).toContain("code: 'ERR_ASSERTION'");
    expect(output).toMatch(/expected: 418\s+actual: 200/);
    expect(output).toMatch(/\+ {3}role: 'admin'\n\s+- {3}role: 'guest'/);
  });

  it('in vitest shows the response, and the difference', async () => {
    const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
    // Resolved from here, because the file is outside of the project.
    const config = `export default { resolve: { alias: { vitest: ${JSON.stringify(join(vitest, '../dist/index.js'))} } } };`;
    writeFileSync(join(dir, 'vitest.config.mjs'), config);
    const { code, output } = await run([vitest, 'run', '--root', dir, 'vitest.test.mjs', '--no-color']);
    expect(code, output).toBe(1);
    expect(output).toMatch(/2 failed \| 1 passed/);
    expect(output).toContain('AssertionError: GET /: expected status 418');
    expect(output).toMatch(/- 418\n\s*\+ 200/);
    expect(output).toMatch(/- {3}"role": "guest",\n\s*\+ {3}"role": "admin",/);
    // The line of the test, not a line of the assertion.
    expect(output).toMatch(/vitest\.test\.mjs:\d+:\d+/);
  });
});
