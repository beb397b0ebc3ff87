// Determines the settings of one session of `fw dev`: flags before variables before fw.toml before defaults.
import { existsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { type AbsolutePath, absolutePath } from '../../../framework/files/absolute-path.js';
import type { Project } from '../../config/load.js';
import { BLOCKED_REASON, isBlockedPort } from '../../process/blocked-port.js';
import { readEnvironment } from '../../process/environment.js';
import { checkPreload } from '../../process/preload.js';
import { CliError, UsageError } from '../../terminal/errors.js';
import { type FrontendSettings, settleFrontend } from '../frontend/frontend-settings.js';
import { isLoopback } from '../worker/host-rule.js';
import { checkAllowedHosts } from './allowed-hosts.js';

/** The flags as commander returns them: strings, not yet validated. */
export interface DevFlags {
  port?: string;
  host?: string;
  inspect?: string | true;
  allowedHost?: string[];
  preload?: string[];
  open?: boolean;
  /** The arguments of the app. */
  args?: readonly string[];
}

export interface DevSettings {
  root: AbsolutePath;
  configFile: AbsolutePath | undefined;
  name: string;
  entry: AbsolutePath;
  port: number;
  host: string;
  inspect: number | undefined;
  allowedHosts: string[];
  /** Whether others than this machine may ask: then the page about the app is printed with its token. */
  isOpened: boolean;
  /** Whether the page about the app needs its token on this machine, too. */
  workbenchToken: boolean;
  preload: string[];
  /** The arguments of the app. */
  args: readonly string[];
  open: boolean;
  watch: boolean;
  /** Milliseconds between two looks at each file; undefined if the system reports changes. */
  pollInterval: number | undefined;
  /** Whether the old process of the app ends before the new one starts. */
  exclusive: boolean;
  /** Whether the app runs as a bundle, until it names files at run time. */
  bundle: boolean;
  frontend: FrontendSettings | undefined;
}

const entryNames = ['src/main.ts', 'src/main.mts', 'src/main.tsx', 'src/main.js', 'src/main.mjs'];

/** What apps of other frameworks call that file. */
const usualEntries = ['src/', ''].flatMap((folder) =>
  ['server', 'index', 'app', 'main'].flatMap((name) =>
    ['ts', 'mts', 'js', 'mjs', 'cjs'].map((extension) => `${folder}${name}.${extension}`),
  ),
);

/** @param command that was run, for the remedies of errors */
export function settleSettings(flags: DevFlags, project: Project, command = 'dev'): DevSettings {
  const { dev } = project.settings;
  const host = flags.host ?? dev.host ?? '127.0.0.1';
  if (host.trim() === '')
    throw new UsageError("--host '' is empty", 'give an address, such as 127.0.0.1 or 0.0.0.0');
  const allowed = checkAllowedHosts(flags.allowedHost, dev.allowed_hosts);
  return {
    root: project.root,
    configFile: project.configFile,
    name: project.settings.project.name ?? '',
    entry: findEntry(project, command),
    port: settlePort(flags, project),
    host,
    inspect: inspectPort(flags.inspect),
    allowedHosts: [...allowed, host, hostname()],
    isOpened: allowed.length > 0 || !isLocal(host),
    workbenchToken: dev.workbench_token ?? false,
    preload: [
      ...checkPreload(flags.preload, project.root, '--preload names'),
      ...checkPreload(dev.preload, project.root, 'fw.toml names as dev.preload'),
    ],
    args: flags.args ?? [],
    open: flags.open ?? false,
    watch: dev.hot_reload ?? true,
    pollInterval: dev.poll_interval,
    exclusive: dev.exclusive ?? false,
    bundle: dev.bundle ?? true,
    frontend: settleFrontend(project),
  };
}

function isLocal(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && isLoopback(host));
}

/** `--port`, then PORT of the shell or of .env, then fw.toml, then 3000. */
function settlePort(flags: DevFlags, project: Project): number {
  if (flags.port !== undefined) return opened(parsePort(flags.port, '--port', '--port 3000'), '--port');
  const variable = readEnvironment(project.root).PORT;
  if (variable) return opened(parsePort(variable, 'PORT', 'PORT=3000'), 'PORT');
  return opened(project.settings.dev.backend_port ?? 3000, 'backend_port in fw.toml');
}

/** Nobody could look at the app, or at its workbench. */
function opened(port: number, name: string): number {
  if (!isBlockedPort(port)) return port;
  throw new UsageError(`${name} is ${port}: ${BLOCKED_REASON}`, 'give another port, such as 3000 or 8080');
}

function parsePort(value: string, name: string, example: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port < 65536) return port;
  throw new UsageError(
    `${name} is '${value}'`,
    `give a whole number from 0 (any free port) to 65535, such as ${example}`,
  );
}

function inspectPort(flag: string | true | undefined): number | undefined {
  if (flag === undefined) return undefined;
  return flag === true ? 9229 : parsePort(flag, '--inspect', '--inspect 9229');
}

function findEntry({ root, settings }: Project, command: string): AbsolutePath {
  const named = settings.dev.entry;
  const names = named === undefined ? entryNames : [named];
  const found = names.map((name) => resolve(root, name)).find((path) => existsSync(path));
  if (named !== undefined && found !== undefined && statSync(found).isDirectory()) {
    throw new CliError(`dev.entry in fw.toml is '${named}', a directory`, {
      help: `name the file that starts the app, such as ${entryNames[0]}`,
    });
  }
  if (found) return absolutePath(found);
  const wanted = relative(absolutePath('.'), join(root, names[0] as string));
  if (named !== undefined) {
    throw new CliError(`there is no ${wanted}, which fw.toml names as dev.entry`, {
      help: 'correct [dev] entry in fw.toml, or create that file',
    });
  }
  const usual = usualEntries.find((name) => existsSync(join(root, name)));
  if (usual !== undefined) {
    throw new CliError(`there is no ${wanted}`, {
      help: `if ${usual} starts the app, name it in fw.toml, under [dev]: entry = "${usual}"`,
    });
  }
  throw new CliError(`there is no ${wanted}`, {
    help: `run fw ${command} in the directory of an app, make one with: fw new my-app, or name another file in fw.toml: [dev] entry`,
  });
}
