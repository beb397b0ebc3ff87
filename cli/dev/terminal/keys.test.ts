// Keys on a terminal, in the foreground and in the background.
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type KeyActions, listenForKeys } from './keys.js';

/** A terminal that notes each mode that it is set to. */
class TrialTerminal extends PassThrough {
  readonly isTTY = true;
  readonly modes: boolean[] = [];
  isRaw = false;

  setRawMode(mode: boolean): this {
    this.isRaw = mode;
    this.modes.push(mode);
    return this;
  }
}

let input: TrialTerminal;
let pressed: string[];
let isOurs: boolean;
let restore: () => void;

function listen(platform: NodeJS.Platform = 'linux'): void {
  const names = ['restart', 'open', 'workbench', 'clear', 'quit', 'help'] as const;
  const actions = Object.fromEntries(names.map((name) => [name, () => pressed.push(name)]));
  const terminal = input as unknown as NodeJS.ReadStream;
  restore = listenForKeys(actions as unknown as KeyActions, terminal, () => isOurs, platform);
}

beforeEach(() => {
  vi.useFakeTimers();
  input = new TrialTerminal();
  pressed = [];
  isOurs = true;
});
afterEach(() => {
  restore();
  vi.useRealTimers();
});

async function type(keys: string): Promise<void> {
  input.write(keys);
  await vi.advanceTimersByTimeAsync(10);
}

describe('keys', () => {
  it('act in the foreground, and leave the terminal as it was', async () => {
    listen();
    await type('rowc?\u0004');
    expect(pressed).toEqual(['restart', 'open', 'workbench', 'clear', 'help', 'quit']);
    restore();
    expect(input.modes).toEqual([true, false]);
  });

  it('do nothing with Ctrl or Alt, but for Ctrl+C, Ctrl+D and Ctrl+Z', async () => {
    listen();
    await type('\u001br\u001bq\u0012\u0011');
    expect(pressed).toEqual([]);
    await type('r');
    expect(pressed).toEqual(['restart']);
  });

  it.each([
    ['linux', [[0, 'SIGINT']], []],
    ['win32', [], ['SIGINT']],
  ] as const)('end this process and those above it by Ctrl+C on %s', async (platform, killed, heard) => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const signals: string[] = [];
    const hear = (signal: string) => void signals.push(signal);
    process.on('SIGINT', hear);
    listen(platform);
    await type('\u0003');
    process.off('SIGINT', hear);
    expect(kill.mock.calls).toEqual(killed);
    expect(signals).toEqual(heard);
    kill.mockRestore();
  });

  it('act again when this process was suspended and continued, by Ctrl+Z and by another program', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    listen();
    await type('\u001a');
    expect(kill.mock.calls).toEqual([[0, 'SIGTSTP']]);
    // The shell has the terminal as it was.
    expect(input.modes).toEqual([true, false]);
    expect(input.isPaused()).toBe(true);
    kill.mockRestore();
    process.emit('SIGCONT', 'SIGCONT');
    expect(input.modes.at(-1)).toBe(true);
    await type('r');
    // A shell sets the mode that it knows.
    const { length } = input.modes;
    process.emit('SIGCONT', 'SIGCONT');
    expect(input.modes.slice(length)).toEqual([false, true]);
    await type('o');
    expect(pressed).toEqual(['restart', 'open']);
  });

  it('do not suspend on Windows, which cannot continue a process', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    listen('win32');
    await type('\u001ar');
    expect(kill).not.toHaveBeenCalled();
    expect(pressed).toEqual(['restart']);
    kill.mockRestore();
  });

  it('leave neither a listener nor a timer at the end', async () => {
    const listeners = () => [process.listenerCount('SIGCONT'), input.listenerCount('keypress')];
    const before = listeners();
    isOurs = false;
    listen();
    isOurs = true;
    await vi.advanceTimersByTimeAsync(1000);
    expect(listeners()).not.toEqual(before);
    restore();
    expect(listeners()).toEqual(before);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('do not touch the terminal from the background, not even at the end', async () => {
    isOurs = false;
    listen();
    await vi.advanceTimersByTimeAsync(5000);
    expect(input.isPaused() || input.readableFlowing === null).toBe(true);
    restore();
    expect(input.modes).toEqual([]);
  });

  it('act when a job comes to the foreground, and keep the mode that exiting processes take', async () => {
    isOurs = false;
    listen();
    isOurs = true;
    await vi.advanceTimersByTimeAsync(1000);
    await type('r');
    expect(pressed).toEqual(['restart']);
    expect(input.modes).toEqual([true]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(input.modes).toEqual([true, false, true]);
  });

  it('end when the job is continued in the background, without a change of the mode', async () => {
    listen();
    isOurs = false;
    process.emit('SIGCONT', 'SIGCONT');
    expect(input.isPaused()).toBe(true);
    expect(input.modes).toEqual([true]);
    isOurs = true;
    process.emit('SIGCONT', 'SIGCONT');
    await type('o');
    expect(pressed).toEqual(['open']);
    expect(input.modes).toEqual([true, false, true]);
  });
});
