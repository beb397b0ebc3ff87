// Node: the promise that a deployed server waits for before it drains.

/**
 * Resolves to the signal's name on Ctrl+C (SIGINT) or SIGTERM. A second signal ends the process at once, as
 * it does by default.
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
