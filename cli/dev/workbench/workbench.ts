// The page about the app: what `fw dev` knows, who looks at it, and the processes that record for it.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WorkbenchOrder, WorkerNews } from '../../process/messages.js';
import type { WorkerProcess } from '../../process/worker-process.js';
import type { CycleLog } from './cycle-log.js';
import { EventStreams } from './event-streams.js';
import { Looking } from './looking.js';
import type { Hello, WorkbenchEvents } from './protocol.js';
import { RecordStore, type StoredRequest } from './record-store.js';
import { Refusal } from './refusals.js';
import { detailOf, summaryOf } from './shown-request.js';
import { type Routes, WorkbenchServer, written } from './workbench-server.js';

export interface WorkbenchOptions {
  version: string;
  /** Of the project; empty without one. */
  name: string;
  url: string;
  log: CycleLog;
  note(text: string): void;
  /** How long recording goes on after the last page left, in milliseconds. */
  grace?: number;
}

export class Workbench {
  readonly #options: WorkbenchOptions;
  readonly #server: WorkbenchServer;
  readonly #store = new RecordStore();
  readonly #looking: Looking;
  readonly #pages: EventStreams;
  readonly #livePages = new EventStreams();
  readonly #workers = new Set<WorkerProcess>();
  readonly #token = randomBytes(24).toString('hex');
  /** The numbers of the requests that orders were made from, by the numbers of the orders. */
  readonly #sentFrom = new Map<number, number>();
  readonly #unlisten: () => void;

  private constructor(options: WorkbenchOptions) {
    this.#options = options;
    this.#server = new WorkbenchServer(this.#routes());
    this.#looking = new Looking((isOn) => this.#record(isOn), options.grace);
    this.#pages = new EventStreams((count) => this.#looking.pages(count));
    this.#unlisten = options.log.listen({
      entry: (entry) => this.#tell('cycle', entry),
      state: (state) => {
        this.#tell('state', state);
        this.#livePages.send('state', state);
      },
    });
  }

  static async open(options: WorkbenchOptions): Promise<Workbench> {
    const workbench = new Workbench(options);
    await workbench.#server.open();
    return workbench;
  }

  /** For the boot of a worker. */
  get order(): WorkbenchOrder {
    return { pipe: this.#server.pipe, record: this.#looking.isOn, token: this.#token };
  }

  /** A worker boots: it may send records from now on. */
  follow(worker: WorkerProcess): void {
    this.#workers.add(worker);
    worker.onNews = (news) => this.#hear(worker, news);
    void worker.exited.then(() => {
      this.#workers.delete(worker);
      this.#changed(this.#store.gone(String(worker.pid)), 0);
    });
  }

  /** A cycle begins, or has ended. */
  working(isWorking: boolean): void {
    this.#options.log.working(isWorking);
  }

  /** Answers a request for the page while no worker can pass it on. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    void this.#server.answer(request, response);
  }

  close(): void {
    this.#unlisten();
    this.#looking.close();
    this.#pages.close();
    this.#livePages.close();
    this.#server.close();
  }

  #routes(): Routes {
    const { log } = this.#options;
    return {
      'GET /_fw/events': (_, response) => this.#open(this.#pages, response, 'hello', () => this.#hello()),
      'GET /_fw/live': (_, response) => this.#open(this.#livePages, response, 'state', () => log.state),
      'GET /_fw/requests': () => [...this.#store.all].map((one) => summaryOf(one, this.#sentFrom)),
      'DELETE /_fw/requests': () => this.#clear(),
      'GET /_fw/requests/:id': (_, __, id) => detailOf(this.#find(id), this.#sentFrom, log.root),
      'GET /_fw/cycles': () => log.entries,
    };
  }

  #open(streams: EventStreams, response: ServerResponse, event: string, data: () => unknown): symbol {
    if (streams.isFull) throw new Refusal(503, 'TooMany', 'too many pages are open');
    streams.add(response, event, data());
    return written;
  }

  #hello(): Hello {
    const { version, name, url, log } = this.#options;
    return { version, name, url, recordsSince: this.#looking.since, state: log.state };
  }

  #find(id: number): StoredRequest {
    const found = this.#store.get(id);
    if (found === undefined) throw new Refusal(404, 'NotFound', `request ${id} is not kept any more`);
    return found;
  }

  #clear(): void {
    this.#store.clear();
    this.#tell('cleared', {});
  }

  #hear(worker: WorkerProcess, news: WorkerNews): void {
    if (news.fw === 'note') this.#options.note(news.text);
    else if (news.fw === 'records')
      this.#changed(this.#store.take(String(worker.pid), news.records), news.skipped);
  }

  #changed(requests: readonly StoredRequest[], skipped: number): void {
    if (requests.length === 0 && skipped === 0) return;
    this.#tell('requests', { requests: requests.map((one) => summaryOf(one, this.#sentFrom)), skipped });
  }

  #record(on: boolean): void {
    for (const worker of this.#workers) worker.tell({ fw: 'record', on });
  }

  #tell<Name extends keyof WorkbenchEvents>(event: Name, data: WorkbenchEvents[Name]): void {
    this.#pages.send(event, data);
  }
}
