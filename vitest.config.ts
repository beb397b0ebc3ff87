import { availableParallelism } from 'node:os';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { testsByProcess } from './.ci/shared-tests.js';
import { slowTests } from './.ci/slow-tests.js';

/** On a small machine more than processors: a third of a test file is waiting, for a process, a database, a time-out. */
const maxWorkers = Math.max(4, availableParallelism());

/** They load a server, or hold it to its times: nothing runs beside them. */
const alone = ['e2e/dev.test.ts', 'e2e/shutdown.test.ts'];
/** Journeys and tests of checks that take ten seconds or more: `npm run test:slow` has them. */
const slowJourneys = [
  'e2e/backend.test.ts',
  'e2e/binary.test.ts',
  'e2e/browser.test.ts',
  'e2e/dev-migrations.test.ts',
  'e2e/docs-page.test.ts',
  'e2e/eight-errors.test.ts',
  'e2e/error-page.test.ts',
  'e2e/fetch-runtimes-programs.test.ts',
  'e2e/identity.test.ts',
  'e2e/inspection.test.ts',
  'e2e/live-script.test.ts',
  'e2e/mail.test.ts',
  'e2e/new.test.ts',
  'e2e/new-install.test.ts',
  'e2e/new-prompts.test.ts',
  'e2e/placeholders.test.ts',
  'e2e/run-time-files.test.ts',
  'e2e/scaffold.test.ts',
  'e2e/wrong-usage.test.ts',
];
const slowChecks = [
  '.ci/check-imports.test.ts',
  '.ci/check-map.test.ts',
  '.ci/check-security.test.ts',
  '.ci/docs-versions.test.ts',
];
/** For about a minute or more each, such as an app from scaffolding to deployment: CI runs them, by .ci/long-tests.ts. */
export const longTests: readonly string[] = [
  'e2e/api-only.test.ts',
  'e2e/built-in-pairs.test.ts',
  'e2e/carried-package.test.ts',
  'e2e/client.test.ts',
  'e2e/coming-from.test.ts',
  'e2e/copied-tests.test.ts',
  'e2e/dev-generate.test.ts',
  'e2e/declarations.test.ts',
  'e2e/docs.test.ts',
  'e2e/docs-command.test.ts',
  'e2e/docs-site.test.ts',
  'e2e/fetch-runtimes.test.ts',
  'e2e/frontend-examples.test.ts',
  'e2e/fullstack.test.ts',
  'e2e/fullstack-deployed.test.ts',
  'e2e/fullstack-dev.test.ts',
  'e2e/fuzz.test.ts',
  'e2e/generate.test.ts',
  'e2e/install.test.ts',
  'e2e/mcp.test.ts',
  'e2e/mcp-dev.test.ts',
  'e2e/own-template.test.ts',
  'e2e/planted/fuzz-faults.test.ts',
  'e2e/production.test.ts',
  'e2e/registry.test.ts',
  'e2e/routes.test.ts',
  'e2e/soak/soak.test.ts',
  'e2e/systems.test.ts',
  'e2e/tutorial.test.ts',
  'e2e/typed-clients.test.ts',
  'e2e/upgrade.test.ts',
  'e2e/workbench.test.ts',
];
const { quick, slow } = testsByProcess(['framework', 'cli'], slowTests);
/** The folder of another version of Kysely, with which the same tests run. */
const { FW_KYSELY } = process.env;
const alias = FW_KYSELY === undefined ? {} : { kysely: FW_KYSELY };
const setupFiles = ['.ci/close-fetches.ts', '.ci/patient-waits.ts'];
const globalSetup = '.ci/test-databases.ts';
const expects = { poll: { timeout: 60_000 } };
/** Of a text that a test has not expected, enough to see why. */
const chaiConfig = { truncateThreshold: 400 };
const patient = { testTimeout: 600_000, hookTimeout: 600_000, expect: expects, chaiConfig };
/** A busy machine takes many times as long, in the largest tests for minutes; a test that hangs is found all the same. */
const calm = { testTimeout: 300_000, hookTimeout: 300_000, expect: expects, chaiConfig };

type Project = { test: NonNullable<ViteUserConfig['test']> };

/** Each file in a process of its own. */
function separateTests(name: string, include: string[]): Project {
  // Without `exclude`, as a project that has one does not listen to the option --exclude.
  return { test: { name, ...calm, alias, maxWorkers, setupFiles, globalSetup, include } };
}

/** The files share processes. */
function sharedTests(name: string, include: string[]): Project {
  return {
    test: {
      name,
      ...calm,
      alias,
      maxWorkers,
      setupFiles: [...setupFiles, '.ci/shared-process.ts'],
      isolate: false,
      restoreMocks: true,
      unstubEnvs: true,
      unstubGlobals: true,
      include,
    },
  };
}

const config: ViteUserConfig = defineConfig({
  test: {
    maxConcurrency: availableParallelism(),
    // In CI, with the files that cost most, and those that failed.
    reporters: process.env.CI ? ['default', './.ci/slowest-files.ts', './.ci/failed-files.ts'] : ['default'],
    // What passing tests write to the console is expected by them.
    silent: 'passed-only',
    // A run of one file waits for the modules that have changed, and not for all of the framework.
    experimental: { fsModuleCache: true },
    projects: [
      separateTests('unit', [
        ...quick.separate,
        `.ci/!(${slowChecks.map((path) => path.slice('.ci/'.length, -'.test.ts'.length)).join('|')}).test.ts`,
        'e2e/bench/*.test.ts',
        'e2e/soak/!(soak).test.ts',
      ]),
      sharedTests('unit-shared', quick.shared),
      separateTests('unit-slow', [...slow.separate, ...slowChecks]),
      sharedTests('unit-shared-slow', slow.shared),
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
          setupFiles,
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
        // Journeys that install packages and wait for servers and browsers most of the time.
        test: {
          name: 'e2e',
          globalSetup,
          include: ['e2e/*.test.ts'],
          exclude: [...alone, ...slowJourneys, ...longTests],
          maxWorkers: 3,
          // After all others, with which they would fight for the processors.
          sequence: { groupOrder: 1 },
          ...patient,
        },
      },
      {
        test: {
          name: 'e2e-slow',
          globalSetup,
          include: slowJourneys,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          ...patient,
        },
      },
      {
        test: {
          name: 'e2e-alone',
          globalSetup,
          include: alone,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          ...patient,
        },
      },
      {
        test: {
          name: 'long',
          globalSetup,
          include: [...longTests],
          // With --file-parallelism, in CI: they wait for half of the time.
          maxWorkers: 3,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
          ...patient,
        },
      },
    ],
  },
});

export default config;
