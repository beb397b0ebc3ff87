// Queries to the worker that answers now, each with a limit of time: an app may be stuck.
import type { AppDescription } from '../../../framework/app/description/app-description.js';
import type { ApiDescription } from '../../../framework/rpc/api-description.js';
import type { EnvRead, StartEffect, WorkerNews } from '../../process/messages.js';
import type { WorkerProcess } from '../../process/worker-process.js';
import { Refusal } from './refusals.js';

/** How long an app may take to describe itself, in milliseconds. */
const USUAL_LIMIT = 2000;

/** How long a worker may take to send what it has recorded, in milliseconds. */
const CATCH_UP_LIMIT = 1000;

/** What a worker says of its app. */
export interface Described {
  /** Undefined if the server is not one of `fw`. */
  readonly app: AppDescription | undefined;
  readonly reads: readonly EnvRead[];
  /** What it did before it was known, if it is only looked at. */
  readonly effects: readonly StartEffect[];
}

export class WorkerQueries {
  readonly #waiting = new Map<number, (news: WorkerNews & { fw: 'described' }) => void>();
  readonly #catchingUp = new Map<number, () => void>();
  readonly #limit: number;
  #count = 0;

  constructor(limit: number = USUAL_LIMIT) {
    this.#limit = limit;
  }

  /** @throws Refusal if the app does not answer in time */
  async describe(worker: WorkerProcess): Promise<Described> {
    const { app, reads = [], effects = [] } = await this.#ask(worker, 'app');
    return { app: app as AppDescription | undefined, reads, effects };
  }

  /**
   * What the app offers to callers; undefined if the server is not one of `fw`.
   * @throws Refusal if the app does not answer in time
   */
  async describeApi(worker: WorkerProcess): Promise<ApiDescription | undefined> {
    return (await this.#ask(worker, 'api')).app as ApiDescription | undefined;
  }

  #ask(worker: WorkerProcess, what: 'app' | 'api'): Promise<WorkerNews & { fw: 'described' }> {
    this.#count += 1;
    const id = this.#count;
    return new Promise((settle, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
      };
      const refuse = (why: string): void => {
        end();
        reject(new Refusal(504, 'AppStuck', why));
      };
      const timer = setTimeout(() => {
        refuse(
          `the app did not describe itself within ${this.#limit / 1000} s: it may be busy, or in an endless loop`,
        );
      }, this.#limit);
      this.#waiting.set(id, (news) => {
        end();
        if (news.problem === undefined) settle(news);
        else reject(new Refusal(500, 'AppFailed', `the app cannot be described: ${news.problem}`));
      });
      void worker.exited.then((exit) => {
        if (this.#waiting.has(id)) refuse(`the app ${exit} before it described itself`);
      });
      worker.send({ fw: 'describe', id, what });
    });
  }

  /** Resolves when everything that the worker has recorded is here, and it has begun to record if it must; or after a time. */
  async catchUp(worker: WorkerProcess): Promise<void> {
    this.#count += 1;
    const id = this.#count;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((settle) => {
      timer = setTimeout(settle, CATCH_UP_LIMIT);
      this.#catchingUp.set(id, settle);
      void worker.exited.then(() => settle());
      worker.send({ fw: 'catchUp', id });
    });
    clearTimeout(timer);
    this.#catchingUp.delete(id);
  }

  caughtUp({ id }: WorkerNews & { fw: 'caughtUp' }): void {
    this.#catchingUp.get(id)?.();
  }

  answered(news: WorkerNews & { fw: 'described' }): void {
    this.#waiting.get(news.id)?.(news);
  }
}
