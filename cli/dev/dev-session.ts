// One run of `fw dev`, from opening the port until the last process has exited.
import { dirname } from 'node:path';
import { isatty } from 'node:tty';
import type * as Esbuild from 'esbuild';
import { absolutePath } from '../../framework/files/absolute-path.js';
import { removeOutDir } from '../bundle/bundle-folder.js';
import { Bundler, compilerGap } from '../bundle/bundler.js';
import { loadEsbuild } from '../bundle/load-esbuild.js';
import { loadProject } from '../config/load.js';
import { configFor, customConditions } from '../config/tsconfig.js';
import { packageManagerFor } from '../manager/package-manager.js';
import { readEnvironment, workerEnvironment } from '../process/environment.js';
import { packagedFile, packageVersion } from '../process/package-root.js';
import { checkUnanswered } from '../process/port-free.js';
import { listenError } from '../process/port-owner.js';
import { makeOutDirOf } from '../process/running-dev.js';
import type { ExitCode } from '../terminal/errors.js';
import { createTerminal } from '../terminal/output.js';
import { FollowedFiles } from '../watch/followed-files.js';
import type { Watcher } from '../watch/watch.js';
import { ClientGenerator } from './client/client-generator.js';
import { ClientReport } from './client/client-report.js';
import { contractFiles, settleClient } from './client/client-settings.js';
import { manualRestart, written } from './cycle/own-changes.js';
import { RunMode } from './cycle/run-mode.js';
import { DevMigrations } from './dev-migrations.js';
import { followProject } from './follow-project.js';
import { Frontend } from './frontend/frontend.js';
import { checkFrontendPort } from './frontend/frontend-server.js';
import { type InspectProxy, openInspectProxy } from './inspect-proxy.js';
import { Listener } from './listener.js';
import { DevReport } from './report/dev-report.js';
import { networkUrls, urlHost } from './report/dev-urls.js';
import { type DevFlags, type DevSettings, settleSettings } from './settings/dev-settings.js';
import { LiveSettings } from './settings/live-settings.js';
import { Supervisor } from './supervisor.js';
import type { SupervisorOptions } from './supervisor-options.js';
import { hasKeys, keyHelp, listenForKeys } from './terminal/keys.js';
import { openBrowser } from './terminal/open-browser.js';
import { untilStopped } from './terminal/until-stopped.js';
import { onChangedProblems, TypeCheck } from './types/type-check.js';
import { CycleLog } from './workbench/cycle-log.js';
import { Workbench } from './workbench/workbench.js';
import { LIVE_SCRIPT } from './worker/failure-page.js';

/** How long the app may take to shut down at the end, in milliseconds. */
const CLOSE_GRACE = 2000;

/**
 * Runs until a signal or a key ends it; returns the exit code.
 * @throws CliError if it cannot start
 */
export async function runDev(flags: DevFlags, cwd: string = process.cwd()): Promise<ExitCode> {
  const began = performance.now();
  const settings = settleSettings(flags, loadProject(cwd));
  const esbuild = await loadEsbuild(settings.root);
  if (settings.frontend) await checkFrontendPort(settings.frontend);
  const listener = await openListener(settings).catch(async (error) => {
    throw await listenError(error, settings.port, settings.host);
  });
  let session: DevSession | undefined;
  const inspect = await openInspectProxy(settings.inspect, () => session?.inspectorPort);
  session = new DevSession({ flags, settings, esbuild, listener, inspect });
  await session.openWorkbench();
  return session.run(began);
}

/** @throws the error of `listen`, and EADDRINUSE if another program answers on the port */
async function openListener({ port, host }: DevSettings): Promise<Listener> {
  await checkUnanswered(port);
  return Listener.open(port, host);
}

interface Started {
  readonly flags: DevFlags;
  readonly settings: DevSettings;
  readonly esbuild: typeof Esbuild;
  readonly listener: Listener;
  readonly inspect: InspectProxy | undefined;
}

