// `fw doctor` step by step; later steps need what earlier ones have found in order.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { AppDescription } from '../../framework/app/description/app-description.js';
import packageJson from '../../package.json' with { type: 'json' };
import { loadProject, type Project } from '../config/load.js';
import { settleSettings } from '../dev/settings/dev-settings.js';
import { GenerateReport } from '../generate/generate-report.js';
import { settleGenerate } from '../generate/generate-settings.js';
import type { Generated } from '../generate/generation.js';
import { openGeneration } from '../generate/open-generation.js';
import { packageManagerFor, runners } from '../manager/package-manager.js';
import { shorten } from '../process/app-error-lines.js';
import { envFileFaults, readEnvFile } from '../process/environment.js';
import type { StartEffect } from '../process/messages.js';
import { packageVersion } from '../process/package-root.js';
import { whyTaken } from '../process/port-free.js';
import { portOwner } from '../process/port-owner.js';
import { describeBootedApp, NotAnAppError } from '../routes/booted-app.js';
import { plainColors } from '../terminal/color.js';
import { CliError } from '../terminal/errors.js';
import { count } from '../terminal/output.js';
import type { Progress } from '../terminal/spinner.js';
import { checkFw } from './check-fw.js';
import { checkPackages, readManifest } from './check-packages.js';
import { type Finding, fault, ok, warning } from './finding.js';

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
  const settings = await attempt('entry', () => settleSettings({}, project, 'doctor'));
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
  const app = await attempt('routes', () => lookAtApp(cwd, progress));
  if ('finding' in app) yield app.finding;
  else yield* app.value;
}

async function lookAtApp(cwd: string, progress: Progress): Promise<readonly Finding[]> {
  try {
    const { root, description, effects } = await describeBootedApp(cwd, 'doctor', progress);
    const start = checkStart(effects, root);
    return [checkRoutes(description), ...(start === undefined ? [] : [start])];
  } catch (error) {
    if (error instanceof NotAnAppError) return [ok('routes', 'the app starts; it is not an App of fw')];
    throw error;
  }
}

