// The migrations of the app, if something is to be done about them: tells the supervisor, and runs them if it says so.
import diagnostics from 'node:diagnostics_channel';
import type { MigrationsNews } from '../../../framework/app/settings/app-migrations.js';
import { describeError } from '../../process/app-error.js';
import type { FromWorker, MigrationsState } from '../../process/messages.js';

type Report = FromWorker & { fw: 'migrations' };

const NONE: MigrationsState = { pending: [], interrupted: [], edited: [], missing: [] };

export class AppMigrations {
  readonly #send: (report: Report) => void;
  #news: MigrationsNews | undefined;
  #running: Promise<void> | undefined;

  constructor(send: (report: Report) => void) {
    this.#send = send;
  }

  /** Call it before the app runs. */
  watch(): void {
    diagnostics.subscribe('fw:migrations', (message) => {
      this.#news = message as MigrationsNews;
      this.#send({ fw: 'migrations', state: stateOf(this.#news) });
    });
  }

  /** Those that have not run; once at a time. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const news = this.#news;
    if (news === undefined) {
      this.#send({ fw: 'migrations', state: NONE, ran: [] });
      return;
    }
    try {
      const ran = await news.up();
      const { pending: _, ...rest } = stateOf(news);
      this.#send({ fw: 'migrations', state: { ...rest, pending: [] }, ran });
    } catch (error) {
      this.#send({ fw: 'migrations', state: stateOf(news), error: describeError(error) });
    }
  }
}

function stateOf({ status, url }: MigrationsNews): MigrationsState {
  const names = (wanted: string): string[] =>
    status.filter(({ state }) => state === wanted).map(({ name }) => name);
  return {
    pending: names('pending'),
    interrupted: names('interrupted'),
    edited: names('edited'),
    missing: names('missing'),
    ...(url !== undefined && { url }),
  };
}
