// Runs the app's modules until it would listen, asks it what it is made of, and ends it: it does not start.
import { relative } from 'node:path';
import type { Message } from 'esbuild';
import type { AppDescription } from '../../framework/app/description/app-description.js';
import type { ApiDescription } from '../../framework/rpc/api-description.js';
import { makeOutDir, removeOutDir } from '../bundle/bundle-folder.js';
import { type Bundle, Bundler } from '../bundle/bundler.js';
import { loadEsbuild } from '../bundle/load-esbuild.js';
import { loadProject } from '../config/load.js';
import { configFor, customConditions } from '../config/tsconfig.js';
import { RunMode } from '../dev/cycle/run-mode.js';
import { bootFailure } from '../dev/report/failure-text.js';
import { type DevSettings, settleSettings } from '../dev/settings/dev-settings.js';
import { Refusal } from '../dev/workbench/refusals.js';
import { WorkerQueries } from '../dev/workbench/worker-queries.js';
import { topAppPlace } from '../process/app-error-lines.js';
import { readEnvironment, workerEnvironment } from '../process/environment.js';
import { docsCommands } from '../process/error-docs.js';
import type { StartEffect } from '../process/messages.js';
import { packagedFile } from '../process/package-root.js';
import { type FailedBoot, WorkerProcess } from '../process/worker-process.js';
import { CliError } from '../terminal/errors.js';
import { count } from '../terminal/output.js';
import { noProgress, type Progress } from '../terminal/spinner.js';

/** How long the app may take to call `listen`, in milliseconds. */
const LISTEN_TIMEOUT = 60_000;
/** How long it may take to describe itself, with documents for all types, in milliseconds. */
const DESCRIBE_TIMEOUT = 60_000;
/** How long it may take to shut down afterwards, in milliseconds. */
const GRACE = 2000;

export interface BootedApp {
  readonly root: string;
  readonly description: AppDescription;
  /** What it did before it was known. */
  readonly effects: readonly StartEffect[];
}

/** The app listens with another server than that of `fw`. */
export class NotAnAppError extends CliError {}

/** What is asked of the app that has run until it would listen; undefined if it is not one of `fw`. */
type Question<Answer> = (queries: WorkerQueries, worker: WorkerProcess) => Promise<Answer | undefined>;

/**
 * @param command that was run
 * @throws CliError if the app cannot be built or started; NotAnAppError if it is not one of `fw`
 */
export async function describeBootedApp(
  cwd: string,
  command: string,
  progress: Progress = noProgress,
): Promise<BootedApp> {
  const { root, answer } = await askBootedApp(cwd, command, progress, async (queries, worker) => {
    const { app, effects } = await queries.describe(worker);
    return app && { description: app, effects };
  });
  return { root, ...answer };
}

/** What the app offers to callers. @throws CliError and NotAnAppError like `describeBootedApp` */
export async function describeBootedApi(
  cwd: string,
  command: string,
  progress: Progress = noProgress,
): Promise<{ readonly root: string; readonly entry: string; readonly api: ApiDescription }> {
  const { root, entry, answer } = await askBootedApp(cwd, command, progress, (queries, worker) =>
    queries.describeApi(worker),
  );
  return { root, entry, api: answer };
}

async function askBootedApp<Answer>(
  cwd: string,
  command: string,
  progress: Progress,
  question: Question<Answer>,
): Promise<{ readonly root: string; readonly entry: string; readonly answer: Answer }> {
  const settings = settleSettings({}, loadProject(cwd), command);
  const { root, entry } = settings;
  const esbuild = await loadEsbuild(root);
  const outDir = makeOutDir(root);
  const bundler = new Bundler(
    esbuild,
    root,
    () => entry,
    outDir,
    () => readEnvironment(root),
  );
  try {
    const line = progress('Building the app');
    // Before the app starts, whose own output would go into the line.
    const result = await bundler.build([]).finally(() => line.stop());
    if (!result.ok) throw buildError(result.errors);
    const mode = new RunMode({
      root,
      outDir,
      entry: () => entry,
      isBundled: () => settings.bundle,
      conditions: () => customConditions(configFor(root, entry)),
    });
    const starting = progress('Starting the app', 'output');
    const answer = await askBundle(result.bundle, settings, mode, question).finally(() => starting.stop());
    return { root, entry: relative(root, entry), answer };
  } finally {
    await bundler.dispose();
    removeOutDir(outDir);
  }
}

