// Which server `fw fuzz` calls: the address that was given, or that of the running `fw dev`. Only this machine, unless
// another one was allowed.
import { isIPv4 } from 'node:net';
import { BLOCKED_REASON, isBlockedPort } from '../process/blocked-port.js';
import { runningAddresses } from '../process/running-dev.js';
import { CliError, UsageError } from '../terminal/errors.js';

/** How long a server may take to answer the first request, in milliseconds. */
const ANSWER_LIMIT = 10_000;

/** @throws UsageError if it is not an address, or not one of this machine and that was not allowed */
export function givenAddress(text: string, allowsRemote: boolean): string {
  const form = 'give the scheme, the host and the port, such as: http://127.0.0.1:3000';
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new UsageError(`'${text}' is not the address of a server`, form);
  }
  const { origin, hostname, port, pathname, search, hash, username, password } = new URL(text);
  if (username !== '' || password !== '') {
    throw new UsageError('the address has a user or a password', `${form}; sign in with --header`);
  }
  if (pathname !== '/' || search !== '' || hash !== '') {
    throw new UsageError(`the address '${text}' has a path`, `give the server alone: ${origin}`);
  }
  if (isBlockedPort(Number(port))) {
    throw new UsageError(`${origin} cannot be called: ${BLOCKED_REASON}`, 'start the server on another port');
  }
  if (!isLoopback(hostname) && !allowsRemote) {
    throw new UsageError(
      `${origin} is not on this machine: hostile requests would change its data, and may stop it`,
      'give --allow-remote if the server is yours and has data for tests alone',
    );
  }
  return origin;
}

/** 127.0.0.0/8, ::1 and their usual name, in the spelling of a URL. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  );
}

/** The newest `fw dev` of the project that answers. @throws CliError if none runs */
export async function runningAddress(root: string, allowsRemote: boolean): Promise<string> {
  const found = runningAddresses(root);
  for (const address of found) {
    if ((await failureOf(address)) === undefined) return givenAddress(address, allowsRemote);
  }
  throw new CliError(`fw dev does not run in ${root}`, {
    help: 'start it in another terminal: npm run dev; or give the address of a server: fw fuzz http://127.0.0.1:3000',
  });
}

/** @throws CliError if nothing answers there */
export async function assertAnswers(address: string): Promise<void> {
  const failure = await failureOf(address);
  if (failure === undefined) return;
  throw new CliError(`no server answers at ${address}: ${failure}`, {
    help: 'start it, or give the address of one that runs',
  });
}

/** Why there is no answer; undefined if there is one. */
async function failureOf(address: string): Promise<string | undefined> {
  try {
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_LIMIT) });
    await response.body?.cancel();
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** What `fetch` says, or the reason that it has from the connection. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  // What the Fetch Standard calls a blocked port.
  if (cause.message === 'bad port') return BLOCKED_REASON;
  // Several addresses of a name were tried.
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message;
}
