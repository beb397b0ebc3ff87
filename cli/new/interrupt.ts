// Records Ctrl+C and SIGTERM while the app is being created, so that what was written can be removed before the exit.
import { setImmediate } from 'node:timers/promises';
import { CliError, ExitCode } from '../terminal/errors.js';

export interface Interrupt {
  readonly signal: AbortSignal;
  /**
   * Throws if a signal has arrived; waits for one turn, so that a pending signal is noticed.
   * @param left what was left behind, and what to do about it
   */
  check(left?: Left): Promise<void>;
  /** Ignores signals from now on: everything is done, and the process is about to exit. */
  finish(): void;
}

export interface Left {
  readonly message: string;
  readonly help: string;
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
    async check(left) {
      await setImmediate();
      if (!controller.signal.aborted) return;
      const { message = 'nothing was left behind', help } = left ?? {};
      throw new CliError(message, { exitCode: ExitCode.cancelled, ...(help !== undefined && { help }) });
    },
    finish() {
      finished = true;
    },
  };
}
