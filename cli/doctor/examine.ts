// `fw doctor` step by step; later steps need what earlier ones have found in order.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject, type Project } from '../config/load.js';
import { settleSettings } from '../dev/settings/dev-settings.js';
import { packageManagerFor, runners } from '../manager/package-manager.js';
import { readEnvFile } from '../process/environment.js';
import { packageVersion } from '../process/package-root.js';
import { describeBootedApp, NotAnAppError } from '../routes/booted-app.js';
import { CliError } from '../terminal/errors.js';
import type { Progress } from '../terminal/spinner.js';
import { checkClient } from './check-client.js';
import { checkFw } from './check-fw.js';
import { checkNode } from './check-node.js';
import { checkPackages } from './check-packages.js';
import { checkPorts } from './check-ports.js';
import { checkRoutes } from './check-routes.js';
import { type Finding, fault, ok, warning } from './finding.js';
import { readManifest } from './manifest.js';

/** PowerShell knows both names, and cmd one. */
const copyCommand = process.platform === 'win32' ? 'copy' : 'cp';

/** Yields each finding as soon as it is known. */
export async function* examine(cwd: string, progress: Progress): AsyncGenerator<Finding> {
  let project: Project;
  try {
    project = loadProject(cwd);
  } catch (error) {
    yield checkNode(undefined);
    yield asFault('fw.toml', error);
    return;
  }
  const { root, configFile } = project;
  const manifest = await attempt('package.json', () => readManifest(root));
  if ('finding' in manifest || manifest.value === undefined) {
    yield checkNode(undefined);
    yield 'finding' in manifest
      ? manifest.finding
      : fault('package.json', `there is none in ${root}`, 'run fw doctor in the directory of an app');
    return;
  }
  yield checkNode(manifest.value.engines.node);
  yield configFile === undefined ? ok('fw.toml', 'none: defaults apply') : ok('fw.toml', 'no faults');
  const manager = packageManagerFor(root);
  const install = `${manager} install`;
  yield* checkFw(root, manifest.value.dependencies.fw, runners[manager].join(' '), install);
  const packages = checkPackages(root, manifest.value, packageVersion(), install);
  yield* packages;
  yield* environment(root);
  const settings = await attempt('entry', () => settleSettings({}, project));
  if ('finding' in settings) {
    yield settings.finding;
    return;
  }
  const { port, host, frontend } = settings.value;
  yield* await checkPorts([
    { name: 'backend_port', port, host },
    ...(frontend ? [{ name: 'frontend_port', port: frontend.port, host: '127.0.0.1' }] : []),
  ]);
  // Without its packages, neither can be built.
  if (packages.some(({ status }) => status === 'error')) return;
  if (existsSync(join(root, 'src/generate-client.ts')) || existsSync(join(root, 'src/rpc-contract.json'))) {
    const client = await attempt('client', () => checkClient(cwd, progress));
    yield 'finding' in client ? client.finding : client.value;
  }
  const routes = await attempt('routes', () => lookAtRoutes(cwd, progress));
  yield 'finding' in routes ? routes.finding : routes.value;
}

async function lookAtRoutes(cwd: string, progress: Progress): Promise<Finding> {
  try {
    return checkRoutes((await describeBootedApp(cwd, progress)).description);
  } catch (error) {
    if (error instanceof NotAnAppError) return ok('routes', 'the app starts; it is not an App of fw');
    throw error;
  }
}

function* environment(root: string): Generator<Finding> {
  if (!existsSync(join(root, '.env.example'))) return;
  if (!existsSync(join(root, '.env'))) {
    yield warning(
      '.env',
      '.env.example is there, and .env is not',
      `${copyCommand} .env.example .env, and fill it in`,
    );
    return;
  }
  yield ok('.env', `${Object.keys(readEnvFile(root)).length} variables`);
}

type Attempt<T> = { readonly value: T } | { readonly finding: Finding };

/** An expected failure is a finding; any other one is thrown. */
async function attempt<T>(check: string, work: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { finding: asFault(check, error) };
  }
}

function asFault(check: string, error: unknown): Finding {
  if (!(error instanceof CliError)) throw error;
  return fault(check, error.message, error.help ?? 'correct it, and run fw doctor again');
}
