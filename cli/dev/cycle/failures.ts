// What failed last: it is reported, and is the body of a 503 while there is no version that could answer.
import { relative } from 'node:path';
import type { Message } from 'esbuild';
import { buildErrorFiles } from '../../bundle/build-error-files.js';
import type { FailedBoot, WorkerProcess } from '../../process/worker-process.js';
import { bootFailure, buildFailure, crashFailure, stillWaiting } from '../report/failure-text.js';
import type { SupervisorOptions } from '../supervisor-options.js';
import { SLOW } from './boot-watch.js';

/** What answers after a start that failed: the version before, the same once it has started again, or nothing. */
export type Answering = 'before' | 'before, again' | 'none';

const consequences: Record<Answering, string> = {
  before: 'the last good version keeps answering',
  'before, again': 'starting the last good version again',
  none: 'waiting for a change',
};

export class Failures {
  readonly #options: SupervisorOptions;
  readonly #followers: readonly { failed(): void }[];
  #text = 'fw dev is starting.\n';

  /** @param followers that hear of each failure which is reported */
  constructor(options: SupervisorOptions, followers: readonly { failed(): void }[]) {
    this.#options = options;
    this.#followers = followers;
  }

  /** The body of a 503: why there is no version that could answer. */
  get text(): string {
    return this.#text;
  }

  ofBuild(what: string, errors: Message[], keepsServing: boolean): void {
    for (const follower of this.#followers) follower.failed();
    this.#options.onFailedBuild?.(buildErrorFiles(errors, this.#options.root));
    this.#text = buildFailure(errors);
    this.#options.report.buildFailed(what, errors, keepsServing);
  }

  ofBoot(result: FailedBoot, answering: Answering): void {
    for (const follower of this.#followers) follower.failed();
    const { root, report } = this.#options;
    const reason = bootFailure(result, this.#entryName, root);
    this.#text = `The app failed to start.\n\n${reason}\n`;
    const headline = result.error ? `${this.#entryName} failed to start` : reason;
    report.appFailed(headline, result.error, consequences[answering], answering !== 'none');
  }

  /** The build takes long, and the version before answers meanwhile. */
  ofSlowBuild(): void {
    this.#options.report.note(`the build takes long; ${consequences.before} until it is done`);
  }

  /** The app takes long to start. @param isBeside whether the version before answers meanwhile */
  ofSlowBoot(isBeside: boolean): void {
    if (!isBeside) this.#text = `${this.#entryName} has not called listen yet.\n`;
    this.#options.report.note(stillWaiting(this.#entryName, SLOW / 1000, isBeside));
  }

  ofCrash({ lastError: error }: WorkerProcess, exit: string, isStartedAgain: boolean): void {
    for (const follower of this.#followers) follower.failed();
    const { root, report } = this.#options;
    this.#text = crashFailure(exit, error, root);
    const consequence = isStartedAgain
      ? 'starting it again'
      : 'it crashed right after its start: waiting for a change';
    report.appFailed(error ? 'the app crashed' : `the app ${exit}`, error, consequence, false);
  }

  get #entryName(): string {
    return relative(this.#options.root, this.#options.entry());
  }
}
