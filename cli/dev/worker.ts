// The process that runs the app: it warms up, boots one bundle, serves the sockets it is handed, drains.
import inspector from 'node:inspector';
import { pathToFileURL } from 'node:url';
import { describeError } from './app-error.js';
import { type BootOrder, type FromWorker, isMessage, type ToWorker } from './messages.js';
import { touchServerPath } from './touch-server-path.js';
import { forkFromSource } from './worker-forks.js';
import { guardServers } from './worker-guard.js';
import { createIntake } from './worker-intake.js';
import { claimListen } from './worker-listen.js';
import { createOffers } from './worker-offers.js';
import { runWorkerThreadsFromSource } from './worker-threads.js';
import { warmUp } from './worker-warm.js';

const channelSend = process.send?.bind(process);
if (!channelSend) {
  process.stderr.write('error: this file is started by `fw dev`\n');
  process.exit(2);
}

const intake = createIntake(
  (socket) =>
    new Promise((sent) => {
      channelSend({ fw: 'returned' } satisfies FromWorker, socket as never, {}, () => sent());
    }),
);

const offers = createOffers();

function send(message: FromWorker): void {
  if (process.connected) channelSend?.(message, undefined, {}, () => {});
}

// The supervisor is gone, by whatever cause: nobody can reach this process any more.
process.on('disconnect', () => process.exit(0));
// A terminal sends Ctrl+C to every process of the group; the supervisor decides when a worker ends.
process.on('SIGINT', () => {});

process.on('uncaughtExceptionMonitor', (error) => {
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
    offers.hold(message.id, handle);
    send({ fw: 'got', id: message.id });
  } else if (message.fw === 'taken') {
    intake.accept(offers.take(message.id));
  } else if (message.fw === 'withdrawn') {
    offers.drop(message.id);
  } else if (message.fw === 'warm') {
    void warmUp(message.loader, message.specifiers, touchServerPath).then(send);
  } else if (message.fw === 'boot') {
    void boot(message);
  } else if (message.fw === 'drain') {
    void intake.drain().then(endApp);
    send({ fw: 'draining' });
  } else {
    endApp();
  }
}

async function boot(order: BootOrder): Promise<void> {
  guardServers(intake, order.address, order.allowedHosts);
  claimListen(order, (server) => {
    intake.serve(server);
    send({ fw: 'ready' });
  });
  runWorkerThreadsFromSource(order.entry, order.bundle);
  forkFromSource(order.entry, order.bundle);
  process.argv[1] = order.entry;
  // The app sees a plain process: no channel that it could mistake for its own, none that keeps it alive.
  delete process.send;
  process.channel?.unref();
  try {
    await import(pathToFileURL(order.bundle).href);
  } catch (error) {
    if (process.listenerCount('uncaughtException') > 0) throw error;
    fail(error);
  }
}

function fail(error: unknown): never {
  send({ fw: 'error', error: describeError(error) });
  process.exit(1);
}

/** Gives the app's own signal handlers a second to close what they hold, then ends. */
function endApp(): void {
  const handlers = process.listenerCount('SIGTERM');
  const interrupt = process.listenerCount('SIGINT') - 1;
  if (handlers === 0 && interrupt === 0) process.exit(0);
  // Unreferenced: an app that has closed everything ends at once.
  setTimeout(() => process.exit(0), 1000).unref();
  process.emit(handlers > 0 ? 'SIGTERM' : 'SIGINT', handlers > 0 ? 'SIGTERM' : 'SIGINT');
}

function openInspector(): void {
  inspector.open(0, '127.0.0.1');
  const port = Number(new URL(inspector.url() ?? '').port);
  send({ fw: 'inspector', port });
}
