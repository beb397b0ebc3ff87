// Windows refuses to rename, replace or remove a file that another program has open: an editor, a virus scanner, or a
// compiler that reads it. Such programs are done within milliseconds.

const busy: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY'];

/** Milliseconds between the tries, in all about a second. */
const pauses: readonly number[] = [10, 20, 40, 80, 160, 320, 640];

/** The result of the work, which is tried again on Windows while a file is in use. @throws what its last try throws */
export async function retryBusy<Result>(
  work: () => Promise<Result>,
  platform: NodeJS.Platform = process.platform,
): Promise<Result> {
  for (const pause of pauses) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error, platform)) throw error;
      await new Promise((settle) => setTimeout(settle, pause));
    }
  }
  return work();
}

/** The same for work that nothing may come between. */
export function retryBusySync<Result>(
  work: () => Result,
  platform: NodeJS.Platform = process.platform,
): Result {
  for (const pause of pauses) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error, platform)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
  return work();
}

function isBusy(error: unknown, platform: NodeJS.Platform): boolean {
  return platform === 'win32' && busy.includes((error as NodeJS.ErrnoException | undefined)?.code);
}
