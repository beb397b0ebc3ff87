// A running `fw dev` of the installed package: its output, its port, its processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.js';

export interface DevSession {
  child: ChildProcess;
  port: number;
  /** What was printed since the start, stdout and stderr. */
  printed(): string;
  /** Settles when the output from `from` on matches. */
  says(pattern: RegExp, from?: number): Promise<void>;
  /** Process ids of the session's descendants. */
  descendants(): number[];
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface DevSessionOptions {
  app: string;
  args?: string[];
  env?: NodeJS.ProcessEnv;
  /** The binary; that of the app's own node_modules by default. */
  binary?: string;
  /** A script that is given the command line, and runs it. */
  through?: string;
  /** What it says when it has started; that it is ready, or failed, by default. */
  until?: RegExp;
  /** A command that runs the one after it. */
  before?: string[];
}

export async function startDev(options: DevSessionOptions): Promise<DevSession> {
  const binary = options.binary ?? join(options.app, 'node_modules/fw/dist/cli/main.js');
  const port = await freePort();
  const through = options.through === undefined ? [] : [options.through];
  const [command = '', ...first] = [...(options.before ?? []), process.execPath];
  const child = spawn(
    command,
    [...first, ...through, binary, 'dev', '--port', String(port), ...(options.args ?? [])],
    {
      cwd: options.app,
      env: { ...plainEnvironment(), ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const look of watchers) look();
    });
  }
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });

  const session: DevSession = {
    child,
    port,
    printed: () => output,
    says(pattern, from = 0) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(look);
          reject(new Error(`fw dev did not say ${pattern} within 60 s; it said:\n${output.slice(from)}`));
        }, 60_000);
        const look = (): void => {
          if (!pattern.test(output.slice(from))) return;
          clearTimeout(timer);
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      });
    },
    descendants: () => descendantsOf(child.pid ?? 0),
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
  await session.says(options.until ?? /ready in|failed/);
  return session;
}

/** Writes a file of the app; gives the length of the output so far, for `says`. */
export function save(session: DevSession, file: string, text: string): number {
  const from = session.printed().length;
  writeFileSync(file, text);
  return from;
}

/** By /proc, so Linux only; empty elsewhere. */
function descendantsOf(root: number): number[] {
  if (process.platform !== 'linux') return [];
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = statOf(name);
    if (stat) parents.set(Number(name), stat.parent);
  }
  const found: number[] = [];
  for (const seed = [root]; seed.length > 0; ) {
    const parent = seed.pop();
    for (const [pid, its] of parents) {
      if (its !== parent) continue;
      found.push(pid);
      seed.push(pid);
    }
  }
  return found;
}

function statOf(pid: string): { parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : { parent: Number(fields[1]) };
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  if (process.platform === 'linux') return statOf(String(pid)) !== undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until none of the processes runs; rejects after 10 s. */
export async function allGone(pids: number[]): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (pids.some(isRunning)) {
    if (Date.now() > deadline) throw new Error(`still running: ${pids.filter(isRunning).join(', ')}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$|PORT$|HOST$)/i.test(name),
  );
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}
