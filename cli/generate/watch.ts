// `fw generate --watch`: generates again after every change, until a signal ends it.
import { describeFiles } from '../dev/change.js';
import { createFollowedFiles } from '../dev/followed-files.js';
import { watchParent } from '../dev/parent-watch.js';
import { clock, type Terminal } from '../dev/terminal.js';
import { watchProject } from '../dev/watch.js';
import { changesEnvironment } from '../dev/watch-scope.js';
import { CliError, ExitCode } from '../ui/errors.js';
import { type Generated, wasLeft } from './generation.js';
import { type OpenGeneration, openGeneration } from './open-generation.js';
import { OwnWrites } from './own-writes.js';
import type { GenerateReport } from './report.js';
import { type GenerateFlags, settleGenerate } from './settings.js';
import { summaryOf } from './summary.js';

/** Gives the exit code. @throws CliError where it could not begin. */
export async function watchAndGenerate(
  flags: GenerateFlags,
  cwd: string,
  report: GenerateReport,
  { print, colors }: Terminal,
): Promise<ExitCode> {
  const { root } = settleGenerate(flags, cwd);
  const own = new OwnWrites();
  const pending = new Set<string>();
  const followed = createFollowedFiles();
  let opened: OpenGeneration | undefined;
  let hasBegun = false;
  let working: Promise<void> | undefined;
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const watcher = await watchProject({
    root,
    configFile: undefined,
    onFirst: () => {},
    onNothing: () => {},
    onProblem: (text) => print(`${colors.yellow('warning:')} ${text}`),
    onChange(files) {
      // What this command writes itself is no change.
      for (const file of files) if (!own.has(file)) pending.add(file);
      if (pending.size === 0) return;
      opened?.generation.leave();
      work(false);
    },
  });
  followed.attach(watcher);
  work(true);
  try {
    return await Promise.race([untilSignal(), failed]);
  } finally {
    await watcher.close();
    opened?.generation.leave(true);
    await working;
    await opened?.close();
  }

  function work(isFirst: boolean): void {
    working ??= untilNothingPends(isFirst)
      .catch(fail)
      .finally(() => {
        working = undefined;
      });
  }

  async function untilNothingPends(first: boolean): Promise<void> {
    for (let isFirst = first; isFirst || pending.size > 0; isFirst = false) {
      const changed = [...pending];
      pending.clear();
      const what = isFirst ? 'started' : describeFiles(changed.map((file) => report.name(file)));
      await once(changed, what).catch((error: unknown) => survive(error, what));
    }
  }

  /** A mistake in fw.toml, or a file that cannot be written, is corrected while this goes on; not at the start. */
  function survive(error: unknown, what: string): void {
    if (!hasBegun || !(error instanceof CliError)) throw error;
    const { message: problem, help } = error;
    if (flags.json) process.stdout.write(`${JSON.stringify({ ok: false, problem })}\n`);
    print(`${colors.bold(colors.red('error:'))} ${problem}`);
    if (help !== undefined) print(`${colors.bold(colors.cyan('help:'))} ${help}`);
    said(what, colors.red('failed'));
  }

  async function once(changed: readonly string[], what: string): Promise<void> {
    const began = performance.now();
    if (changed.some((file) => changesEnvironment(file, root) || followed.isLinked(file))) {
      await opened?.close();
      opened = undefined;
    }
    const isFirst = opened === undefined;
    opened ??= await openGeneration(settleGenerate(flags, cwd), true);
    const { generation } = opened;
    if (!generation.concerns(changed)) return said(what, colors.dim('not part of the client'));
    const onWrite = (file: string, text: string) => own.note(file, text);
    const result = await generation.run(changed, true, { onWrite });
    if (wasLeft(result)) return;
    hasBegun = true;
    followed.addBundle(generation);
    tell(result, isFirst);
    const took = `${Math.round(performance.now() - began)} ms`;
    said(what, result.ok ? colors.green(took) : colors.red('failed'));
  }

  function tell(result: Generated, isFirst: boolean): void {
    const isVerbose = flags.verbose === true;
    if (flags.json) process.stdout.write(`${JSON.stringify(summaryOf(result))}\n`);
    if (!result.ok) report.failed(result);
    else if (isFirst || isVerbose || hasChanged(result)) report.written(result, isVerbose);
  }

  function said(what: string, how: string): void {
    print(`${colors.dim(clock())}  ${what}${colors.dim(' · ')}${how}`);
  }
}

function hasChanged({ client }: Generated & { ok: true }): boolean {
  return client.files.some(({ before, after, isLocal }) => !isLocal && before !== after);
}

function untilSignal(): Promise<ExitCode> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve(ExitCode.cancelled));
    process.once('SIGTERM', () => resolve(ExitCode.done));
    process.once('SIGHUP', () => resolve(ExitCode.done));
    watchParent(() => resolve(ExitCode.done));
  });
}
