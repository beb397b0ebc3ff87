// `fw build`, `fw test`, `fw fmt` and `fw lint` of an app: its scripts do the work, in a pipe and on a terminal.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasManagers, managers, newMachine } from './managers/machine.js';
import { installedFw, runFw, temporaryDirectory } from './packed.js';
import { keys, openTerminal, terminalMissing } from './terminal.js';

const node = Number(process.versions.node.split('.')[0]);

/** Says what it gets, and ends as it is told. */
const program = `
const input = process.stdin.isTTY ? '' : require('node:fs').readFileSync(0, 'utf8');
console.log('out ' + JSON.stringify([...process.argv.slice(2), input]));
console.error('err');
process.exitCode = Number(process.env.ENDS_WITH ?? 0);
`;
/** Ends in its own time, and says that it did. */
const patient = `
const { writeFileSync } = require('node:fs');
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => setTimeout(() => { writeFileSync('ended', signal); process.exit(7); }, 300));
}
console.log('waiting');
setInterval(() => {}, 1000);
`;

function app(scripts: Record<string, string>, code = program): string {
  const directory = temporaryDirectory('fw-scripts');
  writeFileSync(join(directory, 'package.json'), `\uFEFF${JSON.stringify({ name: 'app', scripts })}`);
  writeFileSync(join(directory, 'program.cjs'), code);
  return directory;
}

/** A PATH with `fw`, as scripts of an app have it. */
function pathWithFw(): string {
  const folder = temporaryDirectory('fw-path');
  writeFileSync(join(folder, 'fw'), `#!/bin/sh\nexec '${process.execPath}' '${installedFw()}' "$@"\n`);
  chmodSync(join(folder, 'fw'), 0o755);
  return `${folder}${delimiter}${process.env.PATH}`;
}

describe('a script of the app', () => {
  test.each([
    ['build', 'build'],
    ['test', 'test'],
    ['fmt', 'format'],
    ['lint', 'lint'],
  ])('is run by fw %s, whose notice is not in its output', async (name, script) => {
    const cwd = app({ [script]: 'node program.cjs' });
    const result = await runFw([name, '--run', 'a b.ts'], { cwd, input: 'given', env: { ENDS_WITH: '5' } });
    expect(result.exitCode).toBe(5);
    expect(result.stdout).toContain('out ["--run","a b.ts","given"]\n');
    expect(result.stdout).not.toContain('placeholder');
    const notice = `fw ${name} is a placeholder; running: npm run ${script} -- --run 'a b.ts'\nerr\n`;
    expect(result.stderr.startsWith(notice), result.stderr).toBe(true);
  });

  test('is run from a folder of the app', async () => {
    const cwd = app({ test: 'node program.cjs' });
    mkdirSync(join(cwd, 'src'));
    expect(await runFw(['test'], { cwd: join(cwd, 'src') })).toMatchObject({ exitCode: 0 });
  });

  test('that is missing is an error with the line to add', async () => {
    const cwd = app({ dev: 'fw dev' });
    const file = join(cwd, 'package.json');
    expect(await runFw(['fmt'], { cwd })).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: `error: ${file} has no script "fmt" or "format"\nhelp: add one to "scripts" there that does the work, such as "format": "biome check --write ."\n`,
    });
  });

  test('that runs fw itself ends, and so do two that run each other', async () => {
    const cwd = app({ build: 'fw build', test: 'fw lint', lint: 'fw test' });
    const env = { PATH: pathWithFw() };
    const own = await runFw(['build'], { cwd, env });
    expect(own.exitCode).toBe(1);
    expect(own.stderr).toContain('runs fw build, which runs that script again\nhelp: replace fw build there');
    const each = await runFw(['lint'], { cwd, env });
    expect(each.exitCode).toBe(1);
    expect(each.stderr.match(/is a placeholder/g)).toHaveLength(2);
  });

  test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)(
    'gets %s without a terminal',
    async (signal) => {
      const cwd = app({ test: 'node program.cjs' }, patient);
      const result = await runFw(['test'], { cwd, signal, signalAfter: 'waiting' });
      expect(result.exitCode).not.toBe(0);
      // npm ends before the script that it runs.
      await expect.poll(() => existsSync(join(cwd, 'ended')), { timeout: 60_000 }).toBe(true);
      expect(readFileSync(join(cwd, 'ended'), 'utf8')).toBe(signal);
    },
  );

  const missing = terminalMissing();
  test.skipIf(missing)('has the terminal, and gets Ctrl+C there', async () => {
    const cwd = app({ test: 'node program.cjs' }, `if (!process.stdin.isTTY) process.exit(3);${patient}`);
    const terminal = openTerminal([process.execPath, installedFw(), 'test'], cwd);
    await terminal.see('waiting');
    terminal.type(keys.ctrlC);
    const { exitCode } = await terminal.end();
    expect(exitCode).not.toBe(0);
    expect(readFileSync(join(cwd, 'ended'), 'utf8')).toBe('SIGINT');
  });
});

describe.skipIf(!hasManagers)('with every package manager', () => {
  const usable = Object.entries(managers).filter(([, { node: oldest }]) => node >= oldest);
  test.each(usable)('%s passes the arguments on untouched', async (_name, manager) => {
    const cwd = app({ test: 'node program.cjs' });
    writeFileSync(join(cwd, manager.lockFile), '');
    if (manager.folder === 'yarn-4') writeFileSync(join(cwd, '.yarnrc.yml'), 'nodeLinker: node-modules\n');
    const machine = newMachine(manager);
    if (manager.folder === 'yarn-4') await machine.run(cwd, 'yarn', 'install', '--no-immutable');
    const args = ['-t', 'x  y', '--help', '--filter=a', '--silent', '', '--', '--version'];
    const { stdout } = await machine.run(cwd, process.execPath, installedFw(), 'test', ...args);
    expect(stdout).toContain(`out ${JSON.stringify([...args, ''])}\n`);
  });
});
