// Finds the process that uses a port, and a free port, for the message about a port in use.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { CliError, UsageError } from '../terminal/errors.js';
import { whyTaken } from './port-free.js';

/** Turns an error of `listen` into one with a remedy. */
export async function listenError(
  error: unknown,
  port: number,
  host: string,
  platform: NodeJS.Platform = process.platform,
): Promise<Error> {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') {
    const owner = portOwner(port);
    const help = `stop the process that uses it, or ${await another(port, host)}`;
    return new CliError(`port ${port} is in use${owner ? ` by ${owner}` : ''}`, { help, cause: error });
  }
  if (code === 'EACCES' && platform === 'win32') {
    // Hyper-V, WSL and Docker reserve ranges of ports.
    const help = `${await another(port, host)}; to list what is reserved: netsh int ipv4 show excludedportrange protocol=tcp`;
    return new CliError(`port ${port} is reserved by Windows, or another program has it for itself`, {
      help,
      cause: error,
    });
  }
  if (code === 'EACCES') {
    return new CliError(`port ${port} needs more rights than this user has`, {
      help: 'choose one above 1023: fw dev --port 3000',
      cause: error,
    });
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL') {
    return new UsageError(
      `cannot listen on host '${host}': it is not an address of this machine`,
      'use 127.0.0.1 for this machine only, or 0.0.0.0 for the network',
    );
  }
  return new CliError(`cannot listen on ${host}:${port}: ${(error as Error).message}`, { cause: error });
}

/** What to do for another port than this one. */
async function another(port: number, host: string): Promise<string> {
  const free = await freePort(port + 1, host);
  return free === undefined ? 'choose another port with --port' : `run: fw dev --port ${free}`;
}

/** `node (pid 4312)`, or undefined if it cannot be found out. */
export function portOwner(port: number): string | undefined {
  const ways = { linux: [linuxOwner, lsofOwner], win32: [windowsOwner] } as const;
  const { [process.platform as keyof typeof ways]: known = [lsofOwner] } = ways;
  for (const find of known) {
    try {
      const owner = find(port);
      if (owner !== undefined) return owner;
    } catch {
      // The program, or /proc, is not there: the message does without.
    }
  }
  return undefined;
}

function linuxOwner(port: number): string | undefined {
  const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listening(table, port)));
  if (inodes.size === 0) return undefined;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (!hasOpen(pid, inodes)) continue;
    return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (pid ${pid})`;
  }
  return undefined;
}

/** Columns of /proc/net/tcp: 1 local address and port in hex, 3 state (0A is LISTEN), 9 inode. */
function listening(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  let text = '';
  try {
    text = readFileSync(table, 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(`:${wanted}`) && columns[3] === '0A')
    .map((columns) => `socket:[${columns[9]}]`);
}

function hasOpen(pid: string, inodes: Set<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return inodes.has(readlinkSync(`/proc/${pid}/fd/${fd}`));
      } catch {
        return false;
      }
    });
  } catch {
    // Another user's process.
    return false;
  }
}

function windowsOwner(port: number): string | undefined {
  const pid = listeningProcess(run('netstat', '-ano'), port);
  if (pid === undefined) return undefined;
  return `${taskName(run('tasklist', '/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH')) ?? 'a process'} (pid ${pid})`;
}

/**
 * @param table the output of `netstat -ano` on Windows: protocol, own and foreign address, state, process. The state is
 *   in the language of the system; a socket that listens has a foreign address with the port 0.
 */
export function listeningProcess(table: string, port: number): string | undefined {
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  const row = rows.find(
    ([protocol, own, foreign]) =>
      protocol === 'TCP' && own?.endsWith(`:${port}`) === true && foreign?.endsWith(':0') === true,
  );
  return row?.[4];
}

/** @param table the output of `tasklist /FO CSV /NH` on Windows, which has a sentence if there is no such process */
export function taskName(table: string): string | undefined {
  return /^"([^"]+?)(?:\.exe)?",/.exec(table.trim())?.[1];
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    timeout: 2000,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
}

function lsofOwner(port: number): string | undefined {
  const text = run('lsof', '-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc');
  const pid = /^p(\d+)/m.exec(text)?.[1];
  const name = /^c(.+)/m.exec(text)?.[1];
  return pid && `${name ?? 'a process'} (pid ${pid})`;
}

/** The first port from this one on that nothing uses; undefined if fifty are used. */
export async function freePort(from: number, host: string): Promise<number | undefined> {
  for (let port = from; port < Math.min(from + 50, 65536); port += 1) {
    if ((await whyTaken(port, host)) === undefined) return port;
  }
  return undefined;
}
