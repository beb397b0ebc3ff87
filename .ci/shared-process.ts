// A setup of the tests that share a process: the next test, perhaps of another file, has the clock of the system, and
// nothing of this file listens to what it does.
import diagnostics from 'node:diagnostics_channel';
import { afterAll, afterEach, expect, vi } from 'vitest';

/** What errors, logs and spans come from. */
const CHANNELS = ['fw:error', 'fw:event', 'tracing:fw:query:start', 'tracing:fw:rpc:start'];

afterEach(() => {
  vi.useRealTimers();
});

afterAll(() => {
  expect(
    CHANNELS.filter((name) => diagnostics.channel(name).hasSubscribers),
    'this file still subscribes to them',
  ).toEqual([]);
});
