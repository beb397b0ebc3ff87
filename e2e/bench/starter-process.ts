// Runs the start script of an app without npm in between, which would count, and reads the memory of its processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A process group of its own, so that whatever the script starts ends with it. */
export function startInGroup(folder: string, script: string, environment: NodeJS.ProcessEnv): ChildProcess {
  const path = `${join(folder, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
  return spawn('/bin/sh', ['-c', `exec ${script}`], {
    cwd: folder,
    env: { ...process.env, ...environment, PATH: path },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
}

/** Of all processes of the group; only where there is /proc. */
export function residentMegabytes({ pid }: ChildProcess): number {
  let kilobytes = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || groupOf(entry) !== pid) continue;
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(procFile(entry, 'status'))?.[1] ?? 0);
  }
  return kilobytes / 1024;
}

function groupOf(entry: string): number {
  // The name of the command is in brackets, and may contain spaces.
  return Number(procFile(entry, 'stat').split(') ').at(-1)?.split(' ')[2]);
}

/** Empty if the process has ended. */
function procFile(entry: string, name: string): string {
  try {
    return readFileSync(`/proc/${entry}/${name}`, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}
