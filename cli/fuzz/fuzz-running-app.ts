// `fw fuzz`: flags → what the API has → a server that answers → the run → its report.
import { loadProject } from '../config/load.js';
import { describeBootedApi } from '../routes/booted-app.js';
import { colorsFor } from '../terminal/color.js';
import { CliError, ExitCode, UsageError } from '../terminal/errors.js';
import { exitWhenWritten } from '../terminal/exit.js';
import { reportError } from '../terminal/report-error.js';
import { noProgress, type Progress, progress, type Spinner } from '../terminal/spinner.js';
import { assertOperations, loadDocument } from './api-document.js';
import { type FuzzFlags, fuzzOptions } from './fuzz-flags.js';
import { assertAnswers, givenAddress, runningAddress } from './fuzz-target.js';
import { foundText, nothingFound, operationsText } from './fuzz-text.js';

/** @throws CliError if there is nothing to call; ends the process with 1 if something was found */
export async function fuzzRunningApp(given: string | undefined, flags: FuzzFlags): Promise<void> {
  const { allowRemote = false, json = false } = flags;
  const options = fuzzOptions(flags);
  const cwd = process.cwd();
  // What is wrong with the call is said before anything is started.
  const address =
    given === undefined
      ? await runningAddress(loadProject(cwd).root, allowRemote)
      : givenAddress(given, allowRemote);
  const interruption = new Interruption(json ? noProgress : progress);
  const api = await apiOf(flags, cwd, interruption.progress);
  await assertAnswers(address);
  interruption.address = address;
  const line = interruption.progress(`Calling ${address}`);
  const { FuzzError, fuzz } = await import('fw/testing');
  const outcome = await fuzz(address, { ...options, api })
    .catch((error: unknown) => {
      if (error instanceof FuzzError) return error;
      throw asCliError(error, address);
    })
    .finally(() => line.stop());
  const report = outcome instanceof FuzzError ? outcome.report : outcome;
  const colors = colorsFor(process.stdout);
  if (json) {
    process.stdout.write(`${JSON.stringify({ address, ...report })}\n`);
  } else {
    const hasOptions = given !== undefined || Object.keys(flags).some((flag) => flag !== 'seed');
    const result =
      outcome instanceof FuzzError
        ? foundText(outcome.message, report, hasOptions, colors)
        : colors.green(nothingFound(report));
    process.stdout.write(`${colors.bold(address)}\n\n${operationsText(report, colors)}\n\n${result}\n`);
  }
  await exitWhenWritten(outcome instanceof FuzzError ? ExitCode.failed : ExitCode.done);
}

async function apiOf({ document }: FuzzFlags, cwd: string, say: Progress): Promise<object> {
  if (document !== undefined) return loadDocument(document);
  const { api, entry } = await describeBootedApi(cwd, 'fuzz', say);
  assertOperations(api, entry);
  return api;
}

/** A mistake in an option, or the end of the server, is not a fault of this program. */
function asCliError(error: unknown, address: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.name === 'ConfigError')
    return new UsageError(error.message.replace(/^fuzz: /, ''), 'see: fw fuzz --help');
  if (!/^(?:ECONN|EPIPE|HPE_|ETIMEDOUT)/.test(String(error.code))) return error;
  return new CliError(`the connection to ${address} failed: ${error.message}`, {
    help: 'look at what the server has printed: a request may have ended it',
    cause: error,
  });
}

/** Ctrl+C and SIGTERM end the process at once, without the line that shows progress. */
class Interruption {
  /** Where requests went; undefined if there was none yet. */
  address: string | undefined;
  readonly progress: Progress;
  #line: Spinner | undefined;

  constructor(given: Progress) {
    this.progress = (text, among) => {
      this.#line = given(text, among);
      return this.#line;
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => this.#end());
  }

  #end(): void {
    this.#line?.stop();
    const message =
      this.address === undefined
        ? 'no request was sent'
        : `requests until now may have changed the data of ${this.address}`;
    const code = reportError(new CliError(message, { exitCode: ExitCode.cancelled }), 'fw fuzz');
    void exitWhenWritten(code);
  }
}
