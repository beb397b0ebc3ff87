// From what the watcher sees to what the supervisor is told.
import { relative } from 'node:path';
import { describeFiles } from './change.js';
import type { ClientGenerator } from './client-generator.js';
import type { FollowedFiles } from './followed-files.js';
import type { LiveSettings } from './live-settings.js';
import type { Reporter } from './report.js';
import type { DevSettings } from './settings.js';
import type { Supervisor } from './supervisor.js';
import type { TypeCheck } from './type-check.js';
import { type Watcher, watchProject } from './watch.js';
import { changesEnvironment } from './watch-scope.js';

interface Followers {
  supervisor: Supervisor;
  types: TypeCheck | undefined;
  reporter: Reporter;
  client: ClientGenerator;
  followed: FollowedFiles;
}

export async function followProject(
  settings: DevSettings,
  live: LiveSettings,
  { supervisor, types, reporter, client, followed }: Followers,
): Promise<Watcher> {
  const { root, configFile } = settings;
  let began = 0;
  const watcher = await watchProject({
    root,
    configFile,
    isOwn: client.isOwn,
    onFirst() {
      began = performance.now();
      types?.cancel();
      supervisor.expectChange();
    },
    onNothing: () => supervisor.expectNothing(),
    onChange(files) {
      const environment = files.some(
        (file) => file === configFile || changesEnvironment(file, root) || followed.isLinked(file),
      );
      const names = files.map((file) => relative(root, file));
      if (environment) live.refresh();
      supervisor.change({ what: describeFiles(names), files, rebuild: true, environment, began });
    },
    onProblem: reporter.warn,
  });
  followed.attach(watcher);
  return watcher;
}
