// For tests: a worker, without a supervisor.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { FromWorker, ToWorker } from '../process/messages.js';
import { makeProject, workerFile } from './trial-app.js';

/** The code of a server that listens. */
export const listens = "import http from 'node:http'; http.createServer(() => {}).listen(1);";
/** Functions that nobody calls: they take memory only if they are compiled nevertheless. */
export const uncalled: readonly string[] = Array.from(
  { length: 500 },
  (_, n) => `export function f${n}(a) { return [a + ${n}, { a }]; }`,
);
/** An expression. */
export const codeSize =
  "(await import('node:v8')).default.getHeapCodeStatistics().bytecode_and_metadata_size";

const address = { address: '127.0.0.1', port: 1, family: 'IPv4' };

export class TrialWorker {
  readonly root: string = makeProject({});
  /** The file that it runs. */
  readonly bundle: string = join(this.root, 'app.mjs');
  readonly messages: FromWorker[] = [];
  /** What it has printed. */
  output = '';
  readonly #child: ChildProcess;

  private constructor(file: string) {
    const execArgv = ['--enable-source-maps'];
    this.#child = fork(file, { cwd: this.root, silent: true, execArgv });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
      });
    }
    this.#child.on('message', (message) => this.messages.push(message as FromWorker));
  }

  static async start(): Promise<TrialWorker> {
    return new TrialWorker(await workerFile());
  }

  close(): void {
    this.#child.kill('SIGKILL');
    rmSync(this.root, { recursive: true, force: true });
  }

  send(message: ToWorker): void {
    this.#child.send(message);
  }

  addPackage(name: string, code: string, type = 'module'): void {
    const folder = join(this.root, 'node_modules', name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.js'), code);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type, exports: './index.js' }));
  }

  /** What packages have written to a file `notes`. */
  get notes(): string {
    const file = join(this.root, 'notes');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  async heard<Kind extends FromWorker['fw']>(fw: Kind): Promise<FromWorker & { fw: Kind }> {
    const found = () => this.messages.find((message) => message.fw === fw || message.fw === 'error');
    await expect.poll(found).toMatchObject({ fw });
    return found() as FromWorker & { fw: Kind };
  }

  warm(...specifiers: string[]): Promise<FromWorker & { fw: 'warmed' }> {
    this.send({ fw: 'warm', bundle: this.bundle, specifiers, isSoon: false });
    return this.heard('warmed');
  }

  /** Boots a bundle with this code. */
  boot(code: string, packages: string[] = []): Promise<FromWorker & { fw: 'ready' }> {
    writeFileSync(this.bundle, code);
    const { bundle } = this;
    const entry = join(this.root, 'src/main.ts');
    this.send({ fw: 'boot', bundle, packages, entry, address, allowedHosts: [], replacing: false });
    return this.heard('ready');
  }
}
