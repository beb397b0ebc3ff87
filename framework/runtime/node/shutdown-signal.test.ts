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
    ['SIGINT', 'linux', [1, 1, 0, 0]],
    ['SIGTERM', 'darwin', [1, 1, 0, 0]],
    ['SIGINT', 'win32', [1, 1, 1, 1]],
    ['SIGHUP', 'win32', [1, 1, 1, 1]],
    ['SIGBREAK', 'win32', [1, 1, 1, 1]],
  ] as const)(
    'resolves at %s on %s, and leaves a second signal to the default action',
    async (signal, platform, counts) => {
      vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
      const shutdown = shutdownSignal();
      expect(SIGNALS.map((name) => process.listenerCount(name))).toEqual(counts);
      process.emit(signal, signal);
      expect(await shutdown).toBe(signal);
      expect(SIGNALS.map((name) => process.listenerCount(name))).toEqual([0, 0, 0, 0]);
    },
  );
});
