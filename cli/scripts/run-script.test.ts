// How a script is run: by which words, and never within itself.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PackageManager } from '../manager/package-manager.js';
import { quote } from '../new/quote.js';
import { runScript, scriptWords } from './run-script.js';

let directory: string;
let printed: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fw-run-script-'));
  printed = '';
  vi.stubEnv('npm_config_user_agent', '');
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

describe('the words for a package manager', () => {
  it.each<[PackageManager, string | undefined, string[], string]>([
    ['npm', undefined, [], 'run test'],
    ['npm', undefined, ['-t', 'x'], 'run test -- -t x'],
    ['npm', undefined, ['--', 'x'], 'run test -- -- x'],
    ['pnpm', undefined, ['-t', '--', 'x'], 'run test -t -- x'],
    ['yarn', '1.22.22', ['-t', 'x'], 'run test -t x'],
    ['yarn', '1.22.22', ['-t', '--', 'x'], 'run test -- -t -- x'],
    ['yarn', '4.1.0', ['-t', '--', 'x'], 'run test -t -- x'],
    ['bun', undefined, ['-t', '--', 'x'], 'run test -t -- x'],
    ['bun', undefined, ['--', 'x'], 'run test -- -- x'],
  ])('%s %s passes on %j', (manager, version, args, words) => {
    expect(scriptWords(manager, 'test', args, () => version).join(' ')).toBe(words);
  });
});

describe('a script', () => {
  const script = () => ({ name: 'test', directory });

  function runs(code: string): void {
    writeFileSync(join(directory, 'package.json'), '{"scripts":{"test":"node script.cjs"}}');
    writeFileSync(join(directory, 'script.cjs'), code);
  }

  it('is named with its arguments, and gives its exit code', async () => {
    runs('process.exit(process.argv[2] === "x y" ? 9 : 1)');
    expect(await runScript('test', script(), ['x y'])).toBe(9);
    expect(printed).toBe(`fw test is a placeholder; running: npm run test -- ${quote('x y')}\n`);
  });

  it('that runs fw again and again is refused, by way of others too', async () => {
    const other = JSON.stringify(['build', directory]);
    vi.stubEnv('FW_RUNNING_SCRIPTS', `${JSON.stringify(['test', directory])}\n${other}`);
    await expect(runScript('test', script(), [])).rejects.toMatchObject({
      message: `the script "test" in ${join(directory, 'package.json')} runs fw test, which runs that script again`,
      help: 'replace fw test there by the program that does the work',
      exitCode: 1,
    });
    expect(printed).toBe('');
  });

  it('may run another one, and the same of another directory', async () => {
    runs('');
    vi.stubEnv(
      'FW_RUNNING_SCRIPTS',
      `${JSON.stringify(['build', directory])}\n${JSON.stringify(['test', '/'])}`,
    );
    expect(await runScript('test', script(), [])).toBe(0);
  });

  it('needs the package manager of the app', async () => {
    runs('');
    writeFileSync(join(directory, 'bun.lock'), '');
    vi.stubEnv('PATH', `${directory}${delimiter}`);
    await expect(runScript('test', script(), [])).rejects.toMatchObject({
      message: `bun is not installed, and ${directory} is a project of bun`,
      help: 'install bun, or run what the script "test" says yourself',
    });
  });
});
