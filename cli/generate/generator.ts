// The child process of `fw dev` that generates the client: inference blocks a process, and that of the port must not
// be blocked.

import { ClientReader } from '../../framework/client/read-client.js';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import { isMessage } from '../process/messages.js';
import type { GenerateSettings } from './generate-settings.js';
import { wasCancelled } from './generation.js';
import { type OpenGeneration, openGeneration } from './open-generation.js';
import { type FromGenerator, type GenerateOrder, type Outcome, outcomeOf } from './outcome.js';

if (!process.send) {
  process.stderr.write('error: this file is started by `fw dev`\n');
  process.exit(2);
}

const settings = JSON.parse(process.argv[2] ?? '') as GenerateSettings;
const reader = new ClientReader();
let opened: OpenGeneration | undefined;
let working: Promise<void> = Promise.resolve();

// The dev server has exited, or does not need this process any more.
process.on('disconnect', () => void end());
process.on('message', (message: unknown) => {
  if (!isMessage(message)) return;
  if (message.fw === 'newer') opened?.generation.cancel();
  else working = working.then(() => generate((message as GenerateOrder).changed));
});

async function generate(changed: readonly AbsolutePath[]): Promise<void> {
  const outcome = await run(changed).catch(problemOf);
  send({ fw: 'generated', outcome, inputs: opened?.generation.inputs ?? [] });
}

async function run(changed: readonly AbsolutePath[]): Promise<Outcome> {
  opened ??= await openGeneration(settings, true);
  const { generation } = opened;
  if (!generation.concerns(changed)) return { ok: true, isUnaffected: true };
  const result = await generation.run(changed, true, {
    onWrite: (file, text) => send({ fw: 'writes', file, text }),
    onContract: (isWritten) => send({ fw: 'contract', written: isWritten ? [settings.contract] : [] }),
  });
  return wasCancelled(result) ? { ok: true, isUnaffected: true } : outcomeOf(result, reader);
}

function problemOf(error: unknown): Outcome {
  return { ok: false, problem: error instanceof Error ? error.message : String(error) };
}

function send(message: FromGenerator): void {
  if (process.connected) process.send?.(message, undefined, {}, () => {});
}

async function end(): Promise<void> {
  await opened?.close();
  process.exit(0);
}
