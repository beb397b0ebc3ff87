// What is done while a boot takes long: the app may be slow, or hang forever.

/** After this many milliseconds a boot may be hanging: a process is prepared for the change that fixes it. */
const LONG = 500;
/** After this many milliseconds of a boot, the last good worker answers until the boot is over. */
export const SLOW = 10_000;

/** Calls the steps while the boot takes long; returns its result. */
export async function watchBoot<Result>(
  boot: Promise<Result>,
  steps: { onLong(): void; onSlow(): void },
): Promise<Result> {
  const timers = [setTimeout(steps.onLong, LONG), setTimeout(steps.onSlow, SLOW)];
  try {
    return await boot;
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}
