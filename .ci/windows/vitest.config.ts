// The unit tests that run with Node's Windows executable under Wine; `unit-tests.ts` starts them.
import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { included, leftOut } from './not-there.js';

const config: ViteUserConfig = defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    name: 'windows',
    // A process of Wine costs several times as much as a thread, and begins in half a second.
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    chaiConfig: { truncateThreshold: 400 },
    silent: true,
    setupFiles: ['.ci/close-fetches.ts', '.ci/patient-waits.ts', '.ci/windows/wine-faults.ts'],
    include: [...included],
    exclude: [...Object.keys(leftOut)],
  },
});

export default config;
