// What ends `fw dev`, and with which exit code.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchParent } from '../../process/parent-watch.js';
import { untilStopped } from './until-stopped.js';

vi.mock('../../process/parent-watch.js', () => ({ watchParent: vi.fn() }));

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const before = signals.map((signal) => process.listeners(signal));
const restore = vi.fn();
let press: () => void;
let exit: Promise<unknown>;
beforeEach(() => {
  restore.mockClear();
  exit = untilStopped((quit) => {
    press = quit;
    return restore;
  });
});
afterEach(() => {
  for (const [index, signal] of signals.entries()) {
    for (const listener of process.listeners(signal))
      if (!before[index]?.includes(listener)) process.off(signal, listener);
  }
});

it.each([
  ['Ctrl+C', () => process.emit('SIGINT', 'SIGINT'), 130],
  ['SIGTERM', () => process.emit('SIGTERM', 'SIGTERM'), 0],
  ['the end of the terminal', () => process.emit('SIGHUP', 'SIGHUP'), 0],
  ['the key', () => press(), 0],
  ['the end of the package manager', () => vi.mocked(watchParent).mock.lastCall?.[0](), 0],
])('%s ends it, and gives the terminal back', async (_, end, code) => {
  end();
  expect(await exit).toBe(code);
  expect(restore).toHaveBeenCalledOnce();
});

it('a second signal does not wait for the app', async () => {
  const exited = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  process.emit('SIGTERM', 'SIGTERM');
  expect(exited).not.toHaveBeenCalled();
  process.emit('SIGINT', 'SIGINT');
  expect(exited).toHaveBeenCalledExactlyOnceWith(130);
  expect(await exit).toBe(0);
  exited.mockRestore();
});
