import { expect, it } from 'vitest';
import { watchLimit } from './watch-files.js';

it.each<[platform: NodeJS.Platform, code: string, raise: RegExp]>([
  ['linux', 'ENOSPC', /^sudo sysctl fs\.inotify\.max_user_watches=/],
  ['linux', 'EMFILE', /^sudo sysctl fs\.inotify\.max_user_instances=/],
  ['darwin', 'EMFILE', /^ulimit -n 65536, .* sudo sysctl kern\.maxfilesperproc=65536$/],
  ['win32', 'EMFILE', /^end programs/],
])('on %s, %s is raised by what the system has', (platform, code, raise) => {
  const limit = watchLimit(code, platform);
  expect(limit?.raise).toMatch(raise);
  if (platform !== 'linux') expect(`${limit?.used} ${limit?.raise}`).not.toContain('inotify');
});

it('takes no other error for a limit', () => {
  expect(watchLimit('ENOSPC', 'darwin')).toBeUndefined();
  expect(watchLimit('EPERM', 'linux')).toBeUndefined();
  expect(watchLimit(undefined, 'win32')).toBeUndefined();
});
