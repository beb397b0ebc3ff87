// The page about the app: what `fw dev` knows, who looks at it, and the processes that record for it.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BoundAddress, WorkbenchOrder, WorkerNews } from '../../process/messages.js';
import type { RawSecond } from '../../process/traffic.js';
import type { WorkerProcess } from '../../process/worker-process.js';
import { Access } from './access.js';
import { configInfo, describedApp } from './app-facts.js';
import type { AppInfo } from './app-info.js';
import { type ContractFiles, contractChanges } from './contract-changes.js';
import type { CycleLog } from './cycle-log.js';
import { DocsPages } from './docs-pages.js';
import { ErrorGroups } from './error-groups.js';
import { type AppMigrations, ErrorPages } from './error-pages.js';
import { EventStreams, RecordingSwitch } from './event-streams.js';
import { checkPin, checkSaved } from './kept-order.js';
import { KeptRequests } from './kept-requests.js';
import { runFw } from './mcp-command.js';
import type { DevFacts } from './mcp-facts.js';
import { DevMcp } from './mcp-source.js';
import { openInEditor } from './open-editor.js';
import type { Hello, WorkbenchEvents } from './protocol.js';
import { RecordSearch } from './record-search.js';
import { RecordStore, type StoredRequest } from './record-store.js';
import { Refusal, readJson } from './refusals.js';
import { RequestSender } from './request-sender.js';
import { SentMails } from './sent-mails.js';
import { environmentInfo } from './shown-environment.js';
import { detailOf, summaryOf } from './shown-request.js';
import { testSetup } from './test-setup.js';
import { tokenOf } from './token-file.js';
import { TrafficLog } from './traffic-log.js';
import { type Routes, WorkbenchServer, written } from './workbench-server.js';
import { WorkerQueries } from './worker-queries.js';

/** How long requests are recorded after the last call of a model's tool, in milliseconds. */
const LONG_LOOK_MS = 30 * 60_000;

export interface WorkbenchOptions {
  version: string;
  /** Of the project; empty without one. */
  name: string;
  url: string;
  log: CycleLog;
  /** The file that `fw dev` runs. */
  entry: string;
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
  migrations?: AppMigrations;
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
  readonly #search: RecordSearch;
  readonly #errors: ErrorGroups;
  readonly #since = Date.now();
  readonly #traffic = new TrafficLog();
  readonly #recording: RecordingSwitch;
  readonly #pages: EventStreams;
  readonly #livePages = new EventStreams();
  readonly #workers = new Set<WorkerProcess>();
  readonly #queries: WorkerQueries;
  readonly #token = randomBytes(24).toString('hex');
  readonly #sender: RequestSender;
  readonly #kept: KeptRequests;
  readonly #mails: SentMails;
  readonly #errorPages: ErrorPages;
  readonly #mcp: DevMcp;
  #live: WorkerProcess | undefined;
  #pageToken: string | undefined;
  readonly #unlisten: () => void;

  private constructor(options: WorkbenchOptions) {
    this.#options = options;
    this.#queries = new WorkerQueries(options.askLimit);
    this.#search = new RecordSearch(options.log.root);
    this.#errors = new ErrorGroups(options.log.root);
    this.#sender = new RequestSender(options, this.#store, this.#token);
    this.#errorPages = new ErrorPages({
      store: this.#store,
      detail: (one) => detailOf(one, this.#sender.sentFrom, options.log.root),
      routes: async () => (await this.#app()).routes,
      migrations: options.migrations,
      limitMs: options.askLimit,
    });
    this.#kept = new KeptRequests(options.log.root, (text) => options.note(text));
    this.#mails = new SentMails({
      root: options.log.root,
      request: (worker, seq) => {
        const found = this.#store.find(worker, seq);
        return found && summaryOf(found, this.#sender.sentFrom);
      },
      publish: (mail) => this.#publish('mail', mail),
    });
    this.#mcp = new DevMcp(options.version, this.#facts());
    const { isTokenRequired = () => false } = options;
    const access = new Access({ token: () => this.pageToken, isTokenRequired });
    this.#server = new WorkbenchServer(this.#routes(), access);
    this.#recording = new RecordingSwitch((isOn) => this.#record(isOn), options.grace);
    this.#pages = new EventStreams((count) => this.#recording.pages(count));
    this.#unlisten = options.log.listen({
      entry: (entry) => {
        this.#publish('cycle', entry);
        const { error, time } = entry;
        if (error === undefined) return;
        const before = this.#store.lastBefore(time);
        const shown = before && summaryOf(before, this.#sender.sentFrom);
        this.#publish('errors', { groups: [this.#errors.ended(error, time, shown)] });
      },
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
      this.#mails.gone(String(worker.pid));
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
    this.#search.clear();
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
      ...this.#keptRoutes(),
      ...this.#mails.routes,
      ...new DocsPages().routes,
      'GET /_fw/error': (request, response) => this.#errorPages.answer(request, untilClosed(response)),
      'GET /_fw/cycles': () => log.entries,
      'GET /_fw/charts': () => ({
        since: this.#since,
        width: this.#traffic.width,
        points: this.#traffic.points,
      }),
      'GET /_fw/app': () => this.#app(),
      'GET /_fw/errors': () => this.#errors.list,
      'POST /_fw/search': async (request, response) =>
        this.#search.find(await readJson(request), this.#store.all, untilClosed(response)),
      'POST /_fw/send': async (request) => {
        const order = await readJson(request);
        // Recorded also if no page is open.
        this.#recording.touch();
        return this.#sender.send(order);
      },
      'POST /_fw/migrate': async (request) => {
        await readJson(request);
        return this.#options.migrations?.runForPage();
      },
      'POST /_fw/open': async (request) => openInEditor(await readJson(request), log.root),
      'POST /_fw/mcp': async (request, response) => {
        // What happens between two calls is recorded too, from the answer to the first one on.
        this.#recording.touch(LONG_LOOK_MS);
        if (this.#live) await this.#queries.catchUp(this.#live);
        return this.#mcp.answer(request, response);
      },
    };
  }

