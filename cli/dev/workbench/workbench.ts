// The page about the app: what `fw dev` knows, who looks at it, and the processes that record for it.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BoundAddress, WorkbenchOrder, WorkerNews } from '../../process/messages.js';
import type { WorkerProcess } from '../../process/worker-process.js';
import { Access } from './access.js';
import { configInfo, describedApp, environmentInfo } from './app-facts.js';
import { type ContractFiles, contractChanges } from './contract-changes.js';
import type { CycleLog } from './cycle-log.js';
import { adviceFor } from './error-advice.js';
import { EventStreams } from './event-streams.js';
import { openInEditor } from './open-editor.js';
import type { AppInfo, ErrorPage, Hello, WorkbenchEvents } from './protocol.js';
import { RecordStore, type StoredRequest } from './record-store.js';
import { Refusal, readJson } from './refusals.js';
import { RequestSender } from './request-sender.js';
import { detailOf, summaryOf } from './shown-request.js';
import { tokenOf } from './token-file.js';
import { type Routes, WorkbenchServer, written } from './workbench-server.js';
import { WorkerQueries } from './worker-queries.js';

export interface WorkbenchOptions {
  version: string;
  /** Of the project; empty without one. */
  name: string;
  url: string;
  log: CycleLog;
  /** Where `fw dev` listens. */
  address: BoundAddress;
  /** The variables that the app gets. */
  environment(): NodeJS.ProcessEnv;
  configFile: string | undefined;
  /** The files with the types of procedures. */
  contract(): ContractFiles;
  note(text: string): void;
  /** Whether everybody needs the token, also the developer on this machine. */
  isTokenRequired?(): boolean;
  /** How long recording goes on after the last page left, in milliseconds. */
  grace?: number;
  /** How long a request that the page sends may take, in milliseconds. */
  sendLimit?: number;
  /** How long the app may take to describe itself, in milliseconds. */
  askLimit?: number;
}

export class Workbench {
  readonly #options: WorkbenchOptions;
  readonly #server: WorkbenchServer;
  readonly #store = new RecordStore();
  readonly #recording: RecordingSwitch;
  readonly #pages: EventStreams;
  readonly #livePages = new EventStreams();
  readonly #workers = new Set<WorkerProcess>();
  readonly #queries: WorkerQueries;
  readonly #token = randomBytes(24).toString('hex');
  readonly #sender: RequestSender;
  #live: WorkerProcess | undefined;
  #pageToken: string | undefined;
  readonly #unlisten: () => void;

