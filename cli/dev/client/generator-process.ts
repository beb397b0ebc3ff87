// The handle of the process that generates the client: one order at a time, its result, its end.
import { type ChildProcess, fork } from 'node:child_process';
import type { AbsolutePath } from '../../../framework/files/absolute-path.js';
import type { GenerateSettings } from '../../generate/generate-settings.js';
import type { FromGenerator, GenerateOrder, NewerChange, Outcome } from '../../generate/outcome.js';
import { isMessage } from '../../process/messages.js';
import { packagedFile } from '../../process/package-root.js';
import { killGroup, ownGroup } from '../../process/process-group.js';

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
const longest = 90_000;
/** How long the process may take to remove its temporary files, in milliseconds. */
const endGrace = 1000;

export class GeneratorProcess {
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
    const timer = setTimeout(() => this.kill(), longest);
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
    const force = setTimeout(() => this.kill(), endGrace);
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
