// Finds the process that uses a port, and a free port, for the message about a port in use.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import net from 'node:net';
import { CliError, UsageError } from '../terminal/errors.js';

/** Turns an error of `listen` into one with a remedy. */
export async function listenError(error: unknown, port: number, host: string): Promise<Error> {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') {
    const owner = portOwner(port);
    const free = await freePort(port + 1, host);
    const help =
      free === undefined
        ? 'stop the process that uses it, or choose another port with --port'
        : `stop the process that uses it, or run: fw dev --port ${free}`;
    return new CliError(`port ${port} is in use${owner ? ` by ${owner}` : ''}`, { help, cause: error });
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

/** `node (pid 4312)`, or undefined if it cannot be found out. */
export function portOwner(port: number): string | undefined {
  try {
    return process.platform === 'linux' ? linuxOwner(port) : lsofOwner(port);
  } catch {
    return undefined;
  }
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

function lsofOwner(port: number): string | undefined {
  const text = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
    encoding: 'utf8',
    timeout: 2000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pid = /^p(\d+)/m.exec(text)?.[1];
  const name = /^c(.+)/m.exec(text)?.[1];
  return pid && `${name ?? 'a process'} (pid ${pid})`;
}

async function freePort(from: number, host: string): Promise<number | undefined> {
  for (let port = from; port < Math.min(from + 50, 65536); port += 1) {
    if (await isFree(port, host)) return port;
  }
  return undefined;
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((settle) => {
    const probe = net.createServer();
    probe.once('error', () => settle(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => settle(true)));
  });
}
