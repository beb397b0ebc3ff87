// The system on which a journey runs fw: this one, or a Windows made of Wine and Node's executable (.ci/windows).
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../packed.js';

/** Where .ci/windows/setup.sh has put it. */
const windows = process.env.FW_WINDOWS ?? '';
const patience = 180_000;

export interface System {
  readonly name: string;
  /** What runs a program of Node.js. */
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Flags with which npm, on this system, installs packages for that one. */
  readonly npmFlags: readonly string[];
  /** The compiler, if not that of the template. */
  readonly typescript?: string;
}

const here: System = { name: process.platform, command: [process.execPath], env: {}, npmFlags: [] };

const wine: System = {
  name: 'Windows, by Wine',
  command: ['/usr/lib/wine/wine64', join(windows, 'node.exe')],
  env: { WINEPREFIX: join(windows, 'prefix'), WINEDEBUG: '-all', DISPLAY: '' },
  npmFlags: ['--os=win32', '--cpu=x64'],
  // The API of TypeScript 7 does not answer in Wine 8.
  typescript: '~6.0.0',
};

/** Linux is the system of all other journeys. */
export const system: System = process.platform === 'linux' ? wine : here;

/** Why the journey cannot run here, or undefined. */
export const systemMissing: string | undefined =
  system === wine && !existsSync(join(windows, 'node.exe'))
    ? 'FW_WINDOWS does not name the folder of .ci/windows/setup.sh'
    : undefined;

/** A program that runs there, its output in files: Wine's standard streams cannot be pipes of this system. */
export class ProgramThere {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly #out: string;

  constructor(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
    this.#out = join(temporaryDirectory('fw-output'), 'out.txt');
    const file = openSync(this.#out, 'a');
    const [program = '', ...first] = system.command;
    this.child = spawn(program, [...first, ...args], {
      cwd,
      env: { ...process.env, NO_COLOR: '1', ...system.env, ...env },
      stdio: ['ignore', file, file],
    });
    closeSync(file);
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('exit', resolve);
    });
  }

  get output(): string {
    return readFileSync(this.#out, 'utf8').replaceAll('\r\n', '\n');
  }

  /** Resolves when the output from there on matches. */
  async says(pattern: RegExp, from = 0): Promise<void> {
    const deadline = Date.now() + patience;
    while (!pattern.test(this.output.slice(from))) {
      if (Date.now() > deadline || this.child.exitCode !== null) {
        throw new Error(`it did not say ${pattern}; it said:\n${this.output.slice(from)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Ends it, and in Wine everything else that runs there. */
  async end(): Promise<void> {
    if (system === wine) {
      // Whatever it exits with: that the program has ended is what counts, and is awaited.
      const { error } = spawnSync('wineserver', ['-k'], { env: { ...process.env, ...system.env } });
      if (error !== undefined) throw error;
    } else this.child.kill('SIGTERM');
    await this.ended;
  }
}

/** Runs a program there to its end. */
export async function runThere(
  args: readonly string[],
  cwd: string,
): Promise<{ exitCode: number | null; output: string }> {
  const program = new ProgramThere(args, cwd);
  const exitCode = await program.ended;
  return { exitCode, output: program.output };
}
