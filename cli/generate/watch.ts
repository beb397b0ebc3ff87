// `fw generate --watch`: generates again after every change, until a signal ends it.

import { ClientReader } from '../../framework/client/read-client.js';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import { loadProject } from '../config/load.js';
import { watchParent } from '../process/parent-watch.js';
import { CliError, ExitCode } from '../terminal/errors.js';
import { clock, type Terminal } from '../terminal/output.js';
import { describeFiles } from '../watch/change.js';
import { FollowedFiles } from '../watch/followed-files.js';
import { pollEvery } from '../watch/polling.js';
import { Watcher } from '../watch/watch.js';
import { changesEnvironment } from '../watch/watch-scope.js';
import { type GenerateReport, summaryOf } from './generate-report.js';
import { type GenerateFlags, settleGenerate } from './generate-settings.js';
import { type Generated, wasCancelled } from './generation.js';
import { type OpenGeneration, openGeneration } from './open-generation.js';
import { OwnWrites } from './write-changed.js';

/** Returns the exit code. @throws CliError if it cannot start */
export async function watchAndGenerate(
  flags: GenerateFlags,
  cwd: string,
  report: GenerateReport,
  terminal: Terminal,
): Promise<ExitCode> {
  return new GenerateWatch(flags, cwd, report, terminal).run();
}

class GenerateWatch {
  readonly #flags: GenerateFlags;
  readonly #cwd: string;
  readonly #root: AbsolutePath;
  readonly #report: GenerateReport;
  readonly #terminal: Terminal;
  readonly #own = new OwnWrites();
  readonly #reader = new ClientReader();
  readonly #pending = new Set<AbsolutePath>();
  readonly #followed = new FollowedFiles();
  readonly #failed: Promise<never>;
  #fail: (error: unknown) => void = () => {};
  #opened: OpenGeneration | undefined;
  #hasBegun = false;
  #working: Promise<void> | undefined;

  constructor(flags: GenerateFlags, cwd: string, report: GenerateReport, terminal: Terminal) {
    this.#flags = flags;
    this.#cwd = cwd;
    this.#root = settleGenerate(flags, cwd).root;
    this.#report = report;
    this.#terminal = terminal;
    this.#failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
  }

  async run(): Promise<ExitCode> {
    const { print, colors } = this.#terminal;
    pollEvery(loadProject(this.#root).settings.dev.poll_interval);
    const watcher = await Watcher.open({
      root: this.#root,
      configFile: undefined,
      onFirst: () => {},
      onNothing: () => {},
      onProblem: (text) => print(`${colors.yellow('warning:')} ${text}`),
      onChange: (files) => this.#changed(files),
    });
    this.#followed.attach(watcher);
    this.#work(true);
    try {
      return await Promise.race([untilSignal(), this.#failed]);
    } finally {
      await watcher.close();
      this.#opened?.generation.cancel(true);
      await this.#working;
      await this.#opened?.close();
    }
  }

  #changed(files: readonly AbsolutePath[]): void {
    // Files that this command wrote itself are not changes.
    for (const file of files) if (!this.#own.has(file)) this.#pending.add(file);
    if (this.#pending.size === 0) return;
    this.#opened?.generation.cancel();
    this.#work(false);
  }

  #work(isFirst: boolean): void {
    this.#working ??= this.#untilNothingPends(isFirst)
      .catch(this.#fail)
      .finally(() => {
        this.#working = undefined;
      });
  }

  async #untilNothingPends(first: boolean): Promise<void> {
    for (let isFirst = first; isFirst || this.#pending.size > 0; isFirst = false) {
      const changed = [...this.#pending];
      this.#pending.clear();
      const what = isFirst ? 'started' : describeFiles(changed.map((file) => this.#report.name(file)));
      await this.#once(changed, what).catch((error: unknown) => this.#survive(error, what));
    }
  }

  /**
   * A mistake in fw.toml, or a file that cannot be written, can be fixed while this runs; at the start it is an
   * error.
   */
  #survive(error: unknown, what: string): void {
    if (!this.#hasBegun || !(error instanceof CliError)) throw error;
    const { print, colors } = this.#terminal;
    const { message: problem, help } = error;
    if (this.#flags.json) process.stdout.write(`${JSON.stringify({ ok: false, problem })}\n`);
    print(`${colors.bold(colors.red('error:'))} ${problem}`);
    if (help !== undefined) print(`${colors.bold(colors.cyan('help:'))} ${help}`);
    this.#said(what, colors.red('failed'));
  }

  async #once(changed: readonly AbsolutePath[], what: string): Promise<void> {
    const { colors } = this.#terminal;
    const began = performance.now();
    const needsReopening = (file: AbsolutePath) =>
      changesEnvironment(file, this.#root) || this.#followed.isLinked(file);
    if (changed.some(needsReopening)) {
      await this.#opened?.close();
      this.#opened = undefined;
    }
    const isFirst = this.#opened === undefined;
    this.#opened ??= await openGeneration(settleGenerate(this.#flags, this.#cwd), true);
    const { generation } = this.#opened;
    if (!generation.concerns(changed)) return this.#said(what, colors.dim('not part of the client'));
    const onWrite = (file: AbsolutePath, text: string) => this.#own.note(file, text);
    const result = await generation.run(changed, true, { onWrite });
    if (wasCancelled(result)) return;
    this.#hasBegun = true;
    this.#followed.addBundle(generation);
    this.#printResult(result, isFirst);
    const took = `${Math.round(performance.now() - began)} ms`;
    this.#said(what, result.ok ? colors.green(took) : colors.red('failed'));
  }

  #printResult(result: Generated, isFirst: boolean): void {
    const isVerbose = this.#flags.verbose === true;
    if (this.#flags.json) process.stdout.write(`${JSON.stringify(summaryOf(result, this.#reader))}\n`);
    if (!result.ok) this.#report.failed(result);
    else if (isFirst || isVerbose || hasChanged(result)) this.#report.written(result, isVerbose);
  }

  #said(what: string, how: string): void {
    const { print, colors } = this.#terminal;
    print(`${colors.dim(clock())}  ${what}${colors.dim(' · ')}${how}`);
  }
}

/** Whether the client has changed; without one, whether the contract has. */
function hasChanged({ client, contract }: Generated & { ok: true }): boolean {
  const files = client.files.length === 0 ? [contract] : client.files;
  return files.some(({ before, after, isLocal }) => !isLocal && before !== after);
}

function untilSignal(): Promise<ExitCode> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve(ExitCode.cancelled));
    process.once('SIGTERM', () => resolve(ExitCode.done));
    process.once('SIGHUP', () => resolve(ExitCode.done));
    watchParent(() => resolve(ExitCode.done));
  });
}
