// What is done while a build or a boot takes long: it may be slow, or hang forever.

/** After this many milliseconds a boot may be hanging: a process is prepared for the change that fixes it. */
const LONG = 500;
/** After this many milliseconds of a build or a boot, the last good worker answers until it is over. */
export const SLOW = 10_000;

/** Calls the steps while the work takes long; returns its result. @param slowAfter in milliseconds */
export async function watchLong<Result>(
  work: Promise<Result>,
  steps: { onLong?(): void; onSlow(): void },
  slowAfter: number = SLOW,
): Promise<Result> {
  const timers = [setTimeout(() => steps.onLong?.(), LONG), setTimeout(steps.onSlow, slowAfter)];
  try {
    return await work;
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}
