// One contender under wrk: requests a second, p99 and memory. The server runs on core 0, wrk on core 1.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verify } from './contenders.js';
import { otherLoad, readProcessors } from './disturbance.js';
import { formOf, type Workload } from './servers/workloads.js';

export interface Figures {
  readonly perSecond: number;
  readonly p99Ms: number;
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
  try {
    await once(server.stdout, 'data');
    await verify(contender, port, workload);
    const form = formOf(workload, contender);
    runWrk(out, port, form, 1);
    const before = readProcessors(server.pid);
    const output = runWrk(out, port, form, seconds);
    const others = otherLoad(before, readProcessors(server.pid));
    return { ...readWrk(output), residentMb: residentMb(server), others };
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

function runWrk(out: string, port: number, { body, path, headers }: Workload, seconds: number): string {
  const script = join(out, 'load.lua');
  const heads = Object.entries({ 'Content-Type': 'application/json', ...headers });
  const lines = [
    'wrk.method = "POST"',
    `wrk.body = ${JSON.stringify(body)}`,
    ...heads.map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`),
  ];
  writeFileSync(script, body === undefined ? '' : lines.join('\n'));
  const args = ['-c', '1', 'wrk', '-t1', '-c64', `-d${seconds}s`, '--latency', '-s', script];
  return execFileSync('taskset', [...args, `http://127.0.0.1:${port}${path}`], { encoding: 'utf8' });
}

function readWrk(output: string): Pick<Figures, 'perSecond' | 'p99Ms'> {
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`errors under load:\n${output}`);
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(output) ?? [];
  const [, amount, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
  const scale = { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'];
  return { perSecond: Number(perSecond), p99Ms: Number(amount) * scale };
}

function residentMb(server: ChildProcess): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
