// A setup of the tests: `vi.waitFor` waits for as long as `expect.poll` does, as a second is nothing on a busy machine.
import { vi } from 'vitest';

const PATIENCE_MS = 60_000;

const { waitFor } = vi;
// Files that share a process run this once each.
if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(callback, options) {
    const given = typeof options === 'number' ? { timeout: options } : options;
    return waitFor(callback, { timeout: PATIENCE_MS, ...given });
  };
}
