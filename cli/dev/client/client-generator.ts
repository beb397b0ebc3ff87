// Generates the client during a reload cycle: decides what to generate for a change, and how long the cycle waits.

import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { AbsolutePath } from '../../../framework/files/absolute-path.js';
import type { GenerateSettings } from '../../generate/generate-settings.js';
import type { FromGenerator, GenerateOrder, NewerChange, Outcome } from '../../generate/outcome.js';
import { OwnWrites } from '../../generate/write-changed.js';
import { isMessage } from '../../process/messages.js';
import { packagedFile } from '../../process/package-root.js';
import { killGroup, ownGroup } from '../../process/process-group.js';
import { CliError, withHelp } from '../../terminal/errors.js';
import type { Change } from '../../watch/change.js';
import { changesEnvironment } from '../../watch/watch-scope.js';
import type { ClientReport } from './client-report.js';
import { clientEntry } from './client-settings.js';
import type { Generating } from './generating.js';

export interface ClientGeneratorOptions {
  root: AbsolutePath;
  /** Returns undefined if the app has no client to generate. Called again whenever that may have changed. */
  settle(): GenerateSettings | undefined;
  report: ClientReport;
  /** A mistake in the settings that is reported already. */
  known?(): string | undefined;
  /** Receives the sources that the client is made from. */
  onInputs(files: AbsolutePath[]): void;
  /** A contract was written that no cycle waited for: the server has to be built with it. */
  onLateContract(files: AbsolutePath[]): void;
  /** How long new code waits for the client before it answers, in milliseconds; 3000 by default. */
  timeout?: number;
  /** After how long without a change the generator ends, with its compiler, in milliseconds; 30,000 by default. */
  idleTime?: number;
  start?(settings: GenerateSettings): Generator;
}

/** One generation; it may be waited for while an earlier one is still running. */
interface Round {
  readonly written: Promise<readonly AbsolutePath[]>;
  readonly outcome: Promise<Outcome>;
  settleWritten(written: readonly AbsolutePath[]): void;
  end(outcome: Outcome): void;
}

const unaffected: Outcome = { ok: true, isUnaffected: true };

type Generator = Pick<GeneratorProcess, 'alive' | 'generate' | 'newer' | 'end'>;

const USUAL_TIMEOUT = 3000;
const USUAL_IDLE_TIME = 30_000;

