import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { runProgram } from './run-program.js';

const where = { cwd: tmpdir(), stdio: 'ignore' } as const;

it('says how a program ended', async () => {
  expect(await runProgram(process.execPath, ['-e', 'process.exit(3)'], where)).toEqual({
    exitCode: 3,
    signal: null,
  });
  const { error } = await runProgram('no-such-program-of-fw', [], where);
  expect(error?.code).toBe('ENOENT');
});

it('ends a program whose signal is aborted, and listens no longer afterwards', async () => {
  const listeners = process.listenerCount('exit');
  const controller = new AbortController();
  const ended = await runProgram(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    ...where,
    signal: controller.signal,
    onStart: (child) => child.once('spawn', () => controller.abort()),
  });
  expect(ended).toEqual({ exitCode: null, signal: 'SIGTERM' });
  expect(process.listenerCount('exit')).toBe(listeners);
});

it('ends a program at once if the signal is aborted before', async () => {
  const signal = AbortSignal.abort();
  const ended = await runProgram(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    ...where,
    signal,
  });
  expect(ended.signal).toBe('SIGTERM');
});
