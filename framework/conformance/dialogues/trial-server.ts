// Hostile dialogues: the process that they talk to, started by the test so that its end is seen.
import { channel } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { App, toNodeHandler } from '../../index.js';
import { logger } from '../../middleware/index.js';
import { subscribe } from '../../tracing/index.js';
import type { Ports } from './dialogue.js';
import { at, type Misbehaviour, misbehave, runs } from './misbehaviour.js';
import { addAccess } from './trial-access.js';
import { addRoutes } from './trial-routes.js';
import { addRpc } from './trial-rpc.js';
import { addSockets } from './trial-sockets.js';

/** What the test asks for. */
export type Order =
  | { readonly misbehave: Misbehaviour | null }
  | { readonly report: true }
  | { readonly close: true };

/** What it is told. */
export interface Report {
  /** The servers, by what they are. */
  readonly ports?: Ports;
  readonly runs?: Readonly<Record<string, number>>;
  /** The connections that are open, each with what says why. */
  readonly openSockets?: readonly string[];
}

subscribe(() => at('subscriber', () => {}));
subscribe(async () => at('asynchronous subscriber', async () => {}));

/** An App with everything. Servers of their own Apps, because an App belongs to one. */
function trialApp(): App {
  const app = new App().use(logger()).maxBodySize(100_000).shutdownGracePeriod(300);
  app.onClose(() => at('onClose', () => {}));
  return addSockets(addRpc(addAccess(addRoutes(app))));
}

const own = await trialApp().listen(0);
const timed = await trialApp().requestTimeout(25).listen(0);
const inner = trialApp();
const mounting = await new App()
  .requestTimeout(10_000)
  .route('/in', bare())
  .mount('/fetch', inner.fetch)
  .listen(0);
const handler = toNodeHandler(trialApp());
const foreign = createServer(handler).on('upgrade', handler.upgrade);
await new Promise<void>((resolve) => void foreign.listen(0, '127.0.0.1', resolve));

/** A mounted App has no settings of servers. */
function bare(): App {
  return addSockets(addRpc(addAccess(addRoutes(new App()))));
}

const sockets = new Set<Socket>();
channel('net.server.socket').subscribe((message) => {
  const { socket } = message as { readonly socket: Socket };
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
});

/** What says why a connection is open. */
const SHOWN = [
  'localPort',
  'bytesRead',
  'bytesWritten',
  'readyState',
  'readableFlowing',
  'readableLength',
  'writableLength',
] as const;

function openSockets(): string[] {
  return Array.from(sockets, (socket) =>
    JSON.stringify(Object.fromEntries(SHOWN.map((name) => [name, socket[name]]))),
  );
}

function obey(order: Order): Report {
  if ('misbehave' in order) misbehave(order.misbehave ?? undefined);
  if ('close' in order) void close();
  if (!('report' in order)) return {};
  return { runs: runs(), openSockets: openSockets() };
}

async function close(): Promise<void> {
  handler.closeWebSockets();
  foreign.close();
  foreign.closeAllConnections();
  await Promise.all([own, timed, mounting].map((server) => server.close()));
  process.disconnect();
}

process.on('message', (order: Order) => process.send?.(obey(order)));
const { port } = foreign.address() as AddressInfo;
process.send?.({ ports: { own: own.port, timed: timed.port, mounting: mounting.port, foreign: port } });
