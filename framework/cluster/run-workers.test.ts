// Several processes behind one port: their start, their death, their end, and the sum of their metrics.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ClusterProgram } from '../conformance/cluster-process.js';
import { freePort } from '../conformance/free-port.js';
import { runWorkers } from './index.js';

vi.setConfig({ testTimeout: 60_000 });

const source = fileURLToPath(new URL('../conformance/cluster-process.ts', import.meta.url));
const script = fileURLToPath(new URL(`../conformance/.cluster-process-${process.pid}.mjs`, import.meta.url));

beforeAll(async () => {
  const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm' } as const;
  await build({ ...options, entryPoints: [source], outfile: script });
});
afterAll(() => rmSync(script));

type Line = Record<string, unknown> & { message?: string };

/** The program, as it runs. */
class Running {
  readonly child: ChildProcess;
  readonly lines: Line[] = [];
  readonly ended: Promise<unknown[]>;
  readonly url: string;

  constructor(program: ClusterProgram, env: NodeJS.ProcessEnv = {}) {
    this.url = `http://127.0.0.1:${program.port}`;
    this.child = spawn(process.execPath, [script], {
      env: { ...process.env, NODE_ENV: 'test', ...env, PROGRAM: JSON.stringify(program) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.ended = once(this.child, 'exit');
    if (this.child.stdout === null) throw new Error('it has no output');
    createInterface(this.child.stdout).on('line', (line) => this.lines.push(JSON.parse(line)));
  }

  /** Waits until so many lines have this text, and gives them. */
  async says(message: string, count = 1): Promise<Line[]> {
    const found = (): Line[] => this.lines.filter((line) => line.message?.includes(message));
    await expect
      .poll(() => found().length, { timeout: 60_000, message: `${message}: ${JSON.stringify(this.lines)}` })
      .toBeGreaterThanOrEqual(count);
    return found();
  }

  /** The processes that answer; each request has a connection of its own. */
  async pids(count: number): Promise<Set<number>> {
    const pids = new Set<number>();
    await expect
      .poll(
        async () => {
          const response = await fetch(this.url, { headers: { connection: 'close' } });
          pids.add(((await response.json()) as { pid: number }).pid);
          return pids.size;
        },
        { timeout: 60_000, interval: 1 },
      )
      .toBe(count);
    return pids;
  }
}

const running: Running[] = [];
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  }
});

function run(program: ClusterProgram, env?: NodeJS.ProcessEnv): Running {
  const one = new Running(program, env);
  running.push(one);
  return one;
}

it.each([0, 1.5, Number.NaN, '2'])('refuses %s processes', async (count) => {
  await expect(runWorkers(count as number, async () => {})).rejects.toMatchObject({
    message: expect.stringContaining('the number of processes'),
  });
});

/** No process of Windows can be asked to end by a signal. */
const hasSignals = process.platform !== 'win32';

