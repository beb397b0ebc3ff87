// Which words after a placeholder command are for fw: --help as the first one, and a first --.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { placeholder } from './placeholder.js';

let directory: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'fw-placeholder-')));
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.stubEnv('npm_config_user_agent', '');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

const command = () => placeholder('test', ['test'], 'fw test a').exitOverride();

it.each([
  [
    ['--run', 'a.test.ts'],
    ['--run', 'a.test.ts'],
  ],
  [
    ['--', '-t', 'x y'],
    ['-t', 'x y'],
  ],
  [['--', '--help'], ['--help']],
  [
    ['a', '--', '--help', '-h'],
    ['a', '--', '--help', '-h'],
  ],
  [
    ['--', '--', 'a'],
    ['--', 'a'],
  ],
  [
    ['-t', '', '--version'],
    ['-t', '', '--version'],
  ],
  [[], []],
])('passes %j on as %j, and ends with the exit code', async (typed, passed) => {
  const write =
    "require('fs').writeFileSync('args.json', JSON.stringify(process.argv.slice(2)));process.exit(7)";
  writeFileSync(join(directory, 'script.cjs'), write);
  writeFileSync(join(directory, 'package.json'), '{"scripts":{"test":"node script.cjs"}}');
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  await command().parseAsync(typed, { from: 'user' });
  expect(JSON.parse(readFileSync(join(directory, 'args.json'), 'utf8'))).toEqual(passed);
  expect(exit).toHaveBeenCalledExactlyOnceWith(7);
});

it.each([['--help'], ['-h']])('shows its help for %s, without a script', async (word) => {
  let shown = '';
  const shows = command().configureOutput({ writeOut: (text) => (shown += text) });
  await expect(shows.parseAsync([word], { from: 'user' })).rejects.toMatchObject({ exitCode: 0 });
  expect(shown).toContain('Usage: test [arguments of the script...]');
});
