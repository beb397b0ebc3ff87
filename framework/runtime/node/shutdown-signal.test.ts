import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shutdownSignal } from './shutdown-signal.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

describe('shutdownSignal', () => {
  // The test runner may listen too, and would end the tests.
  let others: [NodeJS.Signals, NodeJS.SignalsListener[]][] = [];

  beforeEach(() => {
    others = SIGNALS.map((signal) => [signal, process.listeners(signal)]);
    for (const signal of SIGNALS) process.removeAllListeners(signal);
  });

  afterEach(() => {
    for (const [signal, listeners] of others) {
      process.removeAllListeners(signal);
      for (const listener of listeners) process.on(signal, listener);
    }
  });

  it.each(SIGNALS)('resolves at %s, and leaves a second signal to the default action', async (signal) => {
    const shutdown = shutdownSignal();
    expect(SIGNALS.map((name) => process.listenerCount(name))).toEqual([1, 1]);
    process.emit(signal, signal);
    expect(await shutdown).toBe(signal);
    expect(SIGNALS.map((name) => process.listenerCount(name))).toEqual([0, 0]);
  });
});