export class ClientGenerator {
  readonly #options: ClientGeneratorOptions;
  readonly #own = new OwnWrites();
  readonly #changed = new Set<AbsolutePath>();
  #settings: GenerateSettings | undefined;
  #generator: Generator | undefined;
  #running: Round | undefined;
  #next: Round | undefined;
  #isStarted = false;
  #isStuck = false;
  /** The generator has ended because nothing changed. */
  #isIdle = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ClientGeneratorOptions) {
    this.#options = options;
    this.#settings = this.#settle();
  }

  /** Starts a first generation, which no cycle waits for. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    if (this.#settings) this.#later(this.#order([]));
  }

  /** Undefined if the cycle has nothing to wait for. */
  generate(change: Change): Generating | undefined {
    const { root } = this.#options;
    if (!this.#isStarted) return undefined;
    if (change.environment || change.files.includes(clientEntry(root))) this.#reopen();
    const files = change.files.filter((file) => !this.#own.has(file));
    if (!this.#settings || (files.length === 0 && !change.environment)) return undefined;
    const wasIdle = this.#isIdle;
    const round = this.#order(files);
    // Settings and packages seldom change a client, and a new compiler is slow to start.
    const isWorthIt = files.some((file) => !changesEnvironment(file, root));
    if (isWorthIt && !this.#isStuck && !wasIdle) return this.#awaited(round, this.#settings);
    this.#later(round);
    return undefined;
  }

  /** True for a file whose content is still what was generated. */
  isOwn(file: AbsolutePath): boolean {
    return this.#own.has(file);
  }

  async close(): Promise<void> {
    this.#isStarted = false;
    clearTimeout(this.#idle);
    await this.#generator?.end();
  }

  #settle(): GenerateSettings | undefined {
    try {
      return this.#options.settle();
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const problem = withHelp(error);
      if (problem !== this.#options.known?.()) this.#options.report.note(`client: ${problem}`);
      return undefined;
    }
  }

  /** Starts over with the current settings, variables and packages. */
  #reopen(): void {
    void this.#generator?.end();
    this.#generator = undefined;
    this.#settings = this.#settle();
    if (this.#settings) return;
    this.#next?.end(unaffected);
    this.#next = undefined;
  }

  #awaited(round: Round, settings: GenerateSettings): Generating {
    const { report, timeout = USUAL_TIMEOUT } = this.#options;
    const late = delay(timeout, undefined, { ref: false });
    const done = Promise.race([round.outcome, late]).then((outcome) => {
      if (outcome) return report.take(outcome);
      this.#isStuck = true;
      report.note(`client: not ready after ${timeout / 1000} s, fw dev goes on without it`);
      this.#later(round);
    });
    const settled = Promise.race([round.written.then(() => {}), late]);
    return { sources: [settings.contract], settled, done };
  }

  /** Reports a generation that no cycle waits for. */
  #later(round: Round): void {
    const { report, onLateContract } = this.#options;
    void round.outcome.then(async (outcome) => {
      if (!this.#isStarted) return;
      report.take(outcome);
      report.show();
      const written = await round.written;
      if (written.length > 0) onLateContract([...written]);
    });
  }

  #order(files: readonly AbsolutePath[]): Round {
    for (const file of files) this.#changed.add(file);
    this.#next ??= newRound();
    const round = this.#next;
    if (this.#running && files.length > 0) this.#generator?.newer();
    this.#advance();
    return round;
  }

  #advance(): void {
    if (this.#running || !this.#next || !this.#settings || !this.#isStarted) return;
    const round = this.#next;
    this.#next = undefined;
    this.#running = round;
    this.#isIdle = false;
    clearTimeout(this.#idle);
    const files = [...this.#changed];
    this.#changed.clear();
    const from = this.#process(this.#settings);
    const events = {
      onWrites: (file: AbsolutePath, text: string) => this.#own.note(file, text),
      onContract: round.settleWritten,
      onInputs: (inputs: readonly AbsolutePath[]) => this.#options.onInputs([...inputs]),
    };
    void from.generate(files, events).then((outcome) => {
      this.#running = undefined;
      this.#isStuck = false;
      // A generator that was replaced by another one has no result.
      round.end(from === this.#generator ? outcome : unaffected);
      this.#advance();
      if (!this.#running && this.#isStarted) this.#endWhenIdle();
    });
  }

  /** Its compiler holds the types of the whole app. The next change starts both again, and does not wait for them. */
  #endWhenIdle(): void {
    this.#idle = setTimeout(() => {
      void this.#generator?.end();
      this.#generator = undefined;
      this.#isIdle = true;
    }, this.#options.idleTime ?? USUAL_IDLE_TIME).unref();
  }

  #process(settings: GenerateSettings): Generator {
    if (this.#generator?.alive) return this.#generator;
    const start = this.#options.start ?? ((settled: GenerateSettings) => new GeneratorProcess(settled));
    this.#generator = start(settings);
    return this.#generator;
  }
}

function newRound(): Round {
  let settleWritten: Round['settleWritten'] = () => {};
  let end: Round['end'] = () => {};
  const written = new Promise<readonly AbsolutePath[]>((settle) => {
    settleWritten = settle;
  });
  const outcome = new Promise<Outcome>((settle) => {
    end = settle;
  });
  void outcome.then(() => settleWritten([]));
  return { written, outcome, settleWritten, end };
}

/** Events while an order is carried out. */
export interface GenerationEvents {
  /** A file is about to be written. */
  onWrites(file: AbsolutePath, text: string): void;
  /** The contract is up to date; `written` names it if it was written. */
  onContract(written: readonly AbsolutePath[]): void;
  /** Sources that the client is made from. */
  onInputs(files: readonly AbsolutePath[]): void;
}

/** An order that takes longer than this is considered stuck, in milliseconds. */
const LONGEST = 90_000;
/** How long the process may take to remove its temporary files, in milliseconds. */
const END_GRACE = 1000;

class GeneratorProcess {
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  #events: GenerationEvents | undefined;
  #answer: ((outcome: Outcome) => void) | undefined;

  constructor(settings: GenerateSettings) {
    this.#child = fork(packagedFile('generate/generator'), [JSON.stringify(settings)], {
      cwd: settings.root,
      execArgv: ['--enable-source-maps'],
      // Ctrl+C must reach only the dev server, which then ends this process and those that it has started.
      detached: ownGroup,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.exited = new Promise((settle) => {
      this.#child.once('exit', (code, signal) => {
        this.#settle({
          ok: false,
          problem: `the generator process ${signal ? `was killed by ${signal}` : `exited with code ${code}`}`,
        });
        // The processes that it has started must not outlive it.
        killGroup(this.#child);
        settle();
      });
      this.#child.once('error', (error) => {
        this.#settle({ ok: false, problem: `the generator process did not start: ${error.message}` });
        settle();
      });
    });
    this.#child.on('message', (message) => {
      if (isMessage(message)) this.#hear(message as FromGenerator);
    });
  }

  get alive(): boolean {
    return this.#child.connected && this.#child.exitCode === null;
  }

  generate(changed: readonly AbsolutePath[], events: GenerationEvents): Promise<Outcome> {
    this.#events = events;
    const timer = setTimeout(() => this.kill(), LONGEST);
    const outcome = new Promise<Outcome>((settle) => {
      this.#answer = settle;
    });
    this.#child.send({ fw: 'generate', changed } satisfies GenerateOrder, () => {});
    return outcome.finally(() => clearTimeout(timer));
  }

  /** Reports a newer change: the current order need not be finished. */
  newer(): void {
    if (this.alive) this.#child.send({ fw: 'newer' } satisfies NewerChange, () => {});
  }

  async end(): Promise<void> {
    if (!this.alive) return;
    const force = setTimeout(() => this.kill(), END_GRACE);
    this.#child.disconnect();
    await this.exited;
    clearTimeout(force);
  }

  kill(): void {
    killGroup(this.#child);
  }

  #hear(message: FromGenerator): void {
    if (message.fw === 'writes') this.#events?.onWrites(message.file, message.text);
    else if (message.fw === 'contract') this.#events?.onContract(message.written);
    else {
      this.#events?.onInputs(message.inputs);
      this.#settle(message.outcome);
    }
  }

  #settle(outcome: Outcome): void {
    this.#answer?.(outcome);
    this.#answer = undefined;
    this.#events = undefined;
  }
}
