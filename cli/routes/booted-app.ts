// Starts the app without opening its port, asks it what it is made of, and ends it.
import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import type { AppDescription } from '../../framework/app/description/app-description.js';
import { makeOutDir } from '../bundle/bundle-folder.js';
import { type Bundle, Bundler, loadEsbuild } from '../bundle/bundler.js';
import { loadProject } from '../config/load.js';
import { type DevSettings, settleSettings } from '../dev/dev-settings.js';
import { bootFailure, buildFailure } from '../dev/failure-text.js';
import { AskedWorkers } from '../dev/workbench/asked-workers.js';
import { workerEnvironment } from '../process/environment.js';
import { packagedFile } from '../process/packaged-program.js';
import { WorkerProcess } from '../process/worker-process.js';
import { CliError } from '../terminal/errors.js';

/** How long the app may take to call `listen`, in milliseconds. */
const patience = 20_000;
/** How long it may take to shut down afterwards, in milliseconds. */
const grace = 2000;

export interface BootedApp {
  readonly root: string;
  readonly description: AppDescription;
}

/** @throws CliError if the app cannot be built or started, or is not one of `fw` */
export async function describeBootedApp(cwd: string): Promise<BootedApp> {
  const settings = settleSettings({}, loadProject(cwd));
  const { root, entry } = settings;
  const esbuild = await loadEsbuild(root);
  const outDir = makeOutDir(root);
  const bundler = new Bundler(esbuild, root, () => entry, outDir);
  try {
    const result = await bundler.build([]);
    if (!result.ok) throw new CliError(buildFailure(result.errors).trimEnd());
    return { root, description: await describeBundle(result.bundle, settings) };
  } finally {
    await bundler.dispose();
    rmSync(outDir, { recursive: true, force: true });
  }
}

async function describeBundle(bundle: Bundle, settings: DevSettings): Promise<AppDescription> {
  const { root, entry, port, preload } = settings;
  const worker = new WorkerProcess({
    file: packagedFile('dev/worker/worker'),
    cwd: root,
    env: workerEnvironment(root, port),
    inspect: false,
    preload,
    // Standard output is for the result.
    output: 'stderr',
  });
  const asked = new AskedWorkers();
  worker.onNews = (news) => {
    if (news.fw === 'described') asked.answered(news);
  };
  const timer = setTimeout(() => worker.kill(), patience);
  try {
    const address = { address: '127.0.0.1', family: 'IPv4', port };
    const booted = await worker.boot({
      fw: 'boot',
      bundle: bundle.file,
      entry,
      address,
      allowedHosts: [],
      replacing: false,
    });
    const name = relative(root, entry);
    if (!booted.ready) throw new CliError(`the app did not start: ${bootFailure(booted, name, root)}`);
    const description = await asked.describe(worker);
    if (description !== undefined) return description;
    throw new CliError(`${name} does not listen with an App of fw, so its routes are not known`);
  } finally {
    clearTimeout(timer);
    await worker.stop(grace);
  }
}
