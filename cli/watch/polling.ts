// How files are watched: by events of the system, or by looking at each file again and again.

/** Milliseconds between two looks at every file, if nothing else is set. */
export const USUAL_INTERVAL = 300;

/**
 * Looks at every file each so many milliseconds, in this process and in those that it starts, such as Vite: folders of
 * Docker, WSL2 and NFS report no events. These are the variables of chokidar.
 */
export function pollEvery(interval: number | undefined): void {
  if (interval === undefined) return;
  process.env.CHOKIDAR_USEPOLLING = 'true';
  process.env.CHOKIDAR_INTERVAL = String(interval);
}

/** The interval that is set, as chokidar reads it; undefined if files are watched by events. */
export function pollingInterval(env: NodeJS.ProcessEnv = process.env): number | undefined {
  const { CHOKIDAR_USEPOLLING: wanted = '', CHOKIDAR_INTERVAL: interval } = env;
  if (wanted === '' || /^(?:false|0)$/i.test(wanted)) return undefined;
  return Number.parseInt(interval ?? '', 10) || USUAL_INTERVAL;
}
