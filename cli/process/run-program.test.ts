import { getEventListeners } from 'node:events';
import { tmpdir } from 'node:os';
import { expect, it, vi } from 'vitest';
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
  // `taskkill` gives it an exit code.
  if (process.platform === 'win32') expect(ended).not.toEqual({ exitCode: 0, signal: null });
  else expect(ended).toEqual({ exitCode: null, signal: 'SIGTERM' });
  expect(process.listenerCount('exit')).toBe(listeners);
});

it('does not listen to the signal once the program has ended', async () => {
  const { signal } = new AbortController();
  await runProgram(process.execPath, ['-e', ''], { ...where, signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it.skipIf(process.platform === 'win32')('kills a program that SIGTERM does not end', async () => {
  const controller = new AbortController();
  const stubborn = "process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)";
  const ended = await runProgram(process.execPath, ['-e', stubborn], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'ignore'],
    signal: controller.signal,
    killAfterMs: 20,
    onStart: (child) => child.stdout?.once('data', () => controller.abort()),
  });
  expect(ended.signal).toBe('SIGKILL');
});

it('ends a program that still runs when this process exits', async () => {
  const before = process.listeners('exit');
  const running = runProgram(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    ...where,
    onStart: (child) =>
      child.once('spawn', () => {
        for (const listener of process.listeners('exit')) {
          if (!before.includes(listener)) listener.call(process, 0);
        }
      }),
  });
  const { exitCode, signal } = await running;
  expect(process.platform === 'win32' ? exitCode !== 0 : signal === 'SIGTERM').toBe(true);
});

it('leaves no timer behind, though the program had to be asked to end', async () => {
  const { setTimeout: real } = globalThis;
  const timers = new Set<unknown>();
  const [set, clear] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
  set.mockImplementation(((call: () => void, ms: number) => {
    const timer = real(call, ms);
    if (ms === 54_321) timers.add(timer);
    return timer;
  }) as typeof setTimeout);
  const controller = new AbortController();
  await runProgram(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    ...where,
    signal: controller.signal,
    killAfterMs: 54_321,
    onStart: (child) => child.once('spawn', () => controller.abort()),
  });
  const cleared = clear.mock.calls.map(([timer]) => timer);
  vi.restoreAllMocks();
  expect(timers.size).toBe(1);
  for (const timer of timers) expect(cleared).toContain(timer);
});

it('ends a program at once if the signal is aborted before', async () => {
  const signal = AbortSignal.abort();
  const ended = await runProgram(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    ...where,
    signal,
  });
  expect(ended.signal).toBe('SIGTERM');
});
