// A setup of the unit tests under Wine: what Wine 8 does not do, so that it is not taken for a fault of fw, and the
// tests of `not-there.ts` that would only wait until their time has passed.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { isAbsolute } from 'node:path';
import { beforeEach } from 'vitest';
import { listedFor } from './not-there.js';

// Without the options of TCP that this sets, no connection is made at all; `fetch` sets them.
Socket.prototype.setKeepAlive = function () {
  return this;
};

// There are no links: a copy stands for one to a folder elsewhere, such as a package.
const { symlinkSync } = fs;
fs.symlinkSync = (target, path, type) => {
  const isPackage =
    isAbsolute(String(target)) && fs.statSync(target, { throwIfNoEntry: false })?.isDirectory();
  if (isPackage !== true) return symlinkSync(target, path, type);
  fs.cpSync(String(target), String(path), {
    recursive: true,
    // The program of another system.
    filter: (file) => !/[\\/]esbuild[\\/]bin\b/.test(file),
  });
};
syncBuiltinESMExports();

beforeEach(({ task, skip }) => {
  const names: string[] = [task.name];
  for (let suite = task.suite; suite?.name; suite = suite.suite) names.unshift(suite.name);
  const listed = listedFor(task.file.filepath.replaceAll('\\', '/'), names.join(' '));
  skip(listed?.isWaiting === true, listed?.reason);
});
