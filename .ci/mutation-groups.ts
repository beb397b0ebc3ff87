// Mutation testing: which files are mutated together, and the tests that are about them. A mutant is run against the
// tests of its group that reach it, so a group names few: with all tests of the repository it would take seconds.

export interface MutationGroup {
  /** Sources and tests: paths of the repository; a folder stands for what lies in it. */
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Areas of framework/conformance/conformance.test.ts to run with them, and over which transport (`fetch`). */
  readonly areas?: readonly string[];
  readonly transport?: string;
  /** What the sources load on demand: loaded before each test file, so that it counts as what runs at load. */
  readonly load?: readonly string[];
  /** Whether texts are mutated. Where most are messages for people, they are not. */
  readonly texts?: true;
}

export const groups: Readonly<Record<string, MutationGroup>> = {
  router: { mutate: ['framework/router'], tests: ['framework/router'], texts: true },
  wire: { mutate: ['framework/wire'], tests: ['framework/wire'] },
  http: {
    mutate: ['framework/http', 'framework/context/context.ts', 'framework/context/request.ts'],
    tests: ['framework/http', 'framework/context', 'framework/app'],
    areas: ['paths', 'results', 'cookies', 'bodies', 'multipart', 'mounted fetch handlers', 'request ids'],
  },
  static: {
    mutate: ['framework/static'],
    tests: ['framework/static'],
    areas: ['static files', 'single pages'],
    load: ['framework/static/file-server.ts'],
  },
  streaming: { mutate: ['framework/streaming'], tests: ['framework/streaming'], areas: ['streaming'] },
  dispatch: {
    mutate: ['framework/dispatch', 'framework/context/deadline.ts'],
    tests: [
      'framework/dispatch',
      'framework/context',
      'framework/app',
      'framework/middleware/connect/from-connect.test.ts',
      'framework/tracing/error-channel.test.ts',
    ],
    areas: [
      'routing',
      'results',
      'middleware',
      'mounting',
      'errors',
      'limits',
      'timeouts',
      'single pages',
      'Connect middleware',
    ],
  },
  runtime: {
    mutate: ['framework/runtime'],
    tests: [
      'framework/runtime',
      'framework/context/body-limit.test.ts',
      'framework/conformance/raw.test.ts',
      'framework/streaming/event-streams.test.ts',
      'framework/streaming/failing-streams.test.ts',
      'framework/streaming/left-behind.test.ts',
      'framework/streaming/stream-lengths.test.ts',
      'framework/streaming/streams.test.ts',
    ],
    areas: ['bodies', 'results', 'streaming', 'limits'],
    transport: 'node, kept alive',
  },
  options: {
    mutate: ['framework/options', 'framework/schema'],
    tests: ['framework/options', 'framework/schema'],
  },
  env: { mutate: ['framework/env'], tests: ['framework/env'] },
  'client-address': { mutate: ['framework/client-address'], tests: ['framework/client-address'] },
  metrics: { mutate: ['framework/metrics'], tests: ['framework/metrics'] },
  session: { mutate: ['framework/session'], tests: ['framework/session'] },
  tracing: { mutate: ['framework/tracing'], tests: ['framework/tracing'] },
  openapi: { mutate: ['framework/openapi'], tests: ['framework/openapi', 'framework/app'] },
  'cli-config': { mutate: ['cli/config'], tests: ['cli/config'] },
  'cli-doctor': { mutate: ['cli/doctor'], tests: ['cli/doctor'] },
  'cli-routes': { mutate: ['cli/routes'], tests: ['cli/routes'] },
};
