// One run of `fw generate`: once, to check, to compare, or again after every change.
import { rmSync } from 'node:fs';
import { createBundler, loadEsbuild } from '../dev/bundler.js';
import { describeFiles } from '../dev/change.js';
import { makeOutDir } from '../dev/out-dir.js';
import { clock, createTerminal, type Terminal } from '../dev/terminal.js';
import { watchProject } from '../dev/watch.js';
import { CliError, ExitCode } from '../ui/errors.js';
import { allFiles } from './client-files.js';
import { ClientMaker } from './client-maker.js';
import { ContractSource } from './contract.js';
import { type Generated, Generation } from './generation.js';
import { GenerateReport } from './report.js';
import { EntryRunner } from './run-entry.js';
import { type GenerateFlags, type GenerateSettings, settleGenerate } from './settings.js';
import type { Made } from './write-changed.js';

/** Gives the exit code. @throws CliError where it could not begin. */
export async function runGenerate(flags: GenerateFlags, cwd: string = process.cwd()): Promise<ExitCode> {
  const settings = settleGenerate(flags, cwd);
  const outDir = makeOutDir(settings.root);
  const contract = new ContractSource(settings.root);
  const esbuild = await loadEsbuild(settings.root);
  const bundler = createBundler(esbuild, settings.root, settings.entry, outDir);
  const runner = new EntryRunner(settings, outDir, flags.watch === true);
  const maker = new ClientMaker(settings.files, runner, esbuild, outDir);
  const generation = new Generation(settings, bundler, contract, maker);
  // What a program reads is on stdout alone.
  const terminal = createTerminal(flags.json ? process.stderr : process.stdout);
  const report = new GenerateReport(settings.root, cwd, terminal.colors, terminal.print);
  try {
    if (flags.watch) return await watch(generation, settings, flags, report, terminal);
    return await finish(await generation.run([], !flags.check && !flags.diff), flags, report, terminal);
  } catch (error) {
    throw error instanceof CliError ? error : new CliError((error as Error).message, { cause: error });
  } finally {
    contract.close();
    runner.close();
    await bundler.dispose();
    rmSync(outDir, { recursive: true, force: true });
  }
}

async function finish(
  result: Generated,
  flags: GenerateFlags,
  report: GenerateReport,
  terminal: Terminal,
): Promise<ExitCode> {
  if (flags.json) process.stdout.write(`${JSON.stringify(summary(result))}\n`);
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

/** What `--json` prints. */
function summary(result: Generated): object {
  if (!result.ok) return result;
  const { client, contract, procedures, warnings, times } = result;
  const made = [...client.files, contract]
    .filter(({ after }) => after !== undefined)
    .map(({ file, before, after }) => ({ file, isChanged: before !== after }));
  return { ok: true, files: made, inferredProcedures: procedures, warnings, times };
}

async function watch(
  generation: Generation,
  settings: GenerateSettings,
  flags: GenerateFlags,
  report: GenerateReport,
  { print, colors }: Terminal,
): Promise<ExitCode> {
  let pending = new Set<string>();
  let running: Promise<void> | undefined;
  const again = async (first: boolean): Promise<void> => {
    for (let isFirst = first; isFirst || pending.size > 0; isFirst = false) {
      const changed = [...pending];
      pending = new Set();
      const began = performance.now();
      const result = await generation.run(changed, true);
      watcher?.alsoWatch([...generation.inputs]);
      if (flags.json) process.stdout.write(`${JSON.stringify(summary(result))}\n`);
      if (!result.ok) report.failed(result);
      else if (isFirst || hasChanged(result.client.files) || flags.verbose) {
        report.written(result, flags.verbose === true);
      }
      const what = isFirst ? 'started' : describeFiles(changed.map((file) => report.name(file)));
      const took = `${Math.round(performance.now() - began)} ms`;
      print(
        `${colors.dim(clock())}  ${what}${colors.dim(' · ')}${result.ok ? colors.green(took) : colors.red('failed')}`,
      );
    }
  };
  const own = new Set([settings.contract, ...allFiles(settings.files)]);
  const watcher = await watchProject({
    root: settings.root,
    configFile: undefined,
    onFirst: () => {},
    onNothing: () => {},
    onError: (error) => print(`${colors.yellow('warning:')} ${(error as Error).message}`),
    onChange(files) {
      // What this command writes itself is no change.
      for (const file of files) if (!own.has(file)) pending.add(file);
      if (pending.size > 0) running ??= again(false).finally(() => (running = undefined));
    },
  });
  running = again(true).finally(() => (running = undefined));
  const code = await untilSignal();
  await watcher.close();
  await running;
  return code;
}

function hasChanged(files: readonly Made[]): boolean {
  return files.some(({ before, after, isLocal }) => !isLocal && before !== after);
}

function untilSignal(): Promise<ExitCode> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve(ExitCode.cancelled));
    process.once('SIGTERM', () => resolve(ExitCode.done));
    process.once('SIGHUP', () => resolve(ExitCode.done));
  });
}
