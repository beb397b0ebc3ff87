// Node: the signals that start a graceful shutdown.

/**
 * Resolves to the name of the signal on Ctrl+C (SIGINT) or SIGTERM; pass it to `app.listenWithShutdown`. A second
 * signal ends the process at once, as by default.
 */
export function shutdownSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const settle = (signal: NodeJS.Signals) => {
      process.off('SIGINT', settle);
      process.off('SIGTERM', settle);
      resolve(signal);
    };
    process.on('SIGINT', settle);
    process.on('SIGTERM', settle);
  });
}
