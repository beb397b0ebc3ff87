// Runs the app's own TypeScript after a cycle, at low priority, and reports the errors.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { projectConfigs } from '../../config/tsconfig.js';
import { killGroup, ownGroup } from '../../process/process-group.js';
import type { TypeProblem } from '../report/dev-report.js';

/** Milliseconds after a cycle before the check starts, so that it does not slow down the first answers. */
const PAUSE = 400;
const MAX_OUTPUT = 1_000_000;

export class TypeCheck {
  readonly #folders: readonly string[];
  readonly #root: string;
  readonly #compiler: string;
  readonly #cacheDir: string;
  readonly #onVerdict: (problems: TypeProblem[]) => void;
  #timer: NodeJS.Timeout | undefined;
  #child: ChildProcess | undefined;
  #round = 0;

  private constructor(
    root: string,
    folders: readonly string[],
    compiler: string,
    cacheDir: string,
    onVerdict: (problems: TypeProblem[]) => void,
  ) {
    this.#folders = folders;
    this.#root = root;
    this.#compiler = compiler;
    this.#cacheDir = cacheDir;
    this.#onVerdict = onVerdict;
  }

  /**
   * Undefined if no folder has a tsconfig.json, or the app has no TypeScript.
   * @param frontend the folder of the frontend, if there is one
   */
  static of(
    root: string,
    frontend: string | undefined,
    cacheDir: string,
    onVerdict: (problems: TypeProblem[]) => void,
  ): TypeCheck | undefined {
    const folders = frontend === undefined ? [root] : [root, frontend];
    const compiler = typeProjects(folders).length > 0 ? findCompiler(root) : undefined;
    return compiler === undefined ? undefined : new TypeCheck(root, folders, compiler, cacheDir, onVerdict);
  }

  /** Starts a check soon; a check that is running is cancelled. */
  schedule(): void {
    this.cancel();
    this.#timer = setTimeout(() => void this.#run(), PAUSE);
  }

  /** Cancels a scheduled or running check, so that a cycle has the processor. */
  cancel(): void {
    this.#round += 1;
    clearTimeout(this.#timer);
    if (this.#child) killGroup(this.#child);
    this.#child = undefined;
  }

  async #run(): Promise<void> {
    const mine = this.#round;
    let problems: TypeProblem[] | undefined;
    for (const [index, project] of typeProjects(this.#folders).entries()) {
      const found = await this.#check(project, index);
      if (mine !== this.#round) return;
      // The compiler failed, or the project refers to another one that has not been built: there is no result.
      if (!found || found.some(({ text }) => text.startsWith('TS6305:'))) continue;
      problems = [...(problems ?? []), ...found];
    }
    if (problems) this.#onVerdict(once(problems));
  }

  /** Undefined if the compiler failed without reporting errors. */
  #check(project: string, index: number): Promise<TypeProblem[] | undefined> {
    const info = join(this.#cacheDir, index === 0 ? 'types.tsbuildinfo' : `types.${index}.tsbuildinfo`);
    const options = ['--noEmit', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', info];
    const child = spawn(process.execPath, [this.#compiler, '-p', project, ...options], {
      cwd: this.#root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group, because the compiler may be a child of the started process.
      detached: ownGroup,
    });
    this.#child = child;
    lowerPriority(child);
    let output = '';
    const collect = (chunk: Buffer): void => {
      if (output.length < MAX_OUTPUT) output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    return new Promise((settle) => {
      child.once('error', () => settle(undefined));
      child.once('close', (code) => {
        const problems = parseProblems(output);
        settle(code === 0 || problems.length > 0 ? problems : undefined);
      });
    });
  }
}

/** A file of two projects has its problems in both. */
function once(problems: readonly TypeProblem[]): TypeProblem[] {
  const byText = new Map(problems.map((one) => [`${one.file}:${one.line}:${one.column}:${one.text}`, one]));
  return [...byText.values()];
}

/** Calls back with the problems when they differ from those before; no problems are what it begins with. */
export function onChangedProblems(
  notify: (problems: TypeProblem[]) => void,
): (problems: TypeProblem[]) => void {
  let last = '[]';
  return function verdict(problems) {
    const text = JSON.stringify(problems);
    if (text === last) return;
    last = text;
    notify(problems);
  };
}

/** Parses lines like `src/a.ts(3,5): error TS2322: Type …`; indented lines below belong to the same error. */
export function parseProblems(output: string): TypeProblem[] {
  const problems: TypeProblem[] = [];
  for (const line of output.split(/\r?\n/)) {
    const found = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/s.exec(line);
    const general = /^error (TS\d+): (.*)$/s.exec(line);
    const last = problems.at(-1);
    if (found) {
      const [, file = '', row, column, code, text] = found;
      problems.push({ file, line: Number(row), column: Number(column), text: `${code}: ${text}` });
    } else if (general) {
      problems.push({ file: 'tsconfig.json', line: 0, column: 0, text: `${general[1]}: ${general[2]}` });
    } else if (/^\s+\S/.test(line) && last) {
      last.text += `\n  ${line}`;
    }
  }
  return problems;
}

function findCompiler(root: string): string | undefined {
  try {
    const manifest = createRequire(join(root, 'package.json')).resolve('typescript/package.json');
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
    return join(dirname(manifest), bin.tsc);
  } catch {
    return undefined;
  }
}

function lowerPriority(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, 15);
  } catch {
    // Already gone.
  }
}

/** Absolute paths of configurations, each once; empty without a tsconfig.json. */
export function typeProjects(folders: readonly string[]): string[] {
  return [...new Set(folders.flatMap(projectConfigs))];
}
