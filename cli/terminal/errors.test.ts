// Errors that are shown in the terminal: their exit codes, and what the system has refused.
import { expect, it } from 'vitest';
import { CliError, systemFault, UsageError, withHelp } from './errors.js';

it('has the exit code 1, or that of wrong usage', () => {
  const cause = new Error('inner');
  expect(new CliError('a')).toMatchObject({ name: 'CliError', help: undefined, exitCode: 1 });
  expect('cause' in new CliError('a')).toBe(false);
  expect(new CliError('a', { help: 'b', exitCode: 130, cause })).toMatchObject({
    help: 'b',
    exitCode: 130,
    cause,
  });
  expect(new UsageError('a')).toMatchObject({ name: 'UsageError', help: undefined, exitCode: 2 });
  expect(new UsageError('a', 'b')).toMatchObject({ help: 'b', exitCode: 2 });
});

it('is one line with its remedy', () => {
  expect(withHelp(new CliError('the port is taken', { help: 'take another' }))).toBe(
    'the port is taken: take another',
  );
  expect(withHelp(new CliError('the port is taken'))).toBe('the port is taken');
});

it.each([
  ['EACCES', 'permission denied', 'the right to write'],
  ['EPERM', 'not permitted', 'the right to write'],
  ['EROFS', 'read-only', 'use a folder'],
  ['ENOSPC', 'the disk is full', 'free some space'],
  ['EDQUOT', 'quota', 'free some space'],
  ['EMFILE', 'this process has too many open files', 'ulimit'],
  ['ENFILE', 'the system has too many open files', 'close some programs'],
])('says what %s of the system means, and what to do', (code, reason, remedy) => {
  const fault = systemFault(Object.assign(new Error(code), { code, syscall: 'open' }));
  expect(fault?.reason).toContain(reason);
  expect(fault?.remedy).toContain(remedy);
});

it.each([
  ['another error of the system', Object.assign(new Error(), { code: 'ENOENT', syscall: 'open' })],
  ['one without a code', Object.assign(new Error(), { syscall: 'open' })],
  ['one of a library with such a code', Object.assign(new Error(), { code: 'EACCES' })],
  ['the limit of watched files', Object.assign(new Error(), { code: 'ENOSPC', syscall: 'watch' })],
  ['what is not an error', { code: 'ENOSPC', syscall: 'write' }],
  ['nothing', undefined],
])('does not speak for %s', (_what, error) => {
  expect(systemFault(error)).toBeUndefined();
});
