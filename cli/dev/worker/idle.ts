// Whether the process still waits for something: if not, the start of the app is over.

/** What stays open without leading to anything by itself: servers, standard streams, watchers. */
const passive: ReadonlySet<string> = new Set([
  'PipeWrap',
  'TTYWrap',
  'TCPServerWrap',
  'UDPWrap',
  'SignalWrap',
  'FSEventWrap',
  'StatWatcher',
]);

/** False while timers, files, connections, threads or child processes may go on with the start. */
export function isIdle(): boolean {
  return process.getActiveResourcesInfo().every((kind) => passive.has(kind));
}
