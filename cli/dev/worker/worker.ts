// The process that runs the app: it warms up, boots one bundle, serves the sockets that it gets, and drains.

import type { IncomingMessage } from 'node:http';
import inspector from 'node:inspector';
import type { Server, Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import { describeError } from '../../process/app-error.js';
import { namesHeld } from '../../process/held.js';
import { importBundle } from '../../process/import-bundle.js';
import { hurry, type WarmOrder, warmUp } from '../../process/load-packages.js';
import {
  type BootOrder,
  FRONTEND_FIELD,
  type FromWorker,
  type FrontendOrder,
  isMessage,
  type StartEffect,
  type ToWorker,
  type WorkerConfig,
} from '../../process/messages.js';
import { followLoaded } from '../../process/sources/loaded-sources.js';
import { labelStream } from '../../terminal/label-lines.js';
import { AppMigrations } from './app-migrations.js';
import { clusterError, watchCluster } from './cluster.js';
import { ConnectionDrain } from './connection-drain.js';
import { awaitApp, describeApp, onlyDescribe } from './described-app.js';
import { EnvReads } from './env-reads.js';
import { answerErrors } from './error-answers.js';
import { childPreload, explainListen } from './foreign-listen.js';
import { answerFromFrontend } from './frontend-answers.js';
import { guardServers } from './guard.js';
import { AppServers } from './listen.js';
import { watchDrivers } from './loaded-drivers.js';
import { isOwnRequest } from './own-requests.js';
import { Recorder } from './recording/recorder.js';
import { runTimeFileOf, watchRunTimeFiles } from './run-time-files.js';
import { showErrors } from './shown-errors.js';
import { createHandover } from './socket-handover.js';
import { forkFromSource, runWorkerThreadsFromSource } from './source-program.js';
import { StartEffects } from './start-effects.js';
import { StartWarnings } from './start-warnings.js';
import { headFor, reportUpgrades } from './vite-socket.js';

const channelSend = process.send?.bind(process);
if (!channelSend) {
  process.stderr.write('error: this file is started by `fw dev`\n');
  process.exit(2);
}

/** How long the last message may take if the supervisor does not read, in milliseconds. */
const LAST_MESSAGE = 5000;

const connections = new ConnectionDrain(
  (socket) =>
    new Promise((sent) => {
      channelSend({ fw: 'returned' } satisfies FromWorker, socket as never, {}, () => sent());
    }),
);

const handover = createHandover();
const recorder = new Recorder(send, () => connections.running());
const warnings = new StartWarnings();
const migrations = new AppMigrations(send);
/** The packages that this process has loaded. */
let warmed: readonly string[] = [];
let isPrepared = false;
/** Set when this process is prepared. */
let servers: AppServers | undefined;
let explain = describeError;
let isReady = false;
/** The folder of the app, while it runs as a bundle. */
let bundleRoot: string | undefined;
let hasReportedFile = false;
/** What the app did before it was known, if it is only looked at. */
let effects: readonly StartEffect[] = [];
/** Undefined without the page about the app. */
let envReads: EnvReads | undefined;

function send(message: FromWorker, done: () => void = () => {}): void {
  if (process.connected) channelSend?.(message, undefined, {}, done);
  else done();
}

// The supervisor has exited, for whatever reason: no connection can reach this process any more.
process.on('disconnect', () => process.exit(0));
// A terminal sends Ctrl+C to every process of the group, but the supervisor decides when a worker ends.
process.on('SIGINT', () => {});

process.on('uncaughtExceptionMonitor', (error) => {
  recorder.fatal(error);
  if (process.listenerCount('uncaughtException') > 0) return;
  if (process.hasUncaughtExceptionCaptureCallback()) return;
  fail(error);
});

process.on('message', (message: unknown, handle: unknown) => {
  if (isMessage(message)) obey(message as ToWorker, handle);
});

if (process.env.FW_DEV_INSPECT === '1') openInspector();

function obey(message: ToWorker, handle: unknown): void {
  if (message.fw === 'socket') {
    handover.hold(message.id, handle);
    send({ fw: 'got', id: message.id });
  } else if (message.fw === 'taken') {
    connections.accept(handover.take(message.id));
  } else if (message.fw === 'withdrawn') {
    handover.drop(message.id);
  } else if (message.fw === 'warm') {
    void warm(message);
  } else if (message.fw === 'hurry') {
    hurry();
  } else if (message.fw === 'prepare') {
    prepare(message);
  } else if (message.fw === 'boot') {
    void boot(message);
  } else if (message.fw === 'current') {
    warnings.release();
    servers?.current();
  } else if (message.fw === 'alone') {
    servers?.alone();
  } else if (message.fw === 'record') {
    recorder.switch(message.on);
  } else if (message.fw === 'catchUp') {
    void recorder.catchUp().then(() => send({ fw: 'caughtUp', id: message.id }));
  } else if (message.fw === 'migrate') {
    void migrations.run();
  } else if (message.fw === 'describe') {
    void describeApp(message).then((news) => send({ ...news, reads: envReads?.all ?? [], effects }));
  } else if (message.fw === 'drain') {
    // The new process reads on from here.
    process.stdin.pause();
    servers?.drain();
    void connections
      .drain()
      .then(() => recorder.flush())
      .then(endApp);
    send({ fw: 'draining' });
  } else {
    endApp();
  }
}

async function warm(order: WarmOrder): Promise<void> {
  const news = await warmUp(order);
  warmed = news.loaded;
  send(news);
}

/** What the boot can do without the bundle: a process that waits does it in advance. */
function prepare(order: WorkerConfig & { readonly bundle: string }): void {
  if (isPrepared) return;
  isPrepared = true;
  const { address, workbench, frontend } = order;
  guardServers(connections, address, order.allowedHosts, {
    workbench: workbench && { order: workbench, recorder },
    takeViteSocket: frontend && ((request, socket) => passToVite(request, socket, frontend)),
  });
  if (frontend) joinFrontend(frontend);
  if (workbench) {
    recorder.watchConsole();
    recorder.watchMails();
  }
  showErrors(process.cwd());
  if (workbench) answerErrors(recorder, process.cwd(), !workbench.isTokenRequired);
  awaitApp();
  migrations.watch();
  const hasPrinted = watchPrinted();
  process.once('exit', () => {
    recorder.flushAtExit();
    if (!isReady && hasPrinted()) send({ fw: 'held' });
  });
  const loadedDrivers = watchDrivers();
  const app = new AppServers(address, (server, port) => serve(server, port, frontend, loadedDrivers()));
  servers = app;
  watchCluster((port) => app.leaveToCluster(port, () => fail(clusterError(port))));
  const flags = order.sourceFlags ?? [];
  runWorkerThreadsFromSource(flags);
  forkFromSource(flags, childPreload(address));
  explain = (error) => explainListen(describeError(error), error, address);
}

function serve(server: Server, port: number, frontend: FrontendOrder | undefined, drivers: string[]): void {
  isReady = true;
  if (frontend) reportUpgrades(server);
  connections.serve(server);
  send({ fw: 'ready', port, ...(drivers.length > 0 && { drivers }) });
}

async function boot(order: BootOrder): Promise<void> {
  prepare(order);
  servers?.start(order.replacing, order.usualPort);
  warnings.hold();
  if (order.workbench?.record === true) recorder.switch(true);
  process.argv.splice(1, Number.POSITIVE_INFINITY, order.entry, ...(order.args ?? []));
  // For the app, this is a process without an IPC channel that it could use, or that keeps the process alive.
  delete process.send;
  if (order.inspect) inspect();
  else process.channel?.unref();
  if (order.workbench) envReads = EnvReads.watch();
  process.once('beforeExit', reportUnsettled);
  try {
    await run(order);
    process.off('beforeExit', reportUnsettled);
  } catch (error) {
    process.off('beforeExit', reportUnsettled);
    if (process.listenerCount('uncaughtException') > 0) throw error;
    fail(error);
  }
}

/** Nothing is left that could go on with the app's modules. */
function reportUnsettled(): void {
  if (isReady) return;
  const title =
    'an await at the top level of a module waits for a promise that nothing settles, and so the program has ended';
  send({ fw: 'error', error: { title, frames: [], details: '' } });
}

/** The process waits for its questions, though the app waits for nothing. */
function inspect(): void {
  const watched = StartEffects.watch();
  onlyDescribe(() => {
    effects = watched.end();
    isReady = true;
    send({ fw: 'ready' });
  });
}

async function run(order: BootOrder): Promise<void> {
  if (order.unbundled) {
    followLoaded(reportLoaded);
    return void (await import(pathToFileURL(order.entry).href));
  }
  if (order.sourceFlags) {
    bundleRoot = process.cwd();
    watchRunTimeFiles(bundleRoot, order.bundle, foundRunTimeFile);
  }
  await importBundle(order, warmed);
}

/** Files that were not reported yet. */
let loaded: string[] = [];

function reportLoaded(file: string): void {
  if (loaded.length === 0)
    setImmediate(() => {
      send({ fw: 'loaded', files: loaded });
      loaded = [];
    });
  loaded.push(file);
}

/** Before it answers, the app is started again without a bundle at once; a second copy of its modules does nothing. */
function foundRunTimeFile(file: string): void {
  if (hasReportedFile) return;
  hasReportedFile = true;
  if (isReady) send({ fw: 'runTimeFile', file });
  else exitAfter({ fw: 'runTimeFile', file });
}

function joinFrontend(order: FrontendOrder): void {
  answerFromFrontend(order, (target) => recorder.ofFrontend(target));
  for (const stream of [process.stdout, process.stderr]) labelStream(stream, order.label);
}

/**
 * This process ends with the next change of the app; the supervisor does not. Strangers only hear of changes: Vite
 * has answered messages of its clients with files of the machine (CVE-2026-39363).
 */
function passToVite(request: IncomingMessage, socket: Socket, { port, key }: FrontendOrder): void {
  const isOneWay = !isOwnRequest(request);
  connections.release(socket);
  const head = headFor(request, `127.0.0.1:${port}`, [FRONTEND_FIELD, key]);
  const message: FromWorker = { fw: 'tunnel', head, isOneWay };
  channelSend?.(message, socket as never, {}, () => {});
}

function fail(error: unknown): void {
  const file = bundleRoot === undefined ? undefined : runTimeFileOf(error, bundleRoot);
  if (file !== undefined) foundRunTimeFile(file);
  exitAfter({ fw: 'error', error: explain(error) });
}

/** At once, unless the message is still being written: an exit would lose it. */
function exitAfter(message: FromWorker): void {
  send(message, () => process.exit(1));
  if (isChannelWritten()) process.exit(1);
  // What the app throws meanwhile is not printed: it has failed already.
  if (!process.hasUncaughtExceptionCaptureCallback()) process.setUncaughtExceptionCaptureCallback(() => {});
  setTimeout(() => process.exit(1), LAST_MESSAGE);
}

/** False where it is not known: Node has no public API for it. */
function isChannelWritten(): boolean {
  const key = Object.getOwnPropertySymbols(process).find(
    ({ description }) => description === 'kChannelHandle',
  );
  const channel = key && (process as unknown as Record<symbol, { writeQueueSize?: number } | null>)[key];
  return channel?.writeQueueSize === 0;
}

/** Gives the app's own signal handlers a second for a graceful shutdown, then exits. */
function endApp(): void {
  process.channel?.unref();
  servers?.drain();
  const handlers = process.listenerCount('SIGTERM');
  const interrupt = process.listenerCount('SIGINT') - 1;
  if (handlers === 0 && interrupt === 0) process.exit(0);
  // Unreferenced, so that an app that has closed everything exits at once.
  setTimeout(() => process.exit(0), 1000).unref();
  process.emit(handlers > 0 ? 'SIGTERM' : 'SIGINT', handlers > 0 ? 'SIGTERM' : 'SIGINT');
}

function openInspector(): void {
  inspector.open(0, '127.0.0.1');
  const port = Number(new URL(inspector.url() ?? '').port);
  send({ fw: 'inspector', port });
}

/** @returns a function that says whether something was held, and ends the looking */
function watchPrinted(): () => boolean {
  let isLooking = true;
  let isHeld = false;
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = function writeUnderDev(...args: unknown[]): boolean {
      if (isLooking && !isHeld) isHeld = namesHeld(String(args[0]));
      return write(...args);
    } as typeof stream.write;
  }
  return () => {
    isLooking = false;
    return isHeld;
  };
}
