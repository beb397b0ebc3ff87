// Ends `fw dev` together with the package manager that runs it: npm, pnpm and yarn leave their child running at
// SIGTERM.

import { isRunning } from '../bundle/bundle-folder.js';

export interface ParentWatchOptions {
  env?: NodeJS.ProcessEnv;
  /** Returns the parent's process id; called periodically. */
  parent?: () => number;
  /** Milliseconds between two calls of `parent`. */
  every?: number;
  platform?: NodeJS.Platform;
  /** Whether a process is running. */
  isAlive?: (pid: number) => boolean;
}

/**
 * Calls back once when the parent has exited: the system then reports another parent, except for Windows. Does nothing if no package
 * manager runs this process, because background jobs may outlive their shell. Returns a function that stops it.
 */
export function watchParent(onGone: () => void, options: ParentWatchOptions = {}): () => void {
  const { env = process.env, parent = () => process.ppid, every = 500 } = options;
  const { platform = process.platform, isAlive = isRunning } = options;
  if (env.npm_command === undefined && env.npm_lifecycle_event === undefined) return () => {};
  const first = parent();
  const timer = setInterval(() => {
    if (parent() === first && (platform !== 'win32' || isAlive(first))) return;
    clearInterval(timer);
    onGone();
  }, every);
  timer.unref();
  return () => clearInterval(timer);
}
