// Which signals end `fw new`, and until when.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CliError, ExitCode } from '../terminal/errors.js';
import { type Interrupt, listenForInterrupts } from './interrupt.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
/** Those that were added since. */
const added = (signal: NodeJS.Signals) =>
  process.listeners(signal).filter((one) => !before.get(signal as (typeof signals)[number])?.includes(one));

let interrupt: Interrupt;
beforeEach(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  interrupt = listenForInterrupts();
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const signal of signals) for (const listener of added(signal)) process.off(signal, listener);
});

function send(signal: NodeJS.Signals): void {
  for (const listener of added(signal)) listener.call(process, signal);
}

it.each(signals)('%s is noted, and ends the command at the next look', async (signal) => {
  await interrupt.check();
  send(signal);
  expect(interrupt.signal.aborted).toBe(true);
  const failure = await interrupt.check().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CliError);
  expect(failure).toMatchObject({ message: 'nothing was left behind', exitCode: ExitCode.cancelled });
});

it('says what was left behind, and what to do about it', async () => {
  send('SIGINT');
  const left = { message: 'the app was removed', help: 'run: npm install' };
  await expect(interrupt.check(left)).rejects.toMatchObject({ ...left, exitCode: ExitCode.cancelled });
});

it.each(signals)('%s is ignored once everything is done', async (signal) => {
  interrupt.finish();
  send(signal);
  expect(interrupt.signal.aborted).toBe(false);
  await interrupt.check();
});