class DevSession {
  /** The folder of fw.toml, whose name is the same in all messages so. */
  readonly #base: string;
  readonly #settings: DevSettings;
  readonly #inspect: InspectProxy | undefined;
  readonly #port: number;
  readonly #url: string;
  readonly #outDir: string;
  readonly #terminal = createTerminal();
  readonly #log: CycleLog;
  readonly #report: DevReport;
  readonly #live: LiveSettings;
  readonly #bundler: Bundler;
  readonly #types: TypeCheck | undefined;
  readonly #followed = new FollowedFiles();
  readonly #migrations: DevMigrations;
  readonly #clientReport: ClientReport;
  readonly #client: ClientGenerator;
  readonly #listener: Listener;
  #supervisor: Supervisor | undefined;
  #workbench: Workbench | undefined;
  #frontend: Frontend | undefined;
  #isOpened: boolean;

  constructor({ flags, settings, esbuild, listener, inspect }: Started) {
    const { root } = settings;
    this.#base = settings.configFile === undefined ? root : dirname(settings.configFile);
    this.#settings = settings;
    this.#listener = listener;
    this.#inspect = inspect;
    this.#port = listener.address.port;
    this.#url = `http://${urlHost(settings.host)}:${this.#port}`;
    this.#outDir = makeOutDirOf(root, this.#url);
    this.#log = new CycleLog(root);
    this.#report = new DevReport(this.#terminal, root, this.#log);
    this.#live = new LiveSettings(flags, settings, this.#port, this.#report, () => this.#printPage());
    this.#bundler = new Bundler(
      esbuild,
      root,
      () => this.#live.entry,
      this.#outDir,
      () => this.#environment,
    );
    const verdict = onChangedProblems((problems) => this.#report.types(problems));
    this.#types = TypeCheck.of(root, settings.frontend?.folder, dirname(this.#outDir), verdict);
    this.#clientReport = new ClientReport(root, this.#terminal, (what, lines) =>
      this.#log.client(what, lines),
    );
    this.#client = this.#clientGenerator();
    this.#isOpened = !settings.open;
    this.#migrations = new DevMigrations({
      report: this.#report,
      live: () => this.#supervisor?.live,
      runScript: `${packageManagerFor(root)} run`,
      hasKeys,
    });
  }

  get inspectorPort(): number | undefined {
    return this.#supervisor?.live?.inspectorPort;
  }

  /** Without a place for its pipe, there is no page about the app; the app is served as usual. */
  async openWorkbench(): Promise<void> {
    try {
      this.#workbench = await Workbench.open({
        version: packageVersion(),
        name: this.#settings.name,
        url: this.#url,
        entry: this.#settings.entry,
        log: this.#log,
        address: this.#listener.address,
        environment: () => this.#environment,
        configFile: this.#settings.configFile,
        contract: () => contractFiles(this.#settings.root, this.#base),
        note: (text) => this.#report.note(text),
        isTokenRequired: () => this.#live.isTokenRequired,
        migrations: this.#migrations,
      });
    } catch (error) {
      this.#report.warn(`there is no page about the app: ${(error as Error).message}`);
    }
  }

  async run(began: number): Promise<ExitCode> {
    this.#banner();
    // Before any process is started: at its exit, Node restores the mode that the terminal had at its start.
    const stopped = untilStopped((quit) => this.#listenForKeys(quit));
    this.#frontend = this.#startFrontend();
    const supervisor = new Supervisor(this.#supervisorOptions());
    this.#supervisor = supervisor;
    supervisor.change({ what: 'started', files: [], rebuild: true, environment: false, began });
    const watcher = this.#settings.watch ? await this.#follow(supervisor) : undefined;
    const code = await stopped;
    await watcher?.close();
    this.#types?.cancel();
    this.#inspect?.close();
    await Promise.all([supervisor.close(CLOSE_GRACE), this.#client.close(), this.#frontend?.close()]);
    this.#workbench?.close();
    await this.#bundler.dispose();
    removeOutDir(this.#outDir);
    return code;
  }

  #follow(supervisor: Supervisor): Promise<Watcher> {
    // Only now, so that it does not delay the first answer.
    void supervisor.idle().then(() => this.#client.start());
    return followProject(this.#settings, this.#live, {
      supervisor,
      frontend: this.#frontend,
      types: this.#types,
      report: this.#report,
      client: this.#client,
      followed: this.#followed,
    });
  }

  #startFrontend(): Frontend | undefined {
    const { frontend: settings, root } = this.#settings;
    if (settings === undefined) return undefined;
    const frontend = new Frontend({
      settings,
      terminal: this.#terminal,
      env: readEnvironment(root),
      hasLiveScript: this.#workbench !== undefined,
      hasKeys,
      warn: (text) => this.#report.warn(text),
      onChange: () => this.#types?.schedule(),
    });
    frontend.start();
    return frontend;
  }

  #clientGenerator(): ClientGenerator {
    const { root } = this.#settings;
    return new ClientGenerator({
      root,
      settle: () => settleClient(root, this.#base),
      report: this.#clientReport,
      known: () => this.#live.problem,
      onInputs: (files) => this.#followed.addFiles(files),
      onLateContract: (files) => this.#supervisor?.change(written(files, root)),
    });
  }

  #supervisorOptions(): SupervisorOptions {
    const { root, watch, args } = this.#settings;
    return {
      root,
      args,
      entry: () => this.#live.entry,
      outDir: this.#outDir,
      mode: new RunMode({
        root,
        outDir: this.#outDir,
        entry: () => this.#live.entry,
        isBundled: () => this.#live.bundle,
        conditions: () => customConditions(configFor(root, this.#live.entry)),
      }),
      listener: this.#listener,
      bundler: this.#bundler,
      report: this.#report,
      ...(this.#workbench && { workbench: this.#workbench }),
      frontend: this.#frontend,
      allowedHosts: () => this.#live.allowedHosts,
      workerOptions: () => ({
        file: packagedFile('dev/worker/worker'),
        cwd: root,
        env: this.#environment,
        inspect: this.#inspect !== undefined,
        preload: this.#live.preload,
        // The keys of a terminal are for this process.
        hasInput: !isatty(0),
      }),
      exclusive: () => this.#live.exclusive,
      warm: watch,
      // A debugger shows sources by the map in a bundle.
      generate: (change) => this.#client.generate(change),
      onBundle: (bundle) => this.#followed.addBundle(bundle),
      onLoaded: (files) => this.#followed.addFiles(files.map((file) => absolutePath(file))),
      onFailedBuild: (files) => this.#followed.addFiles(files),
      onReady: () => this.#ready(),
      onMigrations: (worker, news) => this.#migrations.hear(worker, news),
    };
  }

  get #environment(): NodeJS.ProcessEnv {
    const env = workerEnvironment(this.#settings.root, this.#port);
    return this.#workbench === undefined ? env : { ...env, FW_LIVE_SCRIPT: LIVE_SCRIPT };
  }

  #ready(): void {
    this.#migrations.started();
    this.#clientReport.show();
    if (!this.#isOpened) this.#openBrowser();
    this.#isOpened = true;
    this.#types?.schedule();
  }

  #openBrowser(path = ''): void {
    openBrowser(`${this.#url}${path}`, (text) => this.#report.note(text));
  }

  /** The address of the page about the app. */
  get #page(): string | undefined {
    const token = this.#live.isTokenOfUse ? this.#workbench?.pageToken : undefined;
    return this.#workbench && `${this.#url}/_fw/${token === undefined ? '' : `?token=${token}`}`;
  }

  /** On the terminal alone: the page shows what is reported. */
  #printPage(): void {
    this.#terminal.print(`  ${this.#page}`);
  }

  /** Without the token: every user of the machine sees the arguments of programs. */
  #openPage(): void {
    if (this.#live.isTokenOfUse) this.#printPage();
    this.#openBrowser('/_fw/');
  }

  #banner(): void {
    const { name, root, host, watch } = this.#settings;
    this.#report.banner({
      version: packageVersion(),
      name,
      urls: [this.#url, ...networkUrls(host, this.#port)],
      page: this.#page,
      inspect: this.#inspect?.port,
      keys: hasKeys(),
    });
    const gap = compilerGap(root, this.#live.entry);
    if (gap) this.#report.warn(gap);
    this.#live.checkEnvFile();
    if (!watch) this.#report.note('fw.toml sets hot_reload = false: changes are not watched');
  }

  #listenForKeys(quit: () => void): () => void {
    return listenForKeys({
      restart: () => {
        this.#live.refresh();
        this.#frontend?.start();
        this.#supervisor?.change(manualRestart());
      },
      open: () => this.#openBrowser(),
      workbench: () => this.#openPage(),
      migrate: () => this.#migrations.run(),
      clear: () => {
        this.#terminal.clear();
        this.#banner();
      },
      quit,
      help: () => this.#terminal.print(keyHelp.join('\n')),
    });
  }
}
