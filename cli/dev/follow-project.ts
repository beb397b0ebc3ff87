// Watches the project and passes changes on to the supervisor.
import { relative } from 'node:path';
import { describeFiles } from '../watch/change.js';
import type { FollowedFiles } from '../watch/followed-files.js';
import { pollEvery } from '../watch/polling.js';
import { Watcher } from '../watch/watch.js';
import { changesEnvironment } from '../watch/watch-scope.js';
import type { ClientGenerator } from './client/client-generator.js';
import type { Frontend } from './frontend/frontend.js';
import type { DevReport } from './report/dev-report.js';
import type { DevSettings } from './settings/dev-settings.js';
import type { LiveSettings } from './settings/live-settings.js';
import type { Supervisor } from './supervisor.js';
import type { TypeCheck } from './types/type-check.js';

interface Followers {
  supervisor: Supervisor;
  frontend: Frontend | undefined;
  types: TypeCheck | undefined;
  report: DevReport;
  client: ClientGenerator;
  followed: FollowedFiles;
}

export async function followProject(
  settings: DevSettings,
  live: LiveSettings,
  { supervisor, frontend, types, report, client, followed }: Followers,
): Promise<Watcher> {
  const { root, configFile } = settings;
  pollEvery(settings.pollInterval);
  let began = 0;
  const nothing = (): void => {
    supervisor.expectNothing();
    types?.schedule();
  };
  const watcher = await Watcher.open({
    root,
    configFile,
    isOwn: (file) => client.isOwn(file),
    onFirst(file) {
      began = performance.now();
      types?.cancel();
      supervisor.expectChange(file);
    },
    onNothing: () => nothing(),
    onChange(files) {
      if (supervisor.isUpToDate(files)) return nothing();
      const environment = files.some(
        (file) => file === configFile || changesEnvironment(file, root) || followed.isLinked(file),
      );
      const names = files.map((file) => relative(root, file));
      if (environment) live.refresh();
      if (environment) frontend?.filesChanged();
      supervisor.change({ what: describeFiles(names), files, rebuild: true, environment, began });
    },
    onProblem: (text) => report.warn(text),
  });
  followed.attach(watcher);
  return watcher;
}
