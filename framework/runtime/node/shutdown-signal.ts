// Node: the signals that start a graceful shutdown.
import { THIS_RUNTIME } from '../../this-runtime.js';

/** Windows has no SIGTERM; closing the console is SIGHUP there, after which a process has 10 seconds, Ctrl+Break SIGBREAK. */
const SIGNALS_OF_WINDOWS = ['SIGHUP', 'SIGBREAK'] as const;

/**
 * Resolves to the name of the signal on Ctrl+C (SIGINT) or SIGTERM, or when the terminal is closed (SIGHUP), and on
 * Windows also on Ctrl+Break (SIGBREAK); pass it to `app.listenWithShutdown`. A second signal ends the process at once, as
 * by default, but not a SIGHUP: a shell repeats that of its terminal.
 */
export function shutdownSignal(): Promise<NodeJS.Signals> {
  const isWindows = process.platform === 'win32';
  const others = isWindows ? SIGNALS_OF_WINDOWS : endsAtHangup() ? (['SIGHUP'] as const) : [];
  const signals = ['SIGINT', 'SIGTERM', ...others] as const;
  return new Promise((resolve) => {
    const settle = (signal: NodeJS.Signals) => {
      for (const one of signals) {
        if (one === 'SIGHUP' && !isWindows) process.on(one, ignore);
        process.off(one, settle);
      }
      resolve(signal);
    };
    for (const one of signals) process.on(one, settle);
  });
}

function ignore(): void {}

/**
 * False for a process that `nohup` has started, where that can be told: a listener would undo it. Node.js itself takes all
 * signals back when it starts, so that SIGHUP would end it under `nohup` too.
 */
function endsAtHangup(): boolean {
  if (THIS_RUNTIME !== 'Bun') return THIS_RUNTIME === 'Node.js';
  try {
    const status = process.getBuiltinModule('node:fs').readFileSync('/proc/self/status', 'latin1');
    const ignored = /^SigIgn:[ \t]*([\da-f]+)$/m.exec(status)?.[1];
    return ignored !== undefined && (Number.parseInt(ignored.slice(-1), 16) & 1) === 0;
  } catch {
    // Only Linux tells it.
    return false;
  }
}
