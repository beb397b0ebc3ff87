// The child of `fw generate`: loads the app's packages ahead of time, runs the app's program, says how it ended.
import { pathToFileURL } from 'node:url';
import { describeError } from '../dev/app-error.js';
import { type FromWorker, isMessage, type RunOrder, type ToWorker } from '../dev/messages.js';
import { warmUp } from '../dev/worker-warm.js';
import { touchRegistry } from './touch-registry.js';

const channelSend = process.send?.bind(process);
if (!channelSend) {
  process.stderr.write('error: this file is started by `fw generate`\n');
  process.exit(2);
}

process.on('disconnect', () => process.exit(0));
process.on('message', (message: unknown) => {
  if (isMessage(message)) obey(message as ToWorker);
});

function obey(message: ToWorker): void {
  if (message.fw === 'warm') void warm(message.loader, message.specifiers);
  else if (message.fw === 'run') void run(message);
  // Open handles of the app, such as a database, must not keep the command waiting.
  else if (message.fw === 'stop') process.exit(0);
}

async function warm(loader: string, specifiers: string[]): Promise<void> {
  const warmed = await warmUp(loader, specifiers);
  try {
    const { load } = await import(pathToFileURL(loader).href);
    if (warmed.fw === 'warmed') await touchRegistry(load, warmed.loaded);
  } catch {
    // Another version of a package than this was written for: then the run is the first to touch it.
  }
  send(warmed);
}

async function run({ bundle, entry, output }: RunOrder): Promise<void> {
  process.argv = [process.execPath, entry, output];
  // The app sees a plain process: no channel that it could mistake for its own, none that keeps it alive.
  delete process.send;
  process.channel?.unref();
  try {
    await import(pathToFileURL(bundle).href);
    send({ fw: 'ready' });
  } catch (error) {
    send({ fw: 'error', error: describeError(error) }, () => process.exit(1));
  }
}

function send(message: FromWorker, sent: () => void = () => {}): void {
  if (process.connected) channelSend?.(message, undefined, {}, sent);
}
