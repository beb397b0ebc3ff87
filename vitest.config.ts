import { availableParallelism } from 'node:os';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Vitest leaves one processor free, which is half of a small machine. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

const compiled = ['e2e/backend.test.ts', 'e2e/client.test.ts', 'e2e/routes.test.ts'];
/** For a minute or more each, such as an app from scaffolding to deployment: CI runs them, by npm run test:long. */
const long = [
  'e2e/api-only.test.ts',
  'e2e/declarations.test.ts',
  'e2e/docs.test.ts',
  'e2e/fetch-runtimes.test.ts',
  'e2e/fullstack.test.ts',
  'e2e/fullstack-dev.test.ts',
  'e2e/install.test.ts',
  'e2e/production.test.ts',
  'e2e/registry.test.ts',
  'e2e/systems.test.ts',
  'e2e/typed-clients.test.ts',
  'e2e/upgrade.test.ts',
];
const setupFiles = ['.ci/close-fetches.ts'];
const expects = { poll: { timeout: 20_000 } };
const patient = { testTimeout: 180_000, hookTimeout: 300_000, expect: expects };
/** A busy machine takes many times as long; a test that hangs is found all the same. */
const calm = { testTimeout: 60_000, hookTimeout: 60_000, expect: expects };

const config: ViteUserConfig = defineConfig({
  test: {
    maxConcurrency: maxWorkers,
    // What passing tests write to the console is expected by them.
    silent: 'passed-only',
    projects: [
      {
        test: {
          name: 'unit',
          ...calm,
          maxWorkers,
          setupFiles,
          include: ['framework/**/*.test.ts', 'cli/**/*.test.ts', '.ci/*.test.ts', 'e2e/bench/*.test.ts'],
        },
      },
      {
        // The tests of what generated clients do, with those that import their run time.
        test: {
          name: 'client-import',
          ...calm,
          maxWorkers,
          setupFiles,
          env: { FW_CLIENT_FORM: 'import' },
          include: [
            'framework/client/{auto-batch,call-signals,client-errors,interceptors,odd-answers}.test.ts',
            'framework/client/{print-client,print-declared-client,print-sockets,retry}.test.ts',
            'framework/client/{socket-client,socket-subscriptions,socket-timing,subscription-client}.test.ts',
            'framework/client/app/literal-paths.test.ts',
            'framework/rpc/http/upload.test.ts',
          ],
        },
      },
      {
        // The templates' own tests, against the checkout through node_modules/fw.
        test: {
          name: 'templates',
          ...calm,
          maxWorkers,
          setupFiles: [...setupFiles, '.ci/cheap-passwords.mjs'],
          include: [
            'templates/*.test.ts',
            'templates/*/src/**/*.test.ts',
            'templates/*/web/src/**/*.test.ts',
          ],
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
        // Journeys that compile and compare: they wait for nothing that another one slows down.
        test: {
          name: 'e2e-compiled',
          include: compiled,
          maxWorkers,
          // After all others, with which they would fight for the processors.
          sequence: { groupOrder: 1 },
          ...patient,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/*.test.ts'],
          exclude: [...compiled, ...long],
          // Journeys install packages and boot servers on a small machine: one file at a time, minutes each.
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          ...patient,
        },
      },
      {
        test: {
          name: 'long',
          include: long,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
          ...patient,
        },
      },
    ],
  },
});

export default config;
