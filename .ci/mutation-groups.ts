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

/** framework/cluster is not among them: its tests run it in other processes, where nothing is mutated. */
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
    tests: ['framework/options', 'framework/schema', 'framework/conformance/old-names.test.ts'],
    areas: ['extractors'],
  },
  env: { mutate: ['framework/env'], tests: ['framework/env'] },
  'client-address': { mutate: ['framework/client-address'], tests: ['framework/client-address'] },
  metrics: { mutate: ['framework/metrics'], tests: ['framework/metrics'] },
  session: {
    mutate: ['framework/session'],
    tests: [
      'framework/session',
      'framework/websocket/authorization-end.test.ts',
      'framework/websocket/session-end.test.ts',
    ],
  },
  tracing: { mutate: ['framework/tracing'], tests: ['framework/tracing'] },
  openapi: { mutate: ['framework/openapi'], tests: ['framework/openapi', 'framework/app'] },
  auth: { mutate: ['framework/auth'], tests: ['framework/auth'] },
  extract: { mutate: ['framework/extract'], tests: ['framework/extract'], areas: ['extractors'] },
  files: { mutate: ['framework/files'], tests: ['framework/files'] },
  interop: {
    mutate: ['framework/interop'],
    tests: ['framework/interop'],
    areas: ['mounted fetch handlers'],
    load: ['framework/interop/send-on.ts'],
  },
  mail: { mutate: ['framework/mail'], tests: ['framework/mail'] },
  mcp: { mutate: ['framework/mcp'], tests: ['framework/mcp'] },
  middleware: {
    mutate: ['framework/middleware'],
    tests: [
      'framework/middleware',
      'framework/client-address',
      'framework/client/runtime/csrf.test.ts',
      'framework/context/called.test.ts',
    ],
    areas: ['built-in middleware', 'compression', 'request ids', 'Connect middleware', 'client addresses'],
    load: ['framework/middleware/connect/run-connect.ts'],
  },
  multipart: { mutate: ['framework/multipart'], tests: ['framework/multipart'], areas: ['multipart'] },
  redis: { mutate: ['framework/redis'], tests: ['framework/redis'] },
  rpc: {
    mutate: ['framework/rpc'],
    tests: ['framework/rpc', 'framework/app/procedure-access.test.ts', 'framework/app/guards-add-up.test.ts'],
    areas: ['subscriptions', 'JSON-RPC', 'procedures as REST', 'calls without params'],
  },
  sql: { mutate: ['framework/sql'], tests: ['framework/sql'] },
  websocket: { mutate: ['framework/websocket'], tests: ['framework/websocket'] },
  'cli-completion': { mutate: ['cli/completion'], tests: ['cli/completion'] },
  'cli-files': {
    // Without the Windows that tests are tried on.
    mutate: ['cli/files', '!cli/files/trial-windows.ts', '!cli/files/windows/*.ts'],
    tests: ['cli/files'],
  },
  'cli-fuzz': { mutate: ['cli/fuzz'], tests: ['cli/fuzz'] },
  'cli-manual': { mutate: ['cli/manual'], tests: ['cli/manual'] },
  'cli-scripts': { mutate: ['cli/scripts'], tests: ['cli/scripts'] },
  'cli-terminal': { mutate: ['cli/terminal'], tests: ['cli/terminal'] },
  'cli-upgrade': { mutate: ['cli/upgrade', 'cli/vendor'], tests: ['cli/upgrade', 'cli/vendor'] },
  'cli-watch': { mutate: ['cli/watch'], tests: ['cli/watch'] },
  'cli-config': { mutate: ['cli/config'], tests: ['cli/config'] },
  'cli-doctor': { mutate: ['cli/doctor'], tests: ['cli/doctor'] },
  // What boots the app is tried by end-to-end tests, which run what was built.
  'cli-routes': { mutate: ['cli/routes/list-routes.ts'], tests: ['cli/routes'] },
};
