// Ends `fw dev` with the program that runs its script: npm, pnpm and yarn leave their child alive at SIGTERM.

export interface ParentWatchOptions {
  env?: NodeJS.ProcessEnv;
  /** The parent's process id, asked again and again. */
  parent?: () => number;
  /** Milliseconds between two looks. */
  every?: number;
}

/**
 * Calls back once when the parent is gone: the system then names another one. Does nothing where no package
 * manager runs this process, because a shell may well go while its background jobs stay. Returns what ends it.
 */
export function watchParent(onGone: () => void, options: ParentWatchOptions = {}): () => void {
  const { env = process.env, parent = () => process.ppid, every = 500 } = options;
  if (env.npm_command === undefined && env.npm_lifecycle_event === undefined) return () => {};
  const first = parent();
  const timer = setInterval(() => {
    if (parent() === first) return;
    clearInterval(timer);
    onGone();
  }, every);
  timer.unref();
  return () => clearInterval(timer);
}
