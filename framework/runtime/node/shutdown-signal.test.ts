import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shutdownSignal } from './shutdown-signal.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

describe('shutdownSignal', () => {
  // The test runner may listen too, and would end the tests.
  let others: [NodeJS.Signals, NodeJS.SignalsListener[]][] = [];

  beforeEach(() => {
    others = SIGNALS.map((signal) => [signal, process.listeners(signal)]);
    for (const signal of SIGNALS) process.removeAllListeners(signal);
  });

  afterEach(() => {
    vi.restoreAllMocks();
    for (const [signal, listeners] of others) {
      process.removeAllListeners(signal);
      for (const listener of listeners) process.on(signal, listener);
    }
  });

  it.each([
    ['SIGINT', 'linux', [1, 1, 1, 0], 1],
    ['SIGTERM', 'darwin', [1, 1, 1, 0], 1],
    ['SIGHUP', 'linux', [1, 1, 1, 0], 1],
    ['SIGINT', 'win32', [1, 1, 1, 1], 0],
    ['SIGHUP', 'win32', [1, 1, 1, 1], 0],
    ['SIGBREAK', 'win32', [1, 1, 1, 1], 0],
  ] as const)(
    'resolves at %s on %s, and leaves a second signal to the default action, but for a hangup',
    async (signal, platform, counts, hangups) => {
      vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
      const shutdown = shutdownSignal();
      expect(SIGNALS.map((name) => process.listenerCount(name))).toEqual(counts);
      process.emit(signal, signal);
      expect(await shutdown).toBe(signal);
      expect(SIGNALS.map((name) => process.listenerCount(name))).toEqual([0, 0, hangups, 0]);
    },
  );

  it.each([
    ['Node.js', undefined, 1],
    ['Bun', 'SigBlk:\t0000000000000000\nSigIgn:\t0000000001001000\n', 1],
    ['Bun', 'SigBlk:\t0000000000000000\nSigIgn:\t0000000001001001\n', 0],
    ['Bun', undefined, 0],
    ['Deno', undefined, 0],
  ] as const)('on %s with the state %j, it listens for %i hangups', async (runtime, status, count) => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue({
      readFileSync: () => status ?? expect.fail('there is no /proc'),
    } as never);
    vi.doMock('../../this-runtime.js', () => ({ THIS_RUNTIME: runtime }));
    vi.resetModules();
    const { shutdownSignal } = await import('./shutdown-signal.js');
    const shutdown = shutdownSignal();
    expect(process.listenerCount('SIGHUP')).toBe(count);
    process.emit('SIGTERM', 'SIGTERM');
    await shutdown;
    vi.doUnmock('../../this-runtime.js');
  });
});
