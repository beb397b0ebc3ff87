// Ctrl+C and SIGTERM while something half-made exists: noted here, so that the run can take it back first.
import { setImmediate } from 'node:timers/promises';
import { CliError, ExitCode } from '../ui/errors.js';

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Throws when a signal has come; lets one that is pending come first. */
  check(): Promise<void>;
  /** From here on a signal changes nothing: all is done, and the process is about to end by itself. */
  finish(): void;
}

const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export function listenForInterrupts(): Interrupt {
  const controller = new AbortController();
  let finished = false;
  const abort = (): void => {
    if (finished) return;
    // The terminal shows ^C where the cursor is.
    if (process.stderr.isTTY && !controller.signal.aborted) process.stderr.write('\n');
    controller.abort();
  };
  for (const signal of signals) process.on(signal, abort);
  return {
    signal: controller.signal,
    async check() {
      await setImmediate();
      if (controller.signal.aborted)
        throw new CliError('nothing was left behind', { exitCode: ExitCode.cancelled });
    },
    finish() {
      finished = true;
    },
  };
}
