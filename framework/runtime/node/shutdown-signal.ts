// Node: the signals that start a graceful shutdown.

/** Windows has no SIGTERM; closing the console is SIGHUP there, after which a process has 10 seconds, Ctrl+Break SIGBREAK. */
const SIGNALS_OF_WINDOWS = ['SIGHUP', 'SIGBREAK'] as const;

/**
 * Resolves to the name of the signal on Ctrl+C (SIGINT) or SIGTERM, and on Windows also on Ctrl+Break (SIGBREAK) or when
 * the console is closed (SIGHUP); pass it to `app.listenWithShutdown`. A second signal ends the process at once, as by
 * default.
 */
export function shutdownSignal(): Promise<NodeJS.Signals> {
  const signals = ['SIGINT', 'SIGTERM', ...(process.platform === 'win32' ? SIGNALS_OF_WINDOWS : [])] as const;
  return new Promise((resolve) => {
    const settle = (signal: NodeJS.Signals) => {
      for (const one of signals) process.off(one, settle);
      resolve(signal);
    };
    for (const one of signals) process.on(one, settle);
  });
}
