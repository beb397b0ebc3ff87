// One contender under wrk: requests a second, p99 and memory. The server runs on core 0, wrk on core 1.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verify } from './contenders.js';
import { otherLoad, readProcessors } from './disturbance.js';
import { formOf, type Workload } from './servers/workloads.js';
import { type Load, runWrk } from './wrk.js';

export interface Figures extends Load {
  readonly residentMb: number;
  /** Processors' worth of load by others meanwhile. */
  readonly others: number;
}

/**
 * @param out the folder of the bundled servers, with `files` in it.
 * @param contender `fw-bare` is `fw` without defaults.
 */
export async function measureUnderLoad(
  out: string,
  contender: string,
  workload: Workload,
  seconds: number,
): Promise<Figures> {
  const port = 21_000 + Math.floor(Math.random() * 8_000);
  const file = join(out, `${contender.replace('-bare', '')}.mjs`);
  const env = {
    ...process.env,
    PORT: String(port),
    DEFAULTS: contender === 'fw-bare' ? 'none' : '',
    FILES: join(out, 'files'),
  };
  const server = spawn('taskset', ['-c', '0', process.execPath, file], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  try {
    await Promise.race([once(server.stdout, 'data'), ended]);
    const end = server.exitCode ?? server.signalCode;
    if (end !== null) throw new Error(`the server ended with ${end}`);
    await verify(contender, port, workload);
    const form = formOf(workload, contender);
    runWrk(out, port, form, 1);
    const before = readProcessors(server.pid);
    const load = runWrk(out, port, form, seconds);
    const others = otherLoad(before, readProcessors(server.pid));
    return { ...load, residentMb: residentMb(server), others };
  } finally {
    server.kill('SIGKILL');
    await ended;
  }
}

function residentMb(server: ChildProcess): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
