// What is done for a boot that takes long: it may be slow, or hang for ever.

/** A boot longer than this may hang: the process for the change that mends it is made ready, in milliseconds. */
const long = 500;
/** A boot longer than this lets the last good worker answer meanwhile, in milliseconds. */
export const slow = 10_000;

/** Follows one boot until it has ended, well or badly. */
export async function watchBoot<Result>(
  boot: Promise<Result>,
  steps: { onLong(): void; onSlow(): void },
): Promise<Result> {
  const timers = [setTimeout(steps.onLong, long), setTimeout(steps.onSlow, slow)];
  try {
    return await boot;
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}