  private constructor(options: WorkbenchOptions) {
    this.#options = options;
    this.#queries = new WorkerQueries(options.askLimit);
    this.#sender = new RequestSender(options, this.#store, this.#token);
    const { isTokenRequired = () => false } = options;
    const access = new Access({ token: () => this.pageToken, isTokenRequired });
    this.#server = new WorkbenchServer(this.#routes(), access);
    this.#recording = new RecordingSwitch((isOn) => this.#record(isOn), options.grace);
    this.#pages = new EventStreams((count) => this.#recording.pages(count));
    this.#unlisten = options.log.listen({
      entry: (entry) => this.#publish('cycle', entry),
      state: (state) => {
        this.#publish('state', state);
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
    const isTokenRequired = this.#options.isTokenRequired?.() === true;
    return { pipe: this.#server.pipe, record: this.#recording.isOn, token: this.#token, isTokenRequired };
  }

  /** What opens the page for those that are not on this machine. */
  get pageToken(): string {
    this.#pageToken ??= tokenOf(this.#options.log.root);
    return this.#pageToken;
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

  /** The worker that answers from now on. */
  answersFrom(worker: WorkerProcess | undefined): void {
    this.#live = worker;
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
    this.#recording.close();
    this.#pages.close();
    this.#livePages.close();
    this.#server.close();
  }

  #routes(): Routes {
    const { log } = this.#options;
    return {
      'GET /_fw/events': (_, response) => this.#open(this.#pages, response, 'hello', () => this.#hello()),
      'GET /_fw/live': (_, response) => this.#open(this.#livePages, response, 'state', () => log.state),
      'GET /_fw/requests': () => [...this.#store.all].map((one) => summaryOf(one, this.#sender.sentFrom)),
      'DELETE /_fw/requests': () => this.#clear(),
      'GET /_fw/requests/:id': (_, __, id) => detailOf(this.#find(id), this.#sender.sentFrom, log.root),
      'GET /_fw/error': (request, response) => this.#errorPage(request, response),
      'GET /_fw/cycles': () => log.entries,
      'GET /_fw/app': () => this.#app(),
      'POST /_fw/send': async (request) => {
        const order = await readJson(request);
        // Recorded also if no page is open.
        this.#recording.touch();
        return this.#sender.send(order);
      },
      'POST /_fw/open': async (request) => openInEditor(await readJson(request), log.root),
    };
  }

  #open(streams: EventStreams, response: ServerResponse, event: string, data: () => unknown): symbol {
    if (streams.isFull) throw new Refusal(503, 'TooMany', 'too many pages are open');
    streams.add(response, event, data());
    return written;
  }

  #hello(): Hello {
    const { version, name, url, log } = this.#options;
    return { version, name, url, recordsSince: this.#recording.since, state: log.state };
  }

  async #app(): Promise<AppInfo> {
    const { log, environment, configFile, contract } = this.#options;
    const described = this.#live && (await this.#queries.describe(this.#live));
    const changes = await contractChanges(contract());
    return {
      ...describedApp(described, log.root),
      ...(changes && { contractChanges: changes }),
      environment: environmentInfo(log.root, environment()),
      config: configInfo(log.root, configFile),
    };
  }

  /** What an error page shows; waits for the record of its request, which the worker sends a moment later. */
  async #errorPage({ url = '' }: IncomingMessage, response: ServerResponse): Promise<ErrorPage> {
    const id = /[?&]page=([0-9a-f]{32})(?:&|$)/.exec(url)?.[1] ?? '';
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const limit = AbortSignal.timeout(this.#options.askLimit ?? RECORD_LIMIT);
    const found = await this.#store.whenPage(id, AbortSignal.any([gone.signal, limit]));
    if (found === undefined) throw new Refusal(404, 'NotFound', 'this request is not kept any more');
    const request = detailOf(found, this.#sender.sentFrom, this.#options.log.root);
    const isUnmatched = request.status === 404 && request.route === undefined;
    const { routes } = isUnmatched ? await this.#app() : { routes: [] };
    const advice = adviceFor(found.raw.error, request.status ?? 500);
    return {
      request,
      advice,
      ...(isUnmatched && { routes: routes.map(({ method, path }) => ({ method, path })) }),
    };
  }

  #find(id: number): StoredRequest {
    const found = this.#store.get(id);
    if (found === undefined) throw new Refusal(404, 'NotFound', `request ${id} is not kept any more`);
    return found;
  }

  #clear(): void {
    this.#store.clear();
    this.#publish('cleared', {});
  }

  #hear(worker: WorkerProcess, news: WorkerNews): void {
    if (news.fw === 'note') this.#options.note(news.text);
    else if (news.fw === 'described') this.#queries.answered(news);
    else this.#changed(this.#store.take(String(worker.pid), news.records), news.skipped);
  }

  #changed(requests: readonly StoredRequest[], skipped: number): void {
    if (requests.length === 0 && skipped === 0) return;
    this.#publish('requests', {
      requests: requests.map((one) => summaryOf(one, this.#sender.sentFrom)),
      skipped,
    });
  }

  #record(on: boolean): void {
    for (const worker of this.#workers) worker.send({ fw: 'record', on });
  }

  #publish<Name extends keyof WorkbenchEvents>(event: Name, data: WorkbenchEvents[Name]): void {
    this.#pages.send(event, data);
  }
}

/** How long the record of an error may take, in milliseconds. */
const RECORD_LIMIT = 10_000;

/** How long recording goes on after the last page left, in milliseconds: a reload must not lose requests. */
const GRACE = 30_000;

class RecordingSwitch {
  readonly #onChange: (isOn: boolean) => void;
  readonly #grace: number;
  #timer: NodeJS.Timeout | undefined;
  #pages = 0;
  /** Milliseconds since 1970; undefined while nothing is recorded. */
  #since: number | undefined;

  constructor(onChange: (isOn: boolean) => void, graceMs: number = GRACE) {
    this.#onChange = onChange;
    this.#grace = graceMs;
  }

  get isOn(): boolean {
    return this.#since !== undefined;
  }

  /** Since when requests are recorded. */
  get since(): number {
    return this.#since ?? Date.now();
  }

  /** The number of pages that are open. */
  pages(count: number): void {
    this.#pages = count;
    if (count > 0) this.#begin();
    else this.#endLater();
  }

  /** For a request that is sent while no page is open. */
  touch(): void {
    this.#begin();
    if (this.#pages === 0) this.#endLater();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    if (this.#since !== undefined) return;
    this.#since = Date.now();
    this.#onChange(true);
  }

  #endLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#since = undefined;
      this.#onChange(false);
    }, this.#grace);
    this.#timer.unref();
  }
}
