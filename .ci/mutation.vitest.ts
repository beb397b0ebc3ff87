// What Stryker runs against each mutant: the test files of the group that .ci/mutation.ts is at.
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: { include: JSON.parse(process.env.FW_MUTATION_TESTS ?? '[]') as string[], silent: true },
});

export default config;
