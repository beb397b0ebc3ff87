// From what the watcher sees to what the supervisor is told.
import { dirname, join, relative } from 'node:path';
import { loadProject } from '../config/load.js';
import { CliError } from '../ui/errors.js';
import { describeFiles } from './change.js';
import type { ClientGenerator } from './client-generator.js';
import type { FollowedFiles } from './followed-files.js';
import type { Reporter } from './report.js';
import { type DevFlags, type DevSettings, settlePort } from './settings.js';
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
  flags: DevFlags,
  port: number,
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
      if (environment) noticePort(flags, settings, port, reporter);
      supervisor.change({ what: describeFiles(names), files, rebuild: true, environment, began });
    },
    onError: (error) => reporter.warn(`watching failed: ${(error as Error).message}`),
  });
  followed.attach(watcher);
  return watcher;
}

/** The port stays for the whole session: another one in fw.toml or .env counts from the next. */
function noticePort(flags: DevFlags, settings: DevSettings, port: number, reporter: Reporter): void {
  try {
    const project = loadProject(dirname(settings.configFile ?? join(settings.root, 'package.json')));
    const wanted = settlePort(flags, project);
    if (wanted !== settings.port && wanted !== port) {
      reporter.note(`the settings now say port ${wanted}: restart fw dev to use it`);
    }
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    reporter.warn(`${error.message}${error.help ? `: ${error.help}` : ''}`);
  }
}
