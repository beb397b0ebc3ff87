// One run of `fw generate`: once, to check, to compare, or again after every change.
import { createTerminal, type Terminal } from '../dev/terminal.js';
import { CliError, ExitCode } from '../ui/errors.js';
import type { Generated } from './generation.js';
import { openGeneration } from './open-generation.js';
import { GenerateReport } from './report.js';
import { type GenerateFlags, settleGenerate } from './settings.js';
import { summaryOf } from './summary.js';
import { watchAndGenerate } from './watch.js';

/** Gives the exit code. @throws CliError where it could not begin. */
export async function runGenerate(flags: GenerateFlags, cwd: string = process.cwd()): Promise<ExitCode> {
  const settings = settleGenerate(flags, cwd);
  // What a program reads is on stdout alone.
  const terminal = createTerminal(flags.json ? process.stderr : process.stdout);
  const report = new GenerateReport(settings.root, cwd, terminal.colors, terminal.print);
  try {
    if (flags.watch) return await watchAndGenerate(flags, cwd, report, terminal);
    const { generation, close } = await openGeneration(settings, false);
    try {
      return await finish(await generation.run([], !flags.check && !flags.diff), flags, report, terminal);
    } finally {
      await close();
    }
  } catch (error) {
    throw error instanceof CliError ? error : new CliError((error as Error).message, { cause: error });
  }
}

async function finish(
  result: Generated,
  flags: GenerateFlags,
  report: GenerateReport,
  terminal: Terminal,
): Promise<ExitCode> {
  if (flags.json) process.stdout.write(`${JSON.stringify(summaryOf(result))}\n`);
  if (!result.ok) {
    report.failed(result);
    return ExitCode.failed;
  }
  if (flags.diff) {
    const { showDifference } = await import('./show-difference.js');
    showDifference(result.client.types, terminal.colors, terminal.print);
  }
  if (!flags.check) {
    if (!flags.diff) report.written(result, flags.verbose === true);
    return ExitCode.done;
  }
  report.warnings(result.warnings);
  const stale = report.stale([result.contract, ...result.client.files]);
  if (stale === undefined) {
    terminal.print(terminal.colors.green('✓ up to date'));
    return ExitCode.done;
  }
  throw new CliError(stale, { help: 'run fw generate and commit what it writes' });
}
