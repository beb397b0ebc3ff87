// Runs a program that uses the built package on one of the runtimes, as an application's own does there.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { freePort } from '../free-port.js';
import { checkout, temporaryDirectory } from '../packed.js';
import { runtimes } from './runtimes.js';

export interface Program {
  /** Where a Worker answers. */
  readonly url: string;
  /** What it has printed until now, to both outputs. */
  printed(): string;
  /** Resolves once that has the text; rejects if the program ends without it. */
  whenPrinted(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code, and the signal that has ended it. */
  readonly ended: Promise<string>;
}

export interface WorkerOptions {
  /** The packages that are installed beside fw; all of the checkout by default. */
  readonly packages?: readonly string[];
  readonly flags?: readonly string[];
  readonly date?: string;
}

/** The program of a runtime, which must be installed. */
function programOf(name: string): string {
  const program = runtimes[name]?.program;
  if (program === undefined)
    throw new Error(`${name} is not installed; run: cd e2e/fetch-runtimes && npm ci`);
  return program;
}

export const areInstalled: boolean = Object.values(runtimes).every(({ program }) => program !== undefined);

/** Bundled with the conditions and externals of wrangler. */
async function bundleAsWrangler(
  source: string,
  directory: string,
  packages: readonly string[] | undefined,
): Promise<void> {
  install(directory, packages);
  await build({
    stdin: { contents: source, resolveDir: directory, sourcefile: 'main.ts', loader: 'ts' },
    outfile: join(directory, 'worker.mjs'),
    bundle: true,
    // Packages find those beside them, not those of the checkout.
    preserveSymlinks: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    external: ['node:*', 'cloudflare:*'],
    logLevel: 'error',
  });
}

/** Puts links into its node_modules: to all packages of the checkout, or to fw and what it needs, and to those. */
function install(directory: string, packages: readonly string[] | undefined): void {
  const from = join(checkout, 'node_modules');
  const to = join(directory, 'node_modules');
  if (packages === undefined) {
    symlinkSync(from, to);
    return;
  }
  mkdirSync(join(to, 'fw'), { recursive: true });
  for (const name of ['dist', 'package.json']) symlinkSync(join(checkout, name), join(to, 'fw', name));
  for (const name of ['jose', 'ws', ...packages]) symlinkSync(join(from, name), join(to, name));
}

/** Starts the Worker in workerd, with a variable `GREETING` among its bindings. Rejects if it does not start. */
export async function startWorker(source: string, options: WorkerOptions = {}): Promise<Program> {
  const directory = temporaryDirectory();
  await bundleAsWrangler(source, directory, options.packages);
  const port = await freePort();
  const { flags = ['nodejs_compat'], date = '2026-04-01' } = options;
  writeFileSync(
    join(directory, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
      bindings = [(name = "GREETING", text = "hello from a binding")],
      compatibilityDate = "${date}",
      compatibilityFlags = ${JSON.stringify(flags)},
    )),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
  );
  const args = ['serve', join(directory, 'config.capnp'), '--control-fd=1'];
  const program = follow(spawn(programOf('workerd'), args), `http://127.0.0.1:${port}`);
  await program.whenPrinted('"listen"');
  return program;
}

/** Starts a script on Bun or Deno, beside packages as an application has them. */
export function startScript(name: 'Bun' | 'Deno', source: string): Program {
  const directory = temporaryDirectory();
  symlinkSync(join(checkout, 'node_modules'), join(directory, 'node_modules'));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(directory, 'main.mjs'), source);
  const args = name === 'Bun' ? ['main.mjs'] : ['run', '--allow-all', 'main.mjs'];
  const env = { ...process.env, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };
  return follow(spawn(programOf(name), args, { cwd: directory, env }), '');
}

function follow(child: ChildProcess, url: string): Program {
  let printed = '';
  let look = (): void => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      look();
    });
  }
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => resolve(`${code ?? signal}`));
  });
  const whenPrinted = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      look = () => printed.includes(text) && resolve();
      look();
      void ended.then((how) => reject(new Error(`ended with ${how} before '${text}':\n${printed}`)));
    });
  started.push(child);
  return { url, printed: () => printed, whenPrinted, kill: (signal) => child.kill(signal), ended };
}

const started: ChildProcess[] = [];

/** Ends what still runs. */
export function endPrograms(): void {
  for (const child of started.splice(0)) child.kill('SIGKILL');
}
