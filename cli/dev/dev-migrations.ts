// What `fw dev` says and does about the migrations of the app: names what is to be done, once, and runs them by a key or from
// the page of an error.
import type { FromWorker, MigrationsState } from '../process/messages.js';
import type { WorkerProcess } from '../process/worker-process.js';
import type { DevReport } from './report/dev-report.js';
import { Refusal } from './workbench/refusals.js';

/** How long migrations may take before the page hears that they go on, in milliseconds. */
const LIMIT_MS = 60_000;

type News = FromWorker & { fw: 'migrations' };

export interface DevMigrationsOptions {
  readonly report: Pick<DevReport, 'note' | 'warn' | 'migrations' | 'migrationFailed'>;
  /** The process that answers now. */
  readonly live: () => WorkerProcess | undefined;
  /** How a script of the app is run, such as `npm run`. */
  readonly runScript: string;
  readonly hasKeys: () => boolean;
  readonly limitMs?: number;
}

export class DevMigrations {
  readonly #options: DevMigrationsOptions;
  #state: MigrationsState | undefined;
  /** The process that has said so. */
  #of: WorkerProcess | undefined;
  /** What was said last: a save must not say it again. */
  #said = '';
  readonly #waiting = new Set<(news: News) => void>();

  constructor(options: DevMigrationsOptions) {
    this.#options = options;
  }

  /** Undefined if nothing is to be done. */
  get state(): MigrationsState | undefined {
    return this.#of === this.#options.live() ? this.#state : undefined;
  }

  /** Another process answers from now on; it has said what is to be done, if anything. */
  started(): void {
    if (this.#of !== this.#options.live()) this.#said = '';
  }

  hear(worker: WorkerProcess, news: News): void {
    const { state, ran, error } = news;
    this.#of = worker;
    this.#state = isIdle(state) ? undefined : state;
    const { report } = this.#options;
    if (error !== undefined) report.migrationFailed(error);
    else if (ran !== undefined) {
      report.note(ran.length === 0 ? 'no migration is pending' : `migrated: ${ran.join(', ')}`);
      this.#said = '';
    }
    if (ran === undefined && error === undefined) this.#say(state);
    for (const heard of [...this.#waiting]) heard(news);
  }

  /** For the key. */
  run(): void {
    const worker = this.#options.live();
    if (worker === undefined) this.#options.report.note('the app does not run, so its migrations cannot');
    else worker.send({ fw: 'migrate' });
  }

  /**
   * For the page: runs those that have not run.
   *
   * @throws Refusal if one fails, or the app does not run
   */
  async runForPage(): Promise<{ readonly ran: readonly string[] }> {
    const worker = this.#options.live();
    if (worker === undefined)
      throw new Refusal(503, 'NotRunning', 'the app does not run, so its migrations cannot');
    const news = await this.#answer(worker);
    if (news.error !== undefined)
      throw new Refusal(500, 'MigrationFailed', news.error.title.replace(/^Error: /, ''));
    return { ran: news.ran ?? [] };
  }

  #answer(worker: WorkerProcess): Promise<News> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(heard);
      };
      const heard = (news: News): void => {
        if (news.ran === undefined && news.error === undefined) return;
        end();
        resolve(news);
      };
      const refuse = (why: string): void => {
        end();
        reject(new Refusal(504, 'Timeout', why));
      };
      const { limitMs = LIMIT_MS } = this.#options;
      const timer = setTimeout(() => refuse('the migrations still run; see the terminal of fw dev'), limitMs);
      this.#waiting.add(heard);
      void worker.exited.then((exit) => {
        if (this.#waiting.has(heard)) refuse(`the app ${exit} while its migrations ran`);
      });
      worker.send({ fw: 'migrate' });
    });
  }

  #say(state: MigrationsState): void {
    const text = JSON.stringify(state);
    if (text === this.#said) return;
    this.#said = text;
    const { report, runScript, hasKeys } = this.#options;
    report.migrations(state, { runScript, hasKeys: hasKeys() });
  }
}

function isIdle({ pending, interrupted, edited, missing }: MigrationsState): boolean {
  return [pending, interrupted, edited, missing].every(({ length }) => length === 0);
}
