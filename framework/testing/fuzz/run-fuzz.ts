// Fuzzing: a whole run, operation by operation.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Api } from '../../api-model/api.js';
import type { App } from '../../app/app.js';
import { describeApp } from '../../app/docs/describe-api.js';
import { ConfigError } from '../../config-error.js';
import type { ApiDescription } from '../../rpc/api-description.js';
import { startServer } from '../test-server.js';
import { madeUpCredentials } from './caller.js';
import type { FuzzOptions } from './fuzz.js';
import { FuzzError, type FuzzReport } from './fuzz-error.js';
import { type FuzzOperation, operationsOf } from './fuzz-operation.js';
import { reportText } from './fuzz-report.js';
import { FuzzRun } from './fuzz-run.js';
import { fuzzSocket } from './fuzz-sockets.js';
import { fuzzOtherUsers } from './other-users.js';

/** What was added in one round is read and changed in the next one. */
const ROUNDS = 2;
const RUNS = 20;
/** How long requests are made by chance if nobody says how many, in milliseconds. */
const CHANCE_MS = 10_000;
const TIMEOUT_MS = 10_000;
/** Where requests to an App seem to go. */
const ORIGIN = 'http://localhost';

/** @throws FuzzError if something does not hold; ConfigError like `fuzz` */
export async function runFuzz(target: App | string, options: FuzzOptions): Promise<FuzzReport> {
  const { identities = {}, shared = [], timeoutMs = TIMEOUT_MS } = options;
  const { seed = numberIn('FW_FUZZ_SEED') ?? Math.floor(Math.random() * 2 ** 31) } = options;
  const origin = typeof target === 'string' ? new URL(target).origin : ORIGIN;
  const { description, isClosed } = descriptionOf(target, options.api);
  const api = new Api(description, `${origin}/`);
  const { only, except = [], open } = options;
  const operations = operationsOf(api, { only, except, open, shared });
  const madeUp = madeUpCredentials(api.schemes);
  const given = options.runs ?? numberIn('FW_FUZZ_RUNS');
  const chanceEnds = given === undefined ? performance.now() + CHANCE_MS : Number.POSITIVE_INFINITY;
  const { csrf } = api;
  const run = new FuzzRun({
    target,
    identities,
    csrf,
    timeoutMs,
    seed,
    chanceEnds,
    origin,
    isClosed,
    madeUp,
  });
  const rejections = new Rejections();
  try {
    // Before limits of sign-ins are reached.
    for (const name of Object.keys(identities)) await run.caller(name).signIn();
    const runs = Math.ceil((given ?? RUNS) / ROUNDS);
    for (let round = 0; round < ROUNDS; round++) {
      for (const operation of operations.filter((one) => !isSocket(one))) {
        if (run.hasEnded) break;
        await run.fuzz(operation, runs, round);
        await rejections.reportTo(run, operation);
      }
    }
    if (!run.hasEnded) await fuzzOtherUsers(run, operations, ROUNDS);
    // Last, as an App that was served is closed in the end.
    if (!run.hasEnded) await fuzzSockets(run, operations.filter(isSocket), target, { runs, timeoutMs });
  } finally {
    rejections.stop();
    await run.close();
  }
  run.reportEnd();
  const all = run.operations();
  const requests = all.reduce((sum, one) => sum + one.requests, 0);
  const report = { seed, requests, operations: all, failures: run.failures, notes: run.notes };
  if (report.failures.length > 0) throw new FuzzError(reportText(report), report);
  return report;
}

/** A whole number in an environment variable. @throws ConfigError if it is something else */
function numberIn(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new ConfigError('FW_OPTION_FORM', `fuzz: ${name} is '${text}'; give a whole number, such as 100`);
}

interface Described {
  readonly description: ApiDescription;
  /** Whether its objects have only the fields that are declared: documents of others may leave some out. */
  readonly isClosed: boolean;
}

function descriptionOf(target: App | string, given: App | object | undefined): Described {
  const api = given ?? (typeof target === 'string' ? undefined : target);
  if (api === undefined) {
    throw new ConfigError(
      'FW_OPTION_MISSING',
      "fuzz: the option 'api' is missing, as an address does not say what it has; give the App, or its document of OpenAPI",
    );
  }
  if (isApp(api)) return { description: describeApp(api), isClosed: true };
  if ('registries' in api) return { description: api as ApiDescription, isClosed: true };
  if (!('openapi' in api)) {
    throw new ConfigError(
      'FW_OPTION_TYPE',
      "fuzz: the option 'api' is an object without 'openapi'; give an App, a document of OpenAPI, or the api.json of serveDocs",
    );
  }
  const others = { registries: [], sockets: [], socketTypes: {}, access: {}, schemes: {}, csrf: null };
  return { description: { ...others, document: api, hasClient: false }, isClosed: false };
}

function isApp(value: object): value is App {
  return 'oneshot' in value && 'routes' in value;
}

function isSocket({ detail }: FuzzOperation): boolean {
  return detail.target.kind === 'socket';
}

/** An App is served while its WebSockets are called. */
async function fuzzSockets(
  run: FuzzRun,
  sockets: readonly FuzzOperation[],
  target: App | string,
  { runs, timeoutMs }: { readonly runs: number; readonly timeoutMs: number },
): Promise<void> {
  if (sockets.length === 0) return;
  const server = typeof target === 'string' ? undefined : await startServer(target);
  const url = server?.url ?? (target as string).replace(/\/$/, '');
  try {
    for (const operation of sockets) await fuzzSocket(run, operation, { url, runs, round: 0, timeoutMs });
  } finally {
    await server?.close();
  }
}

/** Rejections of promises that nobody handles end a process. */
class Rejections {
  readonly #reasons: unknown[] = [];
  readonly #note = (reason: unknown): void => {
    this.#reasons.push(reason);
  };

  constructor() {
    process.on('unhandledRejection', this.#note);
  }

  async reportTo(run: FuzzRun, operation: FuzzOperation): Promise<void> {
    // Node.js tells them when no other promise is to be settled.
    await nextTurn();
    const [reason] = this.#reasons.splice(0);
    if (reason === undefined) return;
    const message = reason instanceof Error ? reason.message : String(reason);
    run.reportUnsent(operation, {
      check: 'unhandled rejection',
      message: `a promise was rejected, and nobody handled it: ${message}`,
    });
  }

  stop(): void {
    process.off('unhandledRejection', this.#note);
  }
}
