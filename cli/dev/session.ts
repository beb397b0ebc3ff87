// One run of `fw dev`, from the open port to the last process gone.
import { readFileSync, rmSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { loadProject } from '../config/load.js';
import { ExitCode } from '../ui/errors.js';
import { packageRoot } from '../ui/package-root.js';
import { packagedFile } from '../ui/packaged-file.js';
import { compilerGap, createBundler, loadEsbuild } from './bundler.js';
import type { Change } from './change.js';
import { createClientGenerator } from './client-generator.js';
import { ClientReport } from './client-report.js';
import { settleClient } from './client-settings.js';
import { workerEnvironment } from './environment.js';
import { followProject } from './follow-project.js';
import { createFollowedFiles } from './followed-files.js';
import { type InspectProxy, openInspectProxy } from './inspect-proxy.js';
import { listenForKeys } from './keys.js';
import { type Listener, openListener } from './listener.js';
import { createLiveSettings } from './live-settings.js';
import { openBrowser } from './open-browser.js';
import { makeOutDir } from './out-dir.js';
import { watchParent } from './parent-watch.js';
import { listenError } from './port-owner.js';
import { createReporter, type Reporter } from './report.js';
import { type DevFlags, type DevSettings, settleSettings } from './settings.js';
import { createSupervisor, type Supervisor } from './supervisor.js';
import { createTerminal } from './terminal.js';
import { createTypeCheck } from './type-check.js';
import type { Watcher } from './watch.js';

/** How long the app may take to close what it holds at the end, in milliseconds. */
const closeGrace = 2000;

/** Runs until a signal or a key ends it; gives the exit code. Throws `CliError` for a failed start. */
export async function runDev(flags: DevFlags, cwd: string = process.cwd()): Promise<ExitCode> {
  const began = performance.now();
  const settings = settleSettings(flags, loadProject(cwd));
  const esbuild = await loadEsbuild(settings.root);
  const listener = await openListener(settings.port, settings.host).catch(async (error) => {
    throw await listenError(error, settings.port, settings.host);
  });
  let supervisor: Supervisor | undefined;
  const inspect = await openInspector(settings, listener, () => supervisor?.live?.inspectorPort);
  const outDir = makeOutDir(settings.root);
  const terminal = createTerminal();
  const reporter = createReporter(terminal, settings.root);
  const bundler = createBundler(esbuild, settings.root, () => live.entry, outDir);
  const port = listener.address.port;
  const live = createLiveSettings(flags, settings, port, reporter);
  const types = createTypeCheck(settings.root, dirname(outDir), typeVerdicts(reporter));
  const url = `http://${urlHost(settings.host)}:${port}`;
  let watcher: Watcher | undefined;
  const followed = createFollowedFiles();
  const clientReport = new ClientReport(settings.root, terminal);
  const client = createClientGenerator({
    root: settings.root,
    settle: () => settleClient(settings.root, cwd),
    report: clientReport,
    onInputs: followed.addFiles,
    onLateContract: (files) => supervisor?.change(written(files, settings.root)),
  });
  let isOpened = !settings.open;
  const openOnce = (): void => {
    if (!isOpened) openBrowser(url, reporter.note);
    isOpened = true;
  };

  banner();
  // Before any process is started: Node puts the terminal back, as it ends, into the mode that it began in.
  const stopped = untilStopped();
  supervisor = createSupervisor({
    root: settings.root,
    entry: () => live.entry,
    outDir,
    listener,
    bundler,
    reporter,
    allowedHosts: () => live.allowedHosts,
    workerOptions: () => ({
      file: packagedFile('dev/worker'),
      cwd: settings.root,
      env: workerEnvironment(settings.root, port),
      inspect: inspect !== undefined,
      preload: live.preload,
    }),
    warm: settings.watch,
    generate: client.generate,
    onBundle: followed.addBundle,
    onFailedBuild: followed.addFiles,
    onReady() {
      clientReport.show();
      openOnce();
      types?.schedule();
    },
  });
  supervisor.change({ what: 'started', files: [], rebuild: true, environment: false, began });
  // Not sooner: the first answer comes first.
  if (settings.watch) void supervisor.idle().then(client.start);
  if (settings.watch)
    watcher = await followProject(settings, live, { supervisor, types, reporter, client, followed });
  const code = await stopped;
  await watcher?.close();
  types?.cancel();
  inspect?.close();
  await Promise.all([supervisor.close(closeGrace), client.close()]);
  await bundler.dispose();
  rmSync(outDir, { recursive: true, force: true });
  return code;

  function banner(): void {
    const urls = [url, ...networkUrls(settings.host, port)];
    reporter.banner({
      version: fwVersion(),
      name: settings.name,
      urls,
      inspect: inspect?.port,
      keys: process.stdin.isTTY === true,
    });
    const gap = compilerGap(settings.root);
    if (gap) reporter.warn(gap);
    if (!settings.watch) reporter.note('fw.toml sets hot_reload = false: changes are not watched');
  }

  function untilStopped(): Promise<ExitCode> {
    return new Promise((resolve) => {
      const restoreKeys = listenForKeys({
        restart() {
          live.refresh();
          supervisor?.change(manualRestart());
        },
        open: () => openBrowser(url, reporter.note),
        clear: () => {
          terminal.clear();
          banner();
        },
        quit: () => end(ExitCode.done),
        help: () => {
          for (const line of keyHelp) terminal.print(line);
        },
      });
      let ended = false;
      const end = (exit: ExitCode): void => {
        // The second signal does not wait for the app.
        if (ended) process.exit(exit);
        ended = true;
        restoreKeys();
        resolve(exit);
      };
      process.on('SIGINT', () => end(ExitCode.cancelled));
      process.on('SIGTERM', () => end(ExitCode.done));
      process.on('SIGHUP', () => end(ExitCode.done));
      watchParent(() => end(ExitCode.done));
    });
  }
}

const keyHelp = [
  '',
  '  r  restart with a fresh build',
  '  o  open the app in a browser',
  '  c  clear the screen',
  '  q  quit (so does Ctrl+C)',
  '  h  this help',
  '',
];

function manualRestart(): Change {
  return {
    what: 'restarted',
    files: [],
    rebuild: true,
    environment: true,
    atOnce: true,
    began: performance.now(),
  };
}

function written(files: string[], root: string): Change {
  const what = `${files.map((file) => relative(root, file)).join(', ')} written`;
  return { what, files, rebuild: true, environment: false, began: performance.now() };
}

async function openInspector(
  settings: DevSettings,
  listener: Listener,
  target: () => number | undefined,
): Promise<InspectProxy | undefined> {
  if (settings.inspect === undefined) return undefined;
  try {
    return await openInspectProxy(settings.inspect, target);
  } catch (error) {
    listener.close();
    throw error;
  }
}

function typeVerdicts(reporter: Reporter): Parameters<typeof createTypeCheck>[2] {
  let last = '[]';
  return function report(problems) {
    const verdict = JSON.stringify(problems);
    if (verdict === last) return;
    last = verdict;
    if (problems.length === 0) reporter.typesClean();
    else reporter.typeErrors(problems, problems.length);
  };
}

function fwVersion(): string {
  return JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')).version;
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function networkUrls(host: string, port: number): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((address) => address.family === 'IPv4' && !address.internal)
    .map((address) => `http://${address.address}:${port}`);
}
