// The process that runs the app: it warms up, boots one bundle, serves the sockets that it gets, and drains.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import inspector from 'node:inspector';
import type { Socket } from 'node:net';
import type { SourceModule } from '../../bundle/source-modules.js';
import { describeError } from '../../process/app-error.js';
import { AppModules, UnlinkedError } from '../../process/app-modules.js';
import { importBundle } from '../../process/import-bundle.js';
import { type WarmOrder, warmUp } from '../../process/load-packages.js';
import {
  type BootOrder,
  type FromWorker,
  type FrontendOrder,
  isMessage,
  modulesFlag,
  type Surroundings,
  type ToWorker,
} from '../../process/messages.js';
import { labelStream } from '../../terminal/label-lines.js';
import { awaitApp, describeApp } from './described-app.js';
import { forkFromSource } from './forks.js';
import { answerFromFrontend } from './frontend-answers.js';
import { guardServers } from './guard.js';
import { Intake } from './intake.js';
import { claimListen } from './listen.js';
import { watchDrivers } from './loaded-drivers.js';
import { createOffers } from './offers.js';
import { Recorder } from './recording/recorder.js';
import { runWorkerThreadsFromSource } from './threads.js';
import { touchApp } from './touches/app.js';
import { touchDatabase } from './touches/database.js';
import { touchSchemas } from './touches/schemas.js';
import { touchServerPath } from './touches/server-path.js';
import { headFor, reportUpgrades } from './vite-socket.js';

const channelSend = process.send?.bind(process);
if (!channelSend) {
  process.stderr.write('error: this file is started by `fw dev`\n');
  process.exit(2);
}

const intake = new Intake(
  (socket) =>
    new Promise((sent) => {
      channelSend({ fw: 'returned' } satisfies FromWorker, socket as never, {}, () => sent());
    }),
);

const touches = { before: touchServerPath, after: [touchSchemas, touchDatabase, touchApp] };
const offers = createOffers();
const recorder = new Recorder(send);
/** The packages that this process has loaded. */
let warmed: readonly string[] = [];
let isPrepared = false;
let isReplacing = false;
/** The modules of the app that this process has learned. */
let modules: AppModules | undefined;
/** Set while they run, instead of a bundle. */
let running: AppModules | undefined;
let isReady = false;

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

// Processes that the app starts get the flags of this one.
process.execArgv = process.execArgv.filter((flag) => flag !== modulesFlag);
if (process.env.FW_DEV_INSPECT === '1') openInspector();

function obey(message: ToWorker, handle: unknown): void {
  if (message.fw === 'socket') {
    offers.hold(message.id, handle);
    send({ fw: 'got', id: message.id });
  } else if (message.fw === 'taken') {
    intake.accept(offers.take(message.id));
  } else if (message.fw === 'withdrawn') {
    offers.drop(message.id);
  } else if (message.fw === 'warm') {
    void warm(message);
  } else if (message.fw === 'prepare') {
    prepare(message);
  } else if (message.fw === 'learn') {
    modules = new AppModules(message.bundle);
    modules.learn(message.modules, warmed);
  } else if (message.fw === 'link') {
    modules?.link(message.entry, message.modules, message.packages);
  } else if (message.fw === 'boot') {
    void boot(message);
  } else if (message.fw === 'record') {
    recorder.switch(message.on);
  } else if (message.fw === 'describe') {
    void describeApp(message.id).then((news) => send(news));
  } else if (message.fw === 'drain') {
    void intake
      .drain()
      .then(() => recorder.flush())
      .then(endApp);
    send({ fw: 'draining' });
  } else {
    endApp();
  }
}

async function warm(order: WarmOrder): Promise<void> {
  const news = await warmUp(order, touches);
  warmed = news.loaded;
  send(news);
}

/** What the boot can do without the bundle: a process that waits does it in advance. */
function prepare(order: Surroundings & { readonly bundle: string }): void {
  if (isPrepared) return;
  isPrepared = true;
  const { address, workbench, frontend } = order;
  guardServers(intake, address, order.allowedHosts, {
    workbench: workbench && { order: workbench, recorder },
    takeViteSocket: frontend && ((request, socket) => passToVite(request, socket, frontend)),
  });
  if (frontend) joinFrontend(frontend);
  awaitApp();
  process.once('exit', () => recorder.flushAtExit());
  const loadedDrivers = watchDrivers();
  claimListen(
    address,
    () => isReplacing,
    (server) => {
      if (running?.refresh()) return send({ fw: 'unlinked' });
      isReady = true;
      if (frontend) reportUpgrades(server);
      intake.serve(server);
      const drivers = loadedDrivers();
      send({ fw: 'ready', ...(drivers.length > 0 && { drivers }) });
    },
  );
  runWorkerThreadsFromSource(order.entry, order.bundle);
  forkFromSource(order.entry, order.bundle);
}

async function boot(order: BootOrder): Promise<void> {
  prepare(order);
  isReplacing = order.replacing;
  if (order.workbench?.record === true) recorder.switch(true);
  process.argv[1] = order.entry;
  // For the app, this is a process without an IPC channel that it could use, or that keeps the process alive.
  delete process.send;
  process.channel?.unref();
  try {
    if (order.modules) await runModules(order, order.modules);
    else await importBundle(order, warmed);
  } catch (error) {
    const isHeard = process.listenerCount('uncaughtException') > 0 && !(error instanceof UnlinkedError);
    if (isHeard) throw error;
    fail(error);
  }
}

async function runModules(order: BootOrder, changed: readonly SourceModule[]): Promise<void> {
  // A debugger that attaches by itself, as in a terminal of VS Code, finds sources by the map in a bundle.
  if (inspector.url() !== undefined) throw new UnlinkedError('a debugger is attached');
  modules ??= new AppModules(order.bundle);
  running = modules;
  subscribe('http.server.request.start', () => void running?.refresh());
  await modules.run(order.entry, changed, order.packages);
}

/**
 * In a bundle, variables exist before their modules have run, and exports of packages are always seen as they are: an
 * error of this kind is reported only if a bundle has it too.
 */
function mayBeOfModules(error: unknown): boolean {
  if (error instanceof UnlinkedError) return true;
  if (running === undefined) return false;
  return error instanceof ReferenceError || error instanceof TypeError || running.refresh();
}

function joinFrontend({ port, liveScript, label }: FrontendOrder): void {
  answerFromFrontend(port, liveScript);
  for (const stream of [process.stdout, process.stderr]) labelStream(stream, label);
}

/** This process ends with the next change of the app; the supervisor does not. */
function passToVite(request: IncomingMessage, socket: Socket, { port }: FrontendOrder): void {
  intake.release(socket);
  const message: FromWorker = { fw: 'tunnel', head: headFor(request, `127.0.0.1:${port}`) };
  channelSend?.(message, socket as never, {}, () => {});
}

function fail(error: unknown): never {
  if (!isReady && mayBeOfModules(error)) send({ fw: 'unlinked' });
  else send({ fw: 'error', error: describeError(error) });
  process.exit(1);
}

/** Gives the app's own signal handlers a second for a graceful shutdown, then exits. */
function endApp(): void {
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
