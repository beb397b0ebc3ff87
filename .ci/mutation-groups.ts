// Mutation testing: which files are mutated together, and the tests that are about them. A mutant is run against the
// tests of its group that reach it, so a group names few: with all tests of the repository it would take seconds.

export interface MutationGroup {
  /** Sources and tests: paths of the repository; a folder stands for what lies in it. */
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Areas of framework/conformance/conformance.test.ts to run with them, and over which transport (`fetch`). */
  readonly areas?: readonly string[];
  readonly transport?: string;
  /** Whether texts are mutated. Where most are messages for people, they are not. */
  readonly texts?: true;
}

export const groups: Readonly<Record<string, MutationGroup>> = {
  router: { mutate: ['framework/router'], tests: ['framework/router'], texts: true },
  'rpc-types': { mutate: ['framework/rpc/types'], tests: ['framework/rpc/types'] },
  http: {
    mutate: [
      'framework/context.ts',
      'framework/request.ts',
      'framework/response.ts',
      'framework/headers.ts',
      'framework/cookie.ts',
      'framework/errors.ts',
      'framework/media-type.ts',
      'framework/path.ts',
      'framework/field-list.ts',
      'framework/white-space.ts',
    ],
    tests: ['framework/*.test.ts'],
    areas: ['results', 'cookies', 'bodies', 'multipart', 'mounted fetch handlers', 'request ids'],
  },
  static: {
    mutate: ['framework/static'],
    tests: ['framework/static'],
    areas: ['static files', 'single pages'],
  },
  streaming: { mutate: ['framework/streaming'], tests: ['framework/streaming'], areas: ['streaming'] },
  dispatch: {
    mutate: [
      'framework/dispatch.ts',
      'framework/chain.ts',
      'framework/body-limit.ts',
      'framework/deadline.ts',
      'framework/to-response.ts',
      'framework/error-response.ts',
    ],
    tests: ['framework/*.test.ts'],
    areas: ['routing', 'results', 'middleware', 'errors', 'limits', 'timeouts'],
  },
  runtime: {
    mutate: ['framework/fetch.ts', 'framework/node'],
    tests: ['framework/node', 'framework/fetch.test.ts', 'framework/conformance/raw.test.ts'],
    areas: ['bodies', 'results', 'streaming', 'limits'],
    transport: 'node, kept alive',
  },
};
