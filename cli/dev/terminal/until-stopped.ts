// Waits for what ends `fw dev`: a key, a signal, or the end of the package manager that runs it.
import { watchParent } from '../../process/parent-watch.js';
import { ExitCode } from '../../terminal/errors.js';

/** @param listenForKeys calls back when a key ends the session; returns a function that restores the terminal */
export function untilStopped(listenForKeys: (quit: () => void) => () => void): Promise<ExitCode> {
  return new Promise((resolve) => {
    const restoreKeys = listenForKeys(() => end(ExitCode.done));
    let ended = false;
    const end = (exit: ExitCode): void => {
      // The second signal does not wait for the app.
      if (ended) process.exit(exit);
      ended = true;
      restoreKeys();
      resolve(exit);
    };
    process.on('SIGINT', () => end(ExitCode.cancelled));
    process.on('SIGTERM', () => end(ExitCode.done));
    process.on('SIGHUP', () => end(ExitCode.done));
    watchParent(() => end(ExitCode.done));
  });
}
