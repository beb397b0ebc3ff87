// How a script is run: by which words, and never within itself.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
    ['yarn', undefined, ['--', 'x'], 'run test -- x'],
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

  it('has the variables of this process, and knows the scripts around it', async () => {
    runs("require('node:fs').writeFileSync('variables.json', JSON.stringify(process.env))");
    vi.stubEnv('FW_RUNNING_SCRIPTS', JSON.stringify(['build', directory]));
    vi.stubEnv('FW_TRIAL', 'kept');
    expect(await runScript('test', script(), [])).toBe(0);
    const variables = JSON.parse(
      readFileSync(join(directory, 'variables.json'), 'utf8'),
    ) as NodeJS.ProcessEnv;
    expect(variables.FW_TRIAL).toBe('kept');
    const around = [JSON.stringify(['build', directory]), JSON.stringify(['test', directory])];
    expect(variables.FW_RUNNING_SCRIPTS).toBe(around.join('\n'));
    vi.stubEnv('FW_RUNNING_SCRIPTS', undefined);
    expect(await runScript('test', script(), [])).toBe(0);
    expect(readFileSync(join(directory, 'variables.json'), 'utf8')).toContain(
      JSON.stringify({ FW_RUNNING_SCRIPTS: JSON.stringify(['test', directory]) }).slice(1, -1),
    );
  });

  describe.skipIf(process.platform === 'win32')('by a package manager', () => {
    function managedBy(program: string, mode: number): void {
      runs('');
      writeFileSync(join(directory, 'bun.lock'), '');
      writeFileSync(join(directory, 'bun'), program);
      chmodSync(join(directory, 'bun'), mode);
      vi.stubEnv('PATH', directory);
    }

    it.each([
      ['TERM', 143],
      ['KILL', 137],
    ])('that SIG%s ends gives %i, as shells do', async (signal, exitCode) => {
      managedBy(`#!/bin/sh\nkill -${signal} $$\n`, 0o755);
      expect(await runScript('test', script(), [])).toBe(exitCode);
    });

    it('that may not be run says so', async () => {
      managedBy('', 0o644);
      await expect(runScript('test', script(), [])).rejects.toMatchObject({
        message: expect.stringMatching(/^bun could not be started: .*EACCES/),
        help: 'install bun, or run what the script "test" says yourself',
        cause: { code: 'EACCES' },
      });
    });
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
