// Runs the app's own TypeScript beside the cycle, at low priority, and tells when its verdict changes.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { killGroup, ownGroup } from './process-group.js';
import type { TypeProblem } from './report.js';
import { typeProjects } from './type-projects.js';

/** Time after a cycle before the check starts, so that it never competes with the first answers. */
const pause = 400;
const maxOutput = 1_000_000;

export interface TypeCheck {
  /** Checks soon; a check that is under way is dropped. */
  schedule(): void;
  /** Drops what is scheduled or under way, to leave the processor to a cycle. */
  cancel(): void;
}

/** Undefined where the app has no tsconfig.json or no TypeScript. */
export function createTypeCheck(
  root: string,
  cacheDir: string,
  onVerdict: (problems: TypeProblem[]) => void,
): TypeCheck | undefined {
  const tsc = typeProjects(root).length > 0 ? findCompiler(root) : undefined;
  if (tsc === undefined) return undefined;
  const compiler: string = tsc;
  let timer: NodeJS.Timeout | undefined;
  let child: ChildProcess | undefined;
  let round = 0;

  function cancel(): void {
    round += 1;
    clearTimeout(timer);
    if (child) killGroup(child);
    child = undefined;
  }

  async function run(): Promise<void> {
    const mine = round;
    let problems: TypeProblem[] | undefined;
    for (const [index, project] of typeProjects(root).entries()) {
      const found = await check(project, index);
      if (mine !== round) return;
      // It says nothing, or stands on another project that has not been built: there is no verdict.
      if (!found || found.some(({ text }) => text.startsWith('TS6305:'))) continue;
      problems = [...(problems ?? []), ...found];
    }
    if (problems) onVerdict(problems);
  }

  /** Undefined where the compiler came to no end that it could tell of. */
  function check(project: string, index: number): Promise<TypeProblem[] | undefined> {
    const info = join(cacheDir, index === 0 ? 'types.tsbuildinfo' : `types.${index}.tsbuildinfo`);
    const options = ['--noEmit', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', info];
    const running = spawn(process.execPath, [compiler, '-p', project, ...options], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: the compiler may be a child of what we start.
      detached: ownGroup,
    });
    child = running;
    lowerPriority(running);
    let output = '';
    const collect = (chunk: Buffer): void => {
      if (output.length < maxOutput) output += chunk.toString();
    };
    running.stdout?.on('data', collect);
    running.stderr?.on('data', collect);
    return new Promise((settle) => {
      running.once('error', () => settle(undefined));
      running.once('close', (code) => {
        const problems = parseProblems(output);
        settle(code === 0 || problems.length > 0 ? problems : undefined);
      });
    });
  }

  return {
    cancel,
    schedule() {
      cancel();
      timer = setTimeout(() => void run(), pause);
    },
  };
}

/** Reads lines like `src/a.ts(3,5): error TS2322: Type …`; what is indented below belongs to it. */
export function parseProblems(output: string): TypeProblem[] {
  const problems: TypeProblem[] = [];
  for (const line of output.split(/\r?\n/)) {
    const found = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/.exec(line);
    const general = /^error (TS\d+): (.*)$/.exec(line);
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
