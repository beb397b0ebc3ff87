// What Stryker runs against each mutant: the test files of the group that .ci/mutation.ts is at.
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const listed = (name: string): string[] => JSON.parse(process.env[name] ?? '[]') as string[];

const config: ViteUserConfig = defineConfig({
  test: {
    include: listed('FW_MUTATION_TESTS'),
    setupFiles: listed('FW_MUTATION_LOAD'),
    silent: true,
    // Enough for every test on a busy machine, since one that fails without a mutant ends the run; a mutant may hang.
    testTimeout: 30_000,
  },
});

export default config;
