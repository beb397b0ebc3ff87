// Watches the project and passes changes on to the supervisor.
import { relative } from 'node:path';
import { describeFiles } from '../watch/change.js';
import type { FollowedFiles } from '../watch/followed-files.js';
import { Watcher } from '../watch/watch.js';
import { changesEnvironment } from '../watch/watch-scope.js';
import type { ClientGenerator } from './client/client-generator.js';
import type { DevReport } from './dev-report.js';
import type { DevSettings } from './dev-settings.js';
import type { LiveSettings } from './live-settings.js';
import type { Supervisor } from './supervisor.js';
import type { TypeCheck } from './type-check.js';

interface Followers {
  supervisor: Supervisor;
  types: TypeCheck | undefined;
  report: DevReport;
  client: ClientGenerator;
  followed: FollowedFiles;
}

export async function followProject(
  settings: DevSettings,
  live: LiveSettings,
  { supervisor, types, report, client, followed }: Followers,
): Promise<Watcher> {
  const { root, configFile } = settings;
  let began = 0;
  const watcher = await Watcher.open({
    root,
    configFile,
    isOwn: (file) => client.isOwn(file),
    onFirst(file) {
      began = performance.now();
      types?.cancel();
      supervisor.expectChange(file);
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
    onProblem: (text) => report.warn(text),
  });
  followed.attach(watcher);
  return watcher;
}
