// The limits of the system that a watcher may meet, and how to raise them.

export interface WatchLimit {
  readonly used: string;
  readonly raise: string;
}

/** Each file and folder takes one of them on other systems than Linux. */
const openFiles = 'the number of open files is used up';

const macos: WatchLimit = {
  used: openFiles,
  raise: 'ulimit -n 65536, and if that is refused: sudo sysctl kern.maxfilesperproc=65536',
};
const elsewhere: WatchLimit = { used: openFiles, raise: 'end programs that have many files open' };
const linux: Readonly<Record<string, WatchLimit>> = {
  ENOSPC: {
    used: 'fs.inotify.max_user_watches is used up',
    raise: 'sudo sysctl fs.inotify.max_user_watches=524288',
  },
  EMFILE: {
    used: 'fs.inotify.max_user_instances, or the number of open files, is used up',
    raise: 'sudo sysctl fs.inotify.max_user_instances=1024',
  },
};

/** The limit that an error of watching is about; undefined if it is about something else. */
export function watchLimit(
  code: string | undefined,
  platform: NodeJS.Platform = process.platform,
): WatchLimit | undefined {
  if (platform === 'linux') return linux[code ?? ''];
  if (code !== 'EMFILE' && code !== 'ENFILE') return undefined;
  return platform === 'darwin' ? macos : elsewhere;
}
