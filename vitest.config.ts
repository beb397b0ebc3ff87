import { availableParallelism } from 'node:os';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Vitest leaves one processor free, which is half of a small machine. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

const config: ViteUserConfig = defineConfig({
  test: {
    // What passing tests write to the console is expected by them.
    silent: 'passed-only',
    projects: [
      {
        test: {
          name: 'unit',
          maxWorkers,
          include: ['framework/**/*.test.ts', 'cli/**/*.test.ts', '.ci/*.test.ts'],
        },
      },
      {
        // The templates' own tests, against the checkout through node_modules/fw.
        test: {
          name: 'templates',
          maxWorkers,
          include: ['templates/*/src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'types',
          maxWorkers,
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            ignoreSourceErrors: true,
            include: ['framework/**/*.test-d.ts'],
          },
        },
      },
      {
        test: {
          name: 'e2e',
          // After all others, which have another number of workers.
          sequence: { groupOrder: 1 },
          include: ['e2e/*.test.ts'],
          // Journeys install packages and boot servers on a small machine: one file at a time, minutes each.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});

export default config;
