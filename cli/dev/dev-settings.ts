// Determines the settings of one session of `fw dev`: flags before variables before fw.toml before defaults.
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Project } from '../config/load.js';
import { readEnvironment } from '../process/environment.js';
import { checkPreload } from '../process/preload.js';
import { CliError, UsageError } from '../terminal/errors.js';
import { type FrontendSettings, settleFrontend } from './frontend/frontend-settings.js';

/** The flags as commander returns them: strings, not yet validated. */
export interface DevFlags {
  port?: string;
  host?: string;
  inspect?: string | true;
  allowedHost?: string[];
  preload?: string[];
  open?: boolean;
}

export interface DevSettings {
  root: string;
  configFile: string | undefined;
  name: string;
  entry: string;
  port: number;
  host: string;
  inspect: number | undefined;
  allowedHosts: string[];
  preload: string[];
  open: boolean;
  watch: boolean;
  frontend: FrontendSettings | undefined;
}

const entryNames = ['src/main.ts', 'src/main.mts', 'src/main.tsx', 'src/main.js', 'src/main.mjs'];

export function settleSettings(flags: DevFlags, project: Project): DevSettings {
  const { dev } = project.settings;
  const host = flags.host ?? dev.host ?? '127.0.0.1';
  if (host.trim() === '')
    throw new UsageError("--host '' is empty", 'give an address, such as 127.0.0.1 or 0.0.0.0');
  return {
    root: project.root,
    configFile: project.configFile,
    name: project.settings.project.name ?? '',
    entry: findEntry(project),
    port: settlePort(flags, project),
    host,
    inspect: inspectPort(flags.inspect),
    allowedHosts: [...(flags.allowedHost ?? []), ...(dev.allowed_hosts ?? []), host, hostname()],
    preload: [
      ...checkPreload(flags.preload, project.root, '--preload names'),
      ...checkPreload(dev.preload, project.root, 'fw.toml names as dev.preload'),
    ],
    open: flags.open ?? false,
    watch: dev.hot_reload ?? true,
    frontend: settleFrontend(project),
  };
}

/** `--port`, then PORT of the shell or of .env, then fw.toml, then 3000. */
function settlePort(flags: DevFlags, project: Project): number {
  if (flags.port !== undefined) return parsePort(flags.port, '--port', '--port 3000');
  const variable = readEnvironment(project.root).PORT;
  if (variable) return parsePort(variable, 'PORT', 'PORT=3000');
  return project.settings.dev.backend_port ?? 3000;
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

function findEntry({ root, settings }: Project): string {
  const named = settings.dev.entry;
  const names = named === undefined ? entryNames : [named];
  const found = names.map((name) => resolve(root, name)).find((path) => existsSync(path));
  if (found) return found;
  const wanted = relative(process.cwd(), join(root, names[0] as string));
  if (named !== undefined) {
    throw new CliError(`there is no ${wanted}, which fw.toml names as dev.entry`, {
      help: 'correct [dev] entry in fw.toml, or create that file',
    });
  }
  throw new CliError(`there is no ${wanted}`, {
    help: 'run fw dev in the directory of an app, make one with: fw new my-app, or name another file in fw.toml: [dev] entry',
  });
}