/** The first error with its place; `fw dev` shows all of them with their code. */
function buildError(errors: readonly Message[]): CliError {
  const [first] = errors;
  const at = first?.location;
  const place = at ? ` (${at.file}:${at.line}:${at.column + 1})` : '';
  const more = errors.length > 1 ? `, and ${count(errors.length - 1, 'more error')}` : '';
  return new CliError(`the build failed: ${first?.text}${place}${more}`, {
    ...(at && { help: 'fw dev shows the code around it' }),
  });
}

/** The error of the app with its place. */
function startError(boot: FailedBoot, name: string, root: string): CliError {
  const { error } = boot;
  if (error === undefined) return new CliError(`the app did not start: ${bootFailure(boot, name, root)}`);
  const [first = '', ...rest] = error.title.split('\n');
  const at = topAppPlace(error.frames, root);
  const place = at ? ` (${relative(root, at.file)}:${at.line}:${at.column})` : '';
  return new CliError([`the app did not start: ${first}${place}`, ...rest].join('\n'), {
    help: [
      ...docsCommands(error).map((command) => `see: ${command}`),
      'fw dev shows the code around it',
    ].join('; '),
  });
}

/** An app that names files at run time is started a second time, without the bundle. */
async function askBundle<Answer>(
  bundle: Bundle,
  settings: DevSettings,
  mode: RunMode,
  question: Question<Answer>,
): Promise<Answer> {
  const { root, entry, port, preload, frontend } = settings;
  const worker = new WorkerProcess({
    file: packagedFile('dev/worker/worker'),
    cwd: root,
    env: workerEnvironment(root, port),
    inspect: false,
    preload,
    flags: mode.isBundled ? [] : mode.flags,
    // Standard output is for the result.
    output: 'stderr',
  });
  const queries = new WorkerQueries(DESCRIBE_TIMEOUT);
  worker.onNews = (news) => {
    if (news.fw === 'described') queries.answered(news);
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    worker.kill();
  }, LISTEN_TIMEOUT);
  try {
    const address = { address: '127.0.0.1', family: 'IPv4', port };
    const booted = await worker.boot({
      fw: 'boot',
      bundle: bundle.file,
      packages: bundle.packages,
      sourceFlags: mode.flags,
      unbundled: !mode.isBundled,
      inspect: true,
      entry,
      address,
      allowedHosts: [],
      replacing: false,
      // As under `fw dev`, the directory of serveSpa need not be built; nothing is asked of the port.
      ...(frontend && { frontend: { ...frontend, key: '', liveScript: '', label: '' } }),
    });
    const name = relative(root, entry);
    if (isLate) throw new CliError(`${name} did not call listen within ${LISTEN_TIMEOUT / 1000} s`);
    if (!booted.ready && worker.needsSources && mode.isBundled) {
      mode.switchToSources(entry, bundle.inputs, true);
      return await askBundle(bundle, settings, mode, question);
    }
    if (!booted.ready) throw startError(booted, name, root);
    const answer = await question(queries, worker).catch((error: unknown) => {
      throw error instanceof Refusal ? new CliError(error.message, { cause: error }) : error;
    });
    if (answer !== undefined) return answer;
    throw new NotAnAppError(`${name} does not listen with an App of fw, so its routes are not known`);
  } finally {
    clearTimeout(timer);
    await worker.stop(GRACE);
  }
}
