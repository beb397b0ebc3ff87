// The child process of `fw generate`: loads the app's packages ahead of time, runs the app's program, reports its end.
import { describeError } from '../process/app-error.js';
import { importBundle } from '../process/import-bundle.js';
import { hurry, type WarmOrder, warmUp } from '../process/load-packages.js';
import { type FromWorker, isMessage, type RunOrder, type ToWorker } from '../process/messages.js';
import { exitWhenWritten } from '../terminal/exit.js';

const channelSend = process.send?.bind(process);
if (!channelSend) {
  process.stderr.write('error: this file is started by `fw generate`\n');
  process.exit(2);
}

/** The packages that this process has loaded. */
let warmed: readonly string[] = [];

process.on('disconnect', () => process.exit(0));
process.on('message', (message: unknown) => {
  if (isMessage(message)) obey(message as ToWorker);
});

function obey(message: ToWorker): void {
  if (message.fw === 'warm') void warm(message);
  else if (message.fw === 'hurry') hurry();
  else if (message.fw === 'run') void run(message);
  // Open handles of the app, such as a database connection, must not keep the command waiting.
  else if (message.fw === 'stop') void exitWhenWritten(0);
}

async function warm(order: WarmOrder): Promise<void> {
  const news = await warmUp(order);
  warmed = news.loaded;
  send(news);
}

async function run(order: RunOrder): Promise<void> {
  process.argv = [process.execPath, order.entry, order.output];
  // For the app, this is a process without an IPC channel that it could use, or that keeps the process alive.
  delete process.send;
  process.channel?.unref();
  try {
    await importBundle(order, warmed);
    send({ fw: 'ready' });
  } catch (error) {
    send({ fw: 'error', error: describeError(error) }, () => void exitWhenWritten(1));
  }
}

function send(message: FromWorker, sent: () => void = () => {}): void {
  if (process.connected) channelSend?.(message, undefined, {}, sent);
}
