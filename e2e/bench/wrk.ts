// Debian's wrk as the load generator: 64 connections, from core 1.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workload } from './servers/workloads.js';

export interface Load {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Answered in all. */
  readonly requests: number;
}

/** Above the seconds of any round: a slow answer is part of the p99, and not a request that failed. */
const TIMEOUT = '30s';

/**
 * @param folder for wrk's script.
 * @throws {Error} for answers other than 2xx and 3xx, and connections that broke.
 */
export function runWrk(
  folder: string,
  port: number,
  { body, path, headers }: Workload,
  seconds: number,
): Load {
  const script = join(folder, 'load.lua');
  const heads = Object.entries({ 'Content-Type': 'application/json', ...headers });
  const lines = [
    'wrk.method = "POST"',
    `wrk.body = ${JSON.stringify(body)}`,
    ...heads.map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`),
  ];
  writeFileSync(script, body === undefined ? '' : lines.join('\n'));
  const load = ['-t1', '-c64', `-d${seconds}s`, '--timeout', TIMEOUT, '--latency', '-s', script];
  const args = ['-c', '1', 'wrk', ...load, `http://127.0.0.1:${port}${path}`];
  return readWrk(execFileSync('taskset', args, { encoding: 'utf8' }));
}

/** What wrk printed with `--latency`. */
export function readWrk(output: string): Load {
  const failures = output.split('\n').filter((line) => /Non-2xx|Socket errors/.test(line));
  if (failures.length > 0) throw new Error(failures.map((line) => line.trim()).join('; '));
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(output) ?? [];
  const [, amount, unit] = /99%\s+([\d.]+)(us|ms|s|m)/.exec(output) ?? [];
  const [, requests] = /(\d+) requests in/.exec(output) ?? [];
  const scale = { us: 0.001, ms: 1, s: 1_000, m: 60_000 }[unit as 'us' | 'ms' | 's' | 'm'];
  const load = { perSecond: Number(perSecond), p99Ms: Number(amount) * scale, requests: Number(requests) };
  if (Object.values(load).some(Number.isNaN)) throw new Error(`not what wrk prints:\n${output}`);
  if (load.requests === 0) throw new Error('no request was answered');
  return load;
}
