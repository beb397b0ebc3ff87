// A built app that a journey runs: its log, and its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface LogLine {
  readonly msg: string;
  readonly pid: number;
  readonly [field: string]: unknown;
}

const nobody = 65_534;

export class RunningApp {
  readonly child: ChildProcess;
  /** Its exit code and signal, when it has ended. */
  readonly ended: Promise<unknown[]>;
  readonly #watchers = new Set<() => void>();
  #output = '';

  /** @param user `nobody`: without rights, where this user has them all */
  constructor(
    command: readonly string[],
    cwd: string,
    env: NodeJS.ProcessEnv,
    user: 'same' | 'nobody' = 'same',
  ) {
    const [program = '', ...args] = command;
    const identity = user === 'nobody' && process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
    const { PATH, HOME } = process.env;
    this.child = spawn(program, args, { cwd, env: { PATH, HOME, ...env }, stdio: 'pipe', ...identity });
    this.ended = once(this.child, 'close');
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        for (const look of this.#watchers) look();
      });
    }
    this.child.once('close', () => {
      for (const look of this.#watchers) look();
    });
  }

  get output(): string {
    return this.#output;
  }

  /** The lines of the log, without what is not JSON. */
  lines(): LogLine[] {
    const texts = this.#output.split('\n').slice(0, -1);
    return texts.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text));
  }

  /** Resolves with the lines that match, when there are so many. */
  async says(message: string, count = 1): Promise<LogLine[]> {
    return this.when(() => {
      const found = this.lines().filter(({ msg }) => msg.includes(message));
      return found.length >= count ? found : undefined;
    }, `'${message}' ${count} times`);
  }

  /** Resolves with what `look` finds in the log; rejects when the app has ended without it. */
  async when<Found>(look: () => Found | undefined, what: string): Promise<Found> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const found = look();
        if (found === undefined && this.child.exitCode === null && this.child.signalCode === null) return;
        this.#watchers.delete(check);
        if (found !== undefined) resolve(found);
        else reject(new Error(`the app has ended and never said ${what}:\n${this.#output}`));
      };
      this.#watchers.add(check);
      check();
    });
  }

  /** For the end of a test, whether it has passed or not: leaves nothing that runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