describe.skipIf(!hasSignals)('runWorkers', () => {
  it('serves by so many processes behind one port, and ends when all have drained', async () => {
    const program = run({ count: 2, port: await freePort() });
    await program.says('listening', 2);
    // Who gets a connection is up to the system: at least one of them.
    expect((await program.pids(1)).has(program.child.pid ?? 0)).toBe(false);
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual([0, null]);
    expect(new Set((await program.says('drained', 2)).map(({ pid }) => pid)).size).toBe(2);
    expect(program.lines.at(-1)).toEqual({ message: 'ended', pid: program.child.pid });
  });

  it('drains at a hangup of the terminal, which all processes get, and which the shell repeats', async () => {
    const program = run({ count: 2, port: await freePort() });
    const pids = (await program.says('listening', 2)).map(({ pid }) => pid as number);
    for (let times = 0; times < 2; times++) {
      for (const pid of [program.child.pid as number, ...pids]) process.kill(pid, 'SIGHUP');
    }
    expect(await program.ended).toEqual([0, null]);
    expect(await program.says('drained', 2)).toHaveLength(2);
  });

  it('replaces a worker that dies, while the others serve', async () => {
    const program = run({ count: 2, port: await freePort() });
    await program.says('listening', 2);
    await fetch(`${program.url}/crash`).catch(() => {});
    const [death] = await program.says('a worker has ended; another one replaces it');
    expect(death).toMatchObject({ code: 7, restartInMs: 1000 });
    expect((await fetch(program.url)).status).toBe(200);
    await program.says('listening', 3);
    await fetch(`${program.url}/crash`).catch(() => {});
    const deaths = await program.says('a worker has ended; another one replaces it', 2);
    // It died soon again.
    expect(deaths[1]).toMatchObject({ restartInMs: 2000 });
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual([0, null]);
  });

  it('exits with 1 if a worker ends before one of them listens', async () => {
    const program = run({ count: 2, port: await freePort(), fails: true });
    expect(await program.ended).toEqual([1, null]);
    const fatal = program.lines.filter(({ level }) => level === 'fatal').map(({ message }) => message);
    expect(fatal).toContain('the app has failed: no database');
    expect(fatal).toContain(
      'the app has failed: a worker has ended with 1 before it listened; its log says why',
    );
  });

  it('kills a worker that does not end in time', async () => {
    const program = run({ count: 2, port: await freePort(), hangs: true, drainTimeoutMs: 300 });
    await program.says('listening', 2);
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual([0, null]);
    expect(await program.says('did not drain in time, and is killed')).toHaveLength(2);
  });

  it('has no workers that outlive the process that watches them', async () => {
    const program = run({ count: 2, port: await freePort() });
    await program.says('listening', 2);
    const [pid = 0] = await program.pids(1);
    program.child.kill('SIGKILL');
    await program.ended;
    const isAlive = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isAlive).toBe(false);
  });

  it('is one process if there is to be one, and in development', async () => {
    const [alone, developed] = [
      run({ count: 1, port: await freePort() }),
      run({ count: 4, port: await freePort() }, { NODE_ENV: 'development' }),
    ];
    for (const program of [alone, developed]) {
      await program.says('listening');
      expect(await program.pids(1)).toEqual(new Set([program.child.pid]));
      program.child.kill('SIGTERM');
      expect(await program.ended).toEqual([0, null]);
      expect(await program.says('listening')).toHaveLength(1);
    }
  });

  it('exits with 1 if the program fails in a process alone', async () => {
    const program = run({ count: 1, port: await freePort(), fails: true });
    expect(await program.ended).toEqual([1, null]);
    expect(program.lines).toMatchObject([{ level: 'fatal', message: 'the app has failed: no database' }]);
  });
});

describe.skipIf(!hasSignals)('MetricsServer', () => {
  const read = async (port: number): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

  it('serves the sum of all workers, without one that has died', async () => {
    const metricsPort = await freePort();
    const program = run({ count: 2, port: await freePort(), metricsPort });
    await program.says('listening', 2);
    for (let request = 0; request < 10; request++) {
      await fetch(program.url, { headers: { connection: 'close' } });
    }
    await expect.poll(() => read(metricsPort)).toContain('requests_total 10\n');
    await fetch(`${program.url}/crash`).catch(() => {});
    await program.says('a worker has ended');
    // A worker that is too busy to answer in time is left out.
    await expect.poll(() => read(metricsPort)).toMatch(/requests_total \d+\n/);
    program.child.kill('SIGTERM');
    await program.ended;
    await expect(read(metricsPort)).rejects.toThrow();
  });

  it('serves those of a process alone', async () => {
    const metricsPort = await freePort();
    const program = run({ count: 1, port: await freePort(), metricsPort });
    // The metrics say so as well, of their own port.
    await program.says(`listening on ${program.url}`);
    await fetch(program.url);
    await expect.poll(() => read(metricsPort)).toContain('requests_total 1\n');
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual([0, null]);
  });
});
