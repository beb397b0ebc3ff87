// Whether this process may use the terminal: a background job that reads from it, or sets its mode, is stopped.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** True if the process group of this process is in the foreground of its terminal. */
export function isInForeground(): boolean {
  if (process.platform === 'win32') return true;
  const [group, foreground] = process.platform === 'linux' ? linuxGroups() : otherGroups();
  return group === foreground;
}

function linuxGroups(): string[] {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // After the name of the program, which may have blanks and parentheses: state, parent, group, session, terminal, …
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [fields[2] ?? '', fields[5] ?? ''];
}

function otherGroups(): string[] {
  const found = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' });
  return found.trim().split(/\s+/);
}
