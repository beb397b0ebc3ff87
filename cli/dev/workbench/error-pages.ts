// What the page about an error shows, which a browser gets instead of the standard body.
import type { IncomingMessage } from 'node:http';
import type { MigrationsState } from '../../process/messages.js';
import { adviceFor } from './error-advice.js';
import type { ErrorPage, RequestDetail } from './protocol.js';
import type { RecordStore, StoredRequest } from './record-store.js';
import { Refusal } from './refusals.js';

/** How long the record of an error may take, in milliseconds. */
const RECORD_LIMIT = 10_000;

/** What is to be done about the migrations of the app, and doing it. */
export interface AppMigrations {
  /** Undefined if nothing is to be done. */
  readonly state: MigrationsState | undefined;
  /** @throws Refusal if one fails */
  runForPage(): Promise<{ readonly ran: readonly string[] }>;
}

interface ErrorPagesOptions {
  readonly store: RecordStore;
  detail(one: StoredRequest): RequestDetail;
  /** Of the app. */
  routes(): Promise<NonNullable<ErrorPage['routes']>>;
  readonly migrations: AppMigrations | undefined;
  readonly limitMs: number | undefined;
}

export class ErrorPages {
  readonly #options: ErrorPagesOptions;

  constructor(options: ErrorPagesOptions) {
    this.#options = options;
  }

  /**
   * Waits for the record of the request, which the worker sends a moment later.
   *
   * @param left aborts when the page has left
   * @throws Refusal if there is none
   */
  async answer({ url = '' }: IncomingMessage, left: AbortSignal): Promise<ErrorPage> {
    const { store, detail, routes, migrations, limitMs = RECORD_LIMIT } = this.#options;
    const id = /[?&]page=([0-9a-f]{32})(?:&|$)/.exec(url)?.[1] ?? '';
    const found = await store.whenPage(id, AbortSignal.any([left, AbortSignal.timeout(limitMs)]));
    if (found === undefined) throw new Refusal(404, 'NotFound', 'this request is not kept any more');
    const request = detail(found);
    const isUnmatched = request.status === 404 && request.route === undefined;
    const waiting = request.status === 503 ? migrations?.state : undefined;
    return {
      request,
      advice: waiting === undefined ? adviceFor(found.raw.error, request.status ?? 500) : [],
      ...(waiting && { migrations: waiting }),
      ...(isUnmatched && { routes: (await routes()).map(({ method, path }) => ({ method, path })) }),
    };
  }
}
