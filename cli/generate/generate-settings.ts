// Determines the settings of one run of `fw generate`: flags before fw.toml before defaults.
import { existsSync, type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type AbsolutePath, absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { loadProject } from '../config/load.js';
import { CliError, UsageError } from '../terminal/errors.js';
import { type ClientFiles, clientFiles } from './client-files.js';
import { textOf } from './write-changed.js';

export interface GenerateFlags {
  project?: string;
  output?: string;
  /** In place of `client` in fw.toml. */
  client?: string;
  watch?: boolean;
  check?: boolean;
  diff?: boolean;
  failOnBreaking?: boolean;
  declarations?: boolean;
  force?: boolean;
  verbose?: boolean;
  json?: boolean;
}

export interface GenerateSettings {
  /** The directory of the app. */
  readonly root: AbsolutePath;
  /** The program that writes the client; undefined for an app without procedures, which has only a contract. */
  readonly client: ClientSettings | undefined;
  /** The contract of inferred procedures. */
  readonly contract: AbsolutePath;
  /** The default URL of the client's constructor. */
  readonly baseUrl: string | undefined;
  /** Whether the client has its run time in its file; that of the app's program comes first. */
  readonly form?: string | undefined;
}

export interface ClientSettings {
  /** The program. */
  readonly entry: AbsolutePath;
  readonly files: ClientFiles;
}

const EXAMPLE = "import { rpc } from './rpc.js'; await rpc.generateClientFile(process.argv[2]);";

/**
 * @throws UsageError for contradicting flags or an unusable output, CliError for files that are missing or in the
 * way
 */
export function settleGenerate(flags: GenerateFlags, cwd: string): GenerateSettings {
  for (const other of ['check', 'diff'] as const) {
    if (flags.watch && flags[other]) {
      throw new UsageError(`--watch writes files and --${other} does not`, 'use one of them');
    }
  }
  if (flags.failOnBreaking && !flags.diff) {
    throw new UsageError('--fail-on-breaking needs --diff', 'add --diff');
  }
  const { root: base, settings } = loadProject(
    flags.project === undefined ? cwd : folder(flags.project, cwd),
  );
  const { backend_path, output_path, base_url, declarations } = settings.generate;
  const form = flags.client ?? settings.generate.client;
  const root = flags.project !== undefined || backend_path === undefined ? base : backend(backend_path, base);
  const output =
    flags.output === undefined ? output_path && resolve(base, output_path) : resolve(cwd, flags.output);
  const entry = absolutePath(pathIn(root, 'src/generate-client.ts'));
  const contract = absolutePath(pathIn(root, 'src/rpc-contract.json'));
  if (output === undefined) {
    if (existsSync(entry)) throw noOutput();
    if (!existsSync(join(root, 'package.json'))) {
      throw new UsageError(
        `there is no app in ${root}`,
        'run it in the directory of an app, or name that: --project <dir>',
      );
    }
    return { root, client: undefined, contract, baseUrl: base_url, form };
  }
  checkOutput(output, flags.output ?? output_path ?? '');
  if (!existsSync(entry)) {
    throw new CliError(`${entry} is missing: it writes the client of your registry`, {
      help: `create it: ${EXAMPLE}`,
    });
  }
  const files = clientFiles(output, flags.declarations ?? declarations ?? false);
  checkOverwritten(files);
  return { root, client: { entry, files }, contract, baseUrl: base_url, form };
}

/** For an app with procedures, whose client has no path. */
export function noOutput(): UsageError {
  return new UsageError(
    'the output path of the client is missing',
    'give --output, or set output_path under [generate] in fw.toml',
  );
}

function backend(path: string, base: string): AbsolutePath {
  const root = absolutePath(resolve(base, path));
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return root;
  throw new CliError(`generate.backend_path in fw.toml is '${path}': no such directory in ${base}`, {
    help: "give the directory of the app, relative to fw.toml: '.' for its own",
  });
}

function folder(given: string, cwd: string): string {
  const path = resolve(cwd, given);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new UsageError(`--project ${given}: no such directory`, 'give the directory of the app');
}

/**
 * @param given the path as it was written, which may end as that of a directory that is not there yet
 * @throws UsageError if a plain file cannot be written there
 */
function checkOutput(output: string, given: string): void {
  const stats = statsOf(output);
  if (stats?.isDirectory() || /[\\/]$/.test(given)) {
    throw new UsageError(`${output} is a directory`, 'name the file: client.ts in it, for example');
  }
  if (stats === undefined || stats.isFile()) return;
  // The client is renamed to its place, which would remove the device or pipe.
  throw new UsageError(`${output} is a device or a pipe`, 'name a plain file, such as client.ts');
}

/** @throws CliError if a file would be overwritten that is not a generated client, now or after `--check` */
function checkOverwritten({ source, declared }: ClientFiles): void {
  for (const file of [source, declared?.script, declared?.types]) {
    const text = file === undefined ? undefined : textOf(file);
    if (text === undefined || file === undefined || !isWritten(text)) continue;
    throw new CliError(`${file} is not a generated client, and would be overwritten`, {
      help: 'give the client another name, or delete the file',
    });
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'ENOTDIR') throw error;
    throw new UsageError(`${path} is inside a file, not a directory`, 'name a file in a directory');
  }
}

/** True for code that was not generated. Generated clients and empty files may be replaced. */
function isWritten(text: string): boolean {
  if (text.trim() === '' || /FwRpcClient|^\/\/ Generated by fw/.test(text)) return false;
  return /^(?:import|export)\b/m.test(text);
}
