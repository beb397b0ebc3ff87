// Wrong invocations: each fails with a message of at most three lines, without a stack, and writes nothing.
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFw, temporaryDirectory } from './packed.js';

const usage = 2;
const failed = 1;
const basic = ['--template', 'basic', '--no-install', '--no-git'];

const wrong: ReadonlyArray<[args: string[], exitCode: number, says: string | RegExp]> = [
  [['nwe'], usage, 'fw new'],
  [['frobnicate'], usage, "unknown command 'frobnicate'"],
  [['hlep'], usage, 'did you mean: fw help'],
  [['--versoin'], usage, '--version'],
  [['--port', '3000', 'dev'], usage, "'--port'"],
  [['new'], usage, /<name> and --template/],
  [['new', 'app'], usage, '--template'],
  [['new', '--template', 'basic'], usage, '<name>'],
  [
    ['new', 'app', '--template'],
    usage,
    /the option --template needs a value\nhelp: -t, --template <template> is: name of one/,
  ],
  [['new', 'app', '--template', 'bsaic'], usage, '--template basic'],
  [['new', 'app', 'second', ...basic], usage, "unexpected argument 'second'"],
  [['new', 'app', '--forse', ...basic], usage, '--force'],
  [['new', 'app', '--package-manager', 'pip', ...basic], usage, 'npm, pnpm, yarn, bun'],
  [['new', 'app', '--start', '--no-install', '-t', 'basic'], usage, '--no-install'],
  [['new', 'app', '--start', '--json', '-t', 'basic'], usage, '--json'],
  [['new', '', ...basic], usage, 'empty'],
  [['new', 'My App', ...basic], usage, 'fw new my-app'],
  [['new', 'con', ...basic], usage, 'reserved name on Windows'],
  [['new', 'aux.js', ...basic], usage, 'reserved name on Windows'],
  [['new', 'name.', ...basic], usage, 'ends with a dot'],
  [['new', 'a\u001b[31mb', ...basic], usage, 'control character'],
  [['new', 'node_modules', ...basic], usage, 'node_modules'],
  [['new', 'http', ...basic], usage, 'module of Node.js'],
  [['new', 'fw', ...basic], usage, 'my-fw'],
  [['new', '@scope/app', ...basic], usage, 'fw new app --name @scope/app'],
  [['new', 'x'.repeat(300), ...basic], usage, '255'],
  [['new', 'a-file', ...basic], failed, 'is a file'],
  [['new', 'a-file/app', ...basic], failed, 'is a file'],
  [['new', 'a-link', ...basic], failed, 'symbolic link'],
  [['new', 'full', ...basic], failed, 'package.json'],
  [['new', '/proc/app', ...basic], failed, '/proc/app'],
  [['build', '--watch'], failed, 'there is no package.json'],
  [['dev', '--prot', '1'], usage, '--port'],
  [['dev'], failed, /\S/],
  [['fuzz', 'http://example.org'], usage, '--allow-remote'],
  [['fuzz', 'example.org'], usage, "'example.org' is not the address of a server"],
  [['fuzz', '--header', 'secret'], usage, "'Name: value'"],
  [['fuzz'], failed, /npm run dev/],
];

test.each(wrong.map(([args, ...expected]) => [line(args), args, ...expected] as const))(
  'fw %s',
  async (_, args, exitCode, says) => {
    const cwd = join(temporaryDirectory(), 'here');
    mkdirSync(join(cwd, 'full'), { recursive: true });
    writeFileSync(join(cwd, 'a-file'), '');
    writeFileSync(join(cwd, 'full/package.json'), '{}');
    symlinkSync('full', join(cwd, 'a-link'));
    const before = everything(cwd);

    const result = await runFw(args, { cwd });

    expect(result).toMatchObject({ exitCode, stdout: '' });
    expect(result.stderr).toMatch(says);
    expect(result.stderr).toMatch(/^error: .*\n(?:.*\n){0,2}$/);
    expect(result.stderr).not.toMatch(/^\s+at /m);
    expect(result.stderr).not.toContain('\u001b');
    expect(everything(cwd)).toEqual(before);
  },
);

function line(args: readonly string[]): string {
  return args
    .map((word) => (/^[\w./-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ')
    .slice(0, 80);
}

function everything(directory: string): string[] {
  return readdirSync(join(directory, '..'), { recursive: true, encoding: 'utf8' }).sort();
}
