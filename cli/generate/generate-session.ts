// One run of `fw generate`: writes, checks or compares once, or writes again after every change.

import { CliError, ExitCode } from '../terminal/errors.js';
import { createTerminal, type Terminal } from '../terminal/output.js';
import { noProgress, progress } from '../terminal/spinner.js';
import { GenerateReport, problemOf, summaryOf } from './generate-report.js';
import { type GenerateFlags, type GenerateSettings, settleGenerate } from './generate-settings.js';
import type { Generated } from './generation.js';
import { openGeneration } from './open-generation.js';
import { watchAndGenerate } from './watch.js';

/** Returns the exit code. @throws CliError if it cannot start, or if `--check` finds a file that is not up to date */
export async function runGenerate(flags: GenerateFlags, cwd: string = process.cwd()): Promise<ExitCode> {
  try {
    const settings = settleGenerate(flags, cwd);
    // With --json, only the JSON goes to stdout.
    const terminal = createTerminal(flags.json ? process.stderr : process.stdout);
    const errors = createTerminal(process.stderr);
    const report = new GenerateReport(settings.root, cwd, terminal, errors);
    if (flags.watch) return await watchAndGenerate(flags, cwd, report, terminal);
    return await finish(await generateOnce(settings, flags), flags, report, terminal);
  } catch (error) {
    const failure =
      error instanceof CliError ? error : new CliError((error as Error).message, { cause: error });
    // A stale file has already been printed as a result.
    if (flags.json && !(failure instanceof StaleError)) printJson(problemOf(failure));
    throw failure;
  }
}

async function generateOnce(settings: GenerateSettings, flags: GenerateFlags): Promise<Generated> {
  const line = (flags.json ? noProgress : progress)('Reading the sources');
  try {
    const { generation, close } = await openGeneration(settings, false, flags.force);
    try {
      return await generation.run([], !flags.check && !flags.diff, { onStep: line.say });
    } finally {
      await close();
    }
  } finally {
    line.stop();
  }
}

/** Lists the changes; returns how many of them break clients. */
async function difference(result: Generated & { ok: true }, terminal: Terminal): Promise<number> {
  const { showDifference } = await import('./show-difference.js');
  return showDifference(result.client.types, terminal.colors, terminal.print);
}

/** `--check` found a file that is not up to date. */
class StaleError extends CliError {}

function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function finish(
  result: Generated,
  flags: GenerateFlags,
  report: GenerateReport,
  terminal: Terminal,
): Promise<ExitCode> {
  if (flags.json) printJson(summaryOf(result));
  if (!result.ok) {
    report.failed(result);
    return ExitCode.failed;
  }
  const breaking = flags.diff ? await difference(result, terminal) : 0;
  if (!flags.check) {
    if (!flags.diff) report.written(result, flags.verbose === true);
    return breaking > 0 && flags.failOnBreaking ? ExitCode.failed : ExitCode.done;
  }
  report.warnings(result.warnings);
  const stale = report.stale([result.contract, ...result.client.files]);
  if (stale === undefined) {
    terminal.print(terminal.colors.green('✓ up to date'));
    return ExitCode.done;
  }
  throw new StaleError(stale, { help: 'run fw generate and commit what it writes' });
}