  /** What the tools of models read and do. */
  #facts(): DevFacts {
    const { log, migrations } = this.#options;
    return {
      hello: () => this.#hello(),
      app: () => this.#app(),
      requests: () => [...this.#store.all].map((one) => summaryOf(one, this.#sender.sentFrom)),
      request: (id) => detailOf(this.#find(id), this.#sender.sentFrom, log.root),
      errors: () => this.#errors.list,
      cycles: () => log.entries,
      search: (text, signal) => this.#search.find({ text }, this.#store.all, signal),
      send: (order) => this.#sender.send(order),
      migrations: () => migrations?.state,
      migrate: async () => (await migrations?.runForPage()) ?? { ran: [] },
      command: (args, signal) => runFw(log.root, args, signal),
    };
  }

  #keptRoutes(): Routes {
    const changed = <Result>(result: Result): Result => {
      this.#publish('kept', this.#kept.list);
      return result;
    };
    return {
      'GET /_fw/kept': () => this.#kept.list,
      'GET /_fw/pins/:id': (_, __, id) => this.#kept.pin(id),
      'POST /_fw/pins': async (request) => {
        const found = this.#find(checkPin(await readJson(request)));
        const detail = detailOf(found, this.#sender.sentFrom, this.#options.log.root);
        return changed({ id: this.#kept.addPin(detail) });
      },
      'DELETE /_fw/pins/:id': (_, __, id) => changed(this.#kept.removePin(id)),
      'POST /_fw/saved': async (request) =>
        changed({ id: this.#kept.save(checkSaved(await readJson(request))) }),
      'DELETE /_fw/saved/:id': (_, __, id) => changed(this.#kept.removeSaved(id)),
    };
  }

  #open(streams: EventStreams, response: ServerResponse, event: string, data: () => unknown): symbol {
    if (streams.isFull) throw new Refusal(503, 'TooMany', 'too many pages are open');
    streams.add(response, event, data());
    return written;
  }

  #hello(): Hello {
    const { version, name, url, log, entry } = this.#options;
    const tests = testSetup(log.root, entry);
    return { version, name, url, recordsSince: this.#recording.since, state: log.state, tests };
  }

  async #app(): Promise<AppInfo> {
    const { log, environment, configFile, contract } = this.#options;
    const { app, reads = [] } = (this.#live && (await this.#queries.describe(this.#live))) ?? {};
    const changes = await contractChanges(contract());
    return {
      ...describedApp(app, log.root),
      ...(changes && { contractChanges: changes }),
      environment: environmentInfo(log.root, { worker: environment(), shell: process.env, reads }),
      config: configInfo(log.root, configFile),
    };
  }

  #find(id: number): StoredRequest {
    const found = this.#store.get(id);
    if (found === undefined) throw new Refusal(404, 'NotFound', `request ${id} is not kept any more`);
    return found;
  }

  #clear(): void {
    this.#store.clear();
    this.#search.clear();
    this.#errors.clear();
    this.#publish('cleared', {});
  }

  #hear({ pid }: WorkerProcess, news: WorkerNews): void {
    const worker = String(pid);
    if (news.fw === 'note') this.#options.note(news.text);
    else if (news.fw === 'described') this.#queries.answered(news);
    else if (news.fw === 'caughtUp') this.#queries.caughtUp(news);
    else if (news.fw === 'messages') this.#changed(this.#store.takeMessages(worker, news.logs), 0);
    else if (news.fw === 'seconds') this.#measured(news.seconds);
    else if (news.fw === 'mail') this.#mails.take(worker, news.mail);
    else {
      this.#changed(this.#store.take(worker, news.records), news.skipped);
      this.#mails.known(
        worker,
        news.records.map(({ seq }) => seq),
      );
    }
  }

  #changed(requests: readonly StoredRequest[], skipped: number): void {
    if (requests.length === 0 && skipped === 0) return;
    const summary = (one: StoredRequest) => summaryOf(one, this.#sender.sentFrom);
    this.#publish('requests', { requests: requests.map(summary), skipped });
    const groups = this.#errors.note(requests, summary);
    if (groups.length > 0) this.#publish('errors', { groups });
  }

  #measured(seconds: readonly RawSecond[]): void {
    const points = this.#traffic.add(seconds);
    this.#publish('points', { width: this.#traffic.width, points });
  }

  #record(on: boolean): void {
    for (const worker of this.#workers) worker.send({ fw: 'record', on });
  }

  #publish<Name extends keyof WorkbenchEvents>(event: Name, data: WorkbenchEvents[Name]): void {
    this.#pages.send(event, data);
  }
}

function untilClosed(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
