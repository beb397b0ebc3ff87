// A setup of the tests that share a process: the next test, perhaps of another file, has the clock of the system.
import { afterEach, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
});
