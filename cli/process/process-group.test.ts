// How a program ends together with what it has started.
import type { ChildProcess } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const spawnSync = vi.hoisted(() => vi.fn());
vi.mock('node:child_process', () => ({ spawnSync }));

const { endProgram, killGroup, ownGroup } = await import('./process-group.js');

const kill = vi.fn();
const child = (exitCode: number | null = null): ChildProcess =>
  ({ pid: 4312, exitCode, kill }) as unknown as ChildProcess;

describe('killGroup', () => {
  it('kills the group of a program that runs, and nothing else', () => {
    const signal = vi.spyOn(process, 'kill').mockReturnValue(true);
    killGroup(child(0));
    killGroup({ ...child(), pid: undefined } as unknown as ChildProcess);
    expect([signal.mock.calls, kill.mock.calls]).toEqual([[], []]);
    killGroup(child());
    expect(signal.mock.calls).toEqual(ownGroup ? [[-4312, 'SIGKILL']] : []);
    expect(kill).toHaveBeenCalledTimes(ownGroup ? 0 : 1);
    signal.mockImplementation(() => {
      throw new Error('ESRCH');
    });
    killGroup(child());
    signal.mockRestore();
    kill.mockClear();
  });
});

describe('endProgram', () => {
  beforeEach(() => {
    spawnSync.mockReturnValue({ status: 0 });
  });
  afterEach(() => {
    vi.clearAllMocks();
  });

  it('ends the whole tree on Windows, and has done so when it returns', () => {
    endProgram(child(), 'win32');
    expect(spawnSync).toHaveBeenCalledExactlyOnceWith(
      'taskkill',
      ['/T', '/F', '/PID', '4312'],
      expect.objectContaining({ windowsHide: true, timeout: 5000 }),
    );
    expect(kill).not.toHaveBeenCalled();
  });

  it('ends the program itself if there is no taskkill, or if it fails', () => {
    spawnSync.mockReturnValue({ status: null, error: new Error('ENOENT') });
    endProgram(child(), 'win32');
    expect(kill).toHaveBeenCalledExactlyOnceWith('SIGTERM');
  });

  it('ends no other process that has the number of one that has ended', () => {
    endProgram(child(0), 'win32');
    expect(spawnSync).not.toHaveBeenCalled();
  });

  it('sends SIGTERM elsewhere', () => {
    endProgram(child(), 'linux');
    expect(spawnSync).not.toHaveBeenCalled();
    expect(kill).toHaveBeenCalledExactlyOnceWith('SIGTERM');
  });
});
