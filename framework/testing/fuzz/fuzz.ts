// Fuzzing: the public function, and its options.
import type { App } from '../../app/app.js';
import { checkOptions, checkValue } from '../../options/check.js';
import {
  either,
  filled,
  listOf,
  matching,
  milliseconds,
  object,
  objectWith,
  type Rules,
  whole,
} from '../../options/rules.js';
import type { FuzzIdentity } from './caller.js';
import type { FuzzReport } from './fuzz-error.js';

/** Options of `fuzz`. */
export interface FuzzOptions {
  /**
   * Who signs in, by names. The first one sends most requests. With a second one, what belongs to the first must stay
   * out of its reach.
   */
  readonly identities?: Readonly<Record<string, FuzzIdentity>>;
  /** The requests to each operation that are made by chance; 20 by default, and none after ten seconds. */
  readonly runs?: number;
  /** A whole number: the same run again. Failures name that of theirs; another one each time by default. */
  readonly seed?: number;
  /** The operations that are called, as `POST /users/:id`, `users.add` or `WEBSOCKET /live`; `*` stands for any text. */
  readonly only?: readonly string[];
  /** Operations that are not called. */
  readonly except?: readonly string[];
  /** All operations that anybody may call; by default those that have no guard. */
  readonly open?: readonly string[];
  /** Operations by which one identity may read or change what another one is answered. */
  readonly shared?: readonly string[];
  /** What the API of an address is: its App, its document of OpenAPI, or what `serveDocs` has as `api.json`. */
  readonly api?: App | object;
  /** How long an answer may take, in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number;
}

const names = listOf(filled);
const RULES: Rules<FuzzOptions> = {
  identities: object('an object of functions that sign in, by names'),
  runs: whole(1, 100_000),
  seed: whole(-(2 ** 31), 2 ** 31 - 1),
  only: names,
  except: names,
  open: names,
  shared: names,
  api: object('an App, a document of OpenAPI or a description of an API'),
  timeoutMs: milliseconds(1),
};
const TARGET = either(
  objectWith(['oneshot', 'routes'], 'an App'),
  matching(/^https?:\/\//, "an address such as 'http://127.0.0.1:3000'"),
);

/**
 * Sends an App requests of all kinds, which are made of its types: valid ones, nearly valid ones and hostile ones, to
 * routes, procedures, uploads and WebSockets. For every answer must hold: it is not an error of the server, it is what
 * is declared, nobody gets in without the right to, HEAD is answered like GET, what belongs to one identity stays out
 * of the reach of another, and the App answers afterwards. What does not hold is shrunk to one small request.
 *
 * ```ts
 * await fuzz(app, {
 *   identities: {
 *     ada: async (client) => void (await client.post('/sign-in', { json: { name: 'ada' } })),
 *     bob: async (client) => void (await client.post('/sign-in', { json: { name: 'bob' } })),
 *   },
 * });
 * ```
 *
 * It changes data: give it an App with a database of its own. WebSockets are opened on a free port of 127.0.0.1.
 *
 * @param target an App, or the address of one that runs; then `api` says what it has
 * @throws FuzzError with everything that does not hold, each as a command of curl and as a test; ConfigError if an option
 * is unknown or not of its kind, or an operation that one names does not exist.
 */
export async function fuzz<Prefix extends string>(
  target: App<Prefix> | string,
  options: FuzzOptions = {},
): Promise<FuzzReport> {
  checkValue('fuzz', 'the target', target, TARGET);
  const given = checkOptions('fuzz', options, RULES);
  const { runFuzz } = await import('./run-fuzz.js');
  return runFuzz(target as App | string, given);
}
