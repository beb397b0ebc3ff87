import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CliError, ExitCode, UsageError } from './errors.js';
import { reportError } from './report-error.js';

let printed: string;

beforeEach(() => {
  printed = '';
  vi.stubEnv('NO_COLOR', '1');
  vi.stubEnv('FW_DEBUG', '');
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('prints what happened and what to do', () => {
  expect(reportError(new UsageError('no', 'do this'), 'fw new')).toBe(ExitCode.usage);
  expect(printed).toBe('error: no\nhelp: do this\n');
});

test('text from outside can neither move the cursor nor add lines', () => {
  reportError(new CliError('a\u001b[2J\rb\nc\nd', { help: 'e\nf' }), 'fw new');
  expect(printed).toBe('error: a\\x1b[2J\\x0db\nc\nhelp: e f\n');
});

test('a cancelled run is not an error', () => {
  expect(reportError(new CliError('gone', { exitCode: ExitCode.cancelled }), 'fw')).toBe(130);
  expect(printed).toBe('cancelled: gone\n');
});

test('a bug is printed as one message, with its stack only on request', () => {
  expect(reportError(new TypeError('x is not a function'), 'fw dev')).toBe(ExitCode.failed);
  expect(printed).toContain('error: fw failed unexpectedly: x is not a function\n');
  expect(printed.split('\n')).toHaveLength(3);
  expect(printed).not.toContain('    at ');

  vi.stubEnv('FW_DEBUG', '1');
  reportError(new TypeError('x is not a function'), 'fw dev');
  expect(printed).toContain('    at ');
});

test('what the system has refused is not a bug', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
  expect(reportError(full, 'fw routes')).toBe(ExitCode.failed);
  expect(printed).toBe(
    'error: the disk is full: ENOSPC: no space left on device, write\nhelp: free some space, and run it again\n',
  );
  printed = '';
  reportError(Object.assign(full, { syscall: 'watch' }), 'fw dev');
  expect(printed).toContain('this is a bug in fw');
});

test.each<[NodeJS.Platform, string]>([
  ['linux', 'FW_DEBUG=1 fw dev …'],
  ['win32', "$env:FW_DEBUG = '1' in PowerShell, set FW_DEBUG=1 in cmd, then fw dev …"],
])('a bug on %s is printed with what its shells understand', (platform, words) => {
  reportError(new TypeError('x is not a function'), 'fw dev', platform);
  expect(printed).toContain(`run it again with FW_DEBUG=1: ${words}\n`);
});

test('the help that commander has printed, and a message that a prompt has shown, are all', () => {
  const helped = Object.assign(new Error('(outputHelp)'), { code: 'commander.helpDisplayed', exitCode: 0 });
  expect(reportError(helped, 'fw dev')).toBe(ExitCode.done);
  expect(reportError(new CliError('', { exitCode: ExitCode.cancelled }), 'fw new')).toBe(ExitCode.cancelled);
  expect(printed).toBe('');
});

test.each([
  [Object.assign(new Error('x'), { code: 'EACCES', exitCode: 0 }), 'x'],
  [{ code: 'commander.unknownOption', exitCode: 0 }, '[object Object]'],
  ['a text', 'a text'],
])('%o is not an error of commander', (thrown, words) => {
  expect(reportError(thrown, 'fw dev')).toBe(ExitCode.failed);
  expect(printed).toContain(`error: fw failed unexpectedly: ${words}\n`);
});

test.each([
  ["error: missing required argument 'name'.", "missing required argument 'name'", 'see: fw new --help'],
  ['too many. error: or not', 'too many. error: or not', 'see: fw new --help'],
  ['unknown\nnot (Did you mean --force?)', 'unknown', 'see: fw new --help'],
  ['unknown\n(Did you mean --force?) or not', 'unknown', 'see: fw new --help'],
])('the message %j of commander', (message, first, help) => {
  const error = Object.assign(new Error(message), { code: 'commander.x', exitCode: 1 });
  expect(reportError(error, 'fw new')).toBe(ExitCode.usage);
  expect(printed).toBe(`error: ${first}\nhelp: ${help}\n`);
});

test('errors keep their cause', () => {
  const cause = new Error('before');
  expect(new CliError('x', { cause }).cause).toBe(cause);
  expect(new CliError('x')).not.toHaveProperty('cause');
});

test('errors of commander are usage errors', () => {
  const error = Object.assign(new Error("error: unknown option '--forse'\n(Did you mean --force?)"), {
    code: 'commander.unknownOption',
    exitCode: 1,
  });
  expect(reportError(error, 'fw new')).toBe(ExitCode.usage);
  expect(printed).toBe(
    "error: unknown option '--forse'\nhelp: did you mean --force? All options: fw new --help\n",
  );
});