function* environment(root: string): Generator<Finding> {
  if (!existsSync(join(root, '.env'))) {
    if (!existsSync(join(root, '.env.example'))) return;
    yield warning(
      '.env',
      '.env.example is there, and .env is not',
      `${copyCommand} .env.example .env, and fill it in`,
    );
    return;
  }
  const faults = envFileFaults(root);
  for (const fault of faults) yield warning('.env', fault, 'correct .env, and run fw doctor again');
  if (faults.length === 0) yield ok('.env', `${Object.keys(readEnvFile(root)).length} variables`);
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

interface NamedPort {
  readonly name: string;
  readonly port: number;
  readonly host: string;
}

export async function checkPorts(ports: readonly NamedPort[]): Promise<Finding[]> {
  return Promise.all(
    ports.map(async ({ name, port, host }) => {
      if ((await whyTaken(port, host)) === undefined) return ok('ports', `port ${port} is free (${name})`);
      const owner = portOwner(port);
      return warning(
        'ports',
        `port ${port} (${name}) is in use${owner === undefined ? '' : ` by ${owner}`}`,
        `stop that process, unless it is the fw dev of this app, or set another ${name} in fw.toml`,
      );
    }),
  );
}

/** @param wanted `engines.node` of the app's package.json; only ranges like `>=20.19` are compared */
export function checkNode(wanted: string | undefined, running: string = process.versions.node): Finding {
  for (const [range, whose] of [
    [packageJson.engines.node, 'fw'],
    [wanted, 'the app'],
  ] as const) {
    const least = /^>=[ ]?(\d{1,4}(?:\.\d{1,4}){0,2})$/.exec(range ?? '')?.[1];
    if (least !== undefined && isOlder(running, least)) {
      return fault(
        'node',
        `this is Node.js ${running}, and ${whose} needs ${least} or newer`,
        `install Node.js ${least.split('.')[0]} or newer`,
      );
    }
  }
  return ok('node', `Node.js ${running}`);
}

function isOlder(version: string, least: string): boolean {
  const [one, other] = [version, least].map((text) => text.split('.').map(Number));
  for (const [index, part] of (other ?? []).entries()) {
    const own = one?.[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}

const reading: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'query', 'subscription'];
const MOST_NAMED = 5;

export function checkRoutes({ routes, procedures }: AppDescription): Finding {
  const all = [
    ...routes
      // One route for all procedures of a registry, which are looked at themselves.
      .filter(({ handler }) => handler !== 'mountRpc' && handler !== 'mountMcp')
      .map((route) => ({ ...route, name: `${route.method === '*' ? 'ANY' : route.method} ${route.path}` })),
    ...procedures.map((procedure) => ({ ...procedure, method: procedure.kind, name: procedure.name })),
  ];
  const number = `${count(routes.length, 'route')} and ${count(procedures.length, 'procedure')}`;
  const guarded = all.filter(({ guards }) => guards.length > 0).length;
  if (guarded === 0) return ok('routes', `${number}, all open to anyone`);
  const open = all.filter(
    ({ method, guards, isExcepted }) =>
      guards.length === 0 && isExcepted !== true && !reading.includes(method),
  );
  if (open.length === 0) {
    return ok('routes', `${number}, ${guarded} of them for those who are signed in`);
  }
  const named = open.slice(0, MOST_NAMED).map(({ name }) => name);
  const more = open.length > MOST_NAMED ? ` and ${open.length - MOST_NAMED} more` : '';
  return warning(
    'routes',
    `anyone may call ${named.join(', ')}${more}, which may change data`,
    'guard them, or close the app with requireAuth({ except: […] }), which names what is open on purpose',
  );
}

const WHAT: Readonly<Record<StartEffect['kind'], string>> = {
  query: 'a query of the database',
  connection: 'a connection to a server',
  file: 'a change of',
  process: 'a process that is started',
  timer: 'a timer that runs',
};

/** Undefined if it does nothing of that kind. */
export function checkStart(effects: readonly StartEffect[], root: string): Finding | undefined {
  if (effects.length === 0) return undefined;
  const named = effects.slice(0, MOST_NAMED).map((effect) => textOf(effect, root));
  const more = effects.length > MOST_NAMED ? `, and ${effects.length - MOST_NAMED} more` : '';
  return warning(
    'start',
    `the app does more than describe itself before it listens, also for fw routes and fw doctor: ${named.join(', ')}${more}`,
    'move it into app.onStart(() => …), which runs only when the app begins to listen',
  );
}

function textOf({ kind, path, place }: StartEffect, root: string): string {
  const what = path === undefined ? WHAT[kind] : `${WHAT[kind]} ${relative(root, path) || path}`;
  return place === undefined ? what : `${what} (${shorten(place, root)})`;
}

/** @throws CliError if nothing can be generated */
async function checkClient(cwd: string, progress: Progress): Promise<Finding> {
  const settings = settleGenerate({ check: true }, cwd);
  const line = progress('Reading the sources');
  let result: Generated;
  try {
    const { generation, close } = await openGeneration(settings, false);
    try {
      result = await generation.run([], false, { onStep: line.say });
    } finally {
      await close();
    }
  } finally {
    line.stop();
  }
  const said: string[] = [];
  const report = new GenerateReport(settings.root, cwd, {
    colors: plainColors,
    isTTY: false,
    clear: () => {},
    print: (line) => said.push(line),
  });
  if (!result.ok) {
    report.failed(result);
    const first = said.find((line) => line.trim() !== '')?.trim() ?? 'the generation failed';
    return fault('client', first, 'run fw generate, which shows all of it');
  }
  const stale = report.stale([result.contract, ...result.client.files]);
  if (stale !== undefined) return fault('client', stale, 'run fw generate');
  return ok('client', settings.client ? 'the client is up to date' : 'the contract is up to date');
}
