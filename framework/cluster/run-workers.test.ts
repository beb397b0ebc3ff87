// Several processes behind one port: their start, their death, their end, and the sum of their metrics.
import { type ChildProcess, spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { EventEmitter, once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClusterProgram } from '../conformance/cluster-process.js';
import { freePort } from '../conformance/free-port.js';
import { subscribe, type TracingEvent } from '../tracing/index.js';
import { MetricsServer, type PrometheusClient, runWorkers } from './index.js';

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

/** A worker without a process: the test says what becomes of it. */
class TrialWorker extends EventEmitter {
  readonly process = { pid: 1 };
  /** The questions for metrics that it was sent. */
  readonly asked: number[] = [];

  readonly #answer: 'at once' | 'never' | 'cannot be asked';

  constructor(answer: 'at once' | 'never' | 'cannot be asked' = 'never') {
    super();
    this.#answer = answer;
  }

  isConnected(): boolean {
    return true;
  }

  send({ id }: { readonly id: number }, sent: (error: Error | null) => void): void {
    this.asked.push(id);
    if (this.#answer === 'at once') this.gives(id, 'now');
    sent(this.#answer === 'cannot be asked' ? new Error('channel closed') : null);
  }

  gives(id: number, metrics: string): void {
    cluster.emit('message', this as never, { fw: 'metrics', id, metrics: [metrics] }, undefined as never);
  }

  ends(code: number | null, signal: string | null): void {
    this.emit('exit');
    cluster.emit('exit', this as never, code as number, signal as string);
  }
}

describe('the process that watches workers', () => {
  const records: TracingEvent[] = [];
  const forked: TrialWorker[] = [];
  let unsubscribe = (): void => {};

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubEnv('NODE_ENV', 'test');
    unsubscribe = subscribe((record) => records.push(record));
    vi.spyOn(cluster, 'fork').mockImplementation(() => {
      const worker = new TrialWorker();
      forked.push(worker);
      return worker as never;
    });
  });
  afterEach(() => {
    unsubscribe();
    records.length = 0;
    forked.length = 0;
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    vi.useRealTimers();
  });

  it('waits twice as long for each death soon after another one, up to 30 s, and 1 s after a long life', async () => {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    const ended = runWorkers(2, async () => {});
    await vi.advanceTimersByTimeAsync(0);
    // The workers accept connections themselves.
    expect(cluster.schedulingPolicy).toBe(cluster.SCHED_NONE);
    cluster.emit('listening', forked[0] as never, {} as never);
    const waits: unknown[] = [];
    const die = (): number => {
      forked.at(-1)?.ends(7, null);
      const { restartInMs } = records.at(-1)?.fields ?? {};
      waits.push(restartInMs);
      return restartInMs as number;
    };
    for (let death = 0; death < 7; death++) await vi.advanceTimersByTimeAsync(die());
    await vi.advanceTimersByTimeAsync(30_000);
    die();
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 1000]);
    expect(forked).toHaveLength(9);
    process.emit('SIGHUP', 'SIGHUP');
    await ended;
    // The one that waited for its start is not started any more.
    await vi.advanceTimersByTimeAsync(60_000);
    expect(forked).toHaveLength(9);
  });

  it('names the signal that has ended a worker before it listened', async () => {
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    const ended = runWorkers(2, async () => {});
    await vi.advanceTimersByTimeAsync(0);
    forked[0]?.ends(null, 'SIGKILL');
    await ended;
    expect(exit).toHaveBeenCalledWith(1);
    expect(records.at(-1)?.message).toBe(
      'the app has failed: a worker has ended with SIGKILL before it listened; its log says why',
    );
  });
});

describe('the sum of the metrics of workers', () => {
  const client: PrometheusClient = {
    register: {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      metrics: async () => 'own',
      getMetricsAsJSON: async () => [],
    },
    AggregatorRegistry: Object.assign(() => {}, {
      aggregate: (all: unknown) => ({ metrics: async () => JSON.stringify(all) }),
    }),
  };
  const { workers } = cluster;
  let server: MetricsServer;
  let url: string;

  beforeEach(async () => {
    // Nobody waits for a late answer, unless a test lets the time pass.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const address = `127.0.0.1:${await freePort()}`;
    url = `http://${address}/metrics`;
    server = new MetricsServer(client, address);
    await server.start();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await server.close();
    Object.assign(cluster, { workers });
  });

  function started(...all: TrialWorker[]): void {
    Object.assign(cluster, { workers: { ...all } });
    for (const worker of all)
      cluster.emit('message', worker as never, { fw: 'metrics-ready' }, undefined as never);
  }
  const read = async (): Promise<unknown> => (await fetch(url)).json();

  it('has the media type of the registry', async () => {
    started(new TrialWorker('at once'));
    expect((await fetch(url)).headers.get('content-type')).toBe(client.register.contentType);
  });

  it('is asked for again later while no worker has started', async () => {
    Object.assign(cluster, { workers: { 1: new TrialWorker() } });
    const response = await fetch(url);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('does not wait for a worker that ends, or that cannot be asked', async () => {
    const ending = new TrialWorker();
    started(new TrialWorker('at once'), new TrialWorker('cannot be asked'), ending);
    const reading = read();
    await expect.poll(() => ending.asked).toHaveLength(1);
    ending.ends(0, null);
    expect(await reading).toEqual([['now']]);
  });

  it('leaves out a worker that says nothing for 3 s, and what it says then', async () => {
    const slow = new TrialWorker();
    started(new TrialWorker('at once'), slow);
    const first = read();
    await expect.poll(() => slow.asked).toHaveLength(1);
    vi.advanceTimersByTime(3000);
    expect(await first).toEqual([['now']]);
    const second = read();
    await expect.poll(() => slow.asked).toHaveLength(2);
    slow.gives(slow.asked[0] as number, 'late');
    slow.gives(slow.asked[1] as number, 'in time');
    expect(await second).toEqual([['now'], ['in time']]);
  });

  it('is not listened for any more after the end', async () => {
    const listeners = (): number => cluster.listenerCount('message') + cluster.listenerCount('exit');
    const before = listeners();
    await server.close();
    expect(listeners()).toBe(before - 2);
  });

  it('lacks a worker whose metrics cannot be read, which warns', async () => {
    vi.useRealTimers();
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const send = vi.spyOn(process, 'send').mockReturnValue(true);
    const on = vi.spyOn(process, 'on').mockReturnValue(process);
    Object.assign(cluster, { isWorker: true });
    const getMetricsAsJSON = () => Promise.reject(new Error('no disk'));
    const worker = new MetricsServer(client, '127.0.0.1:1', {
      registry: { ...client.register, getMetricsAsJSON },
    });
    try {
      await worker.start();
      const [, hear] = on.mock.calls.find(([event]) => (event as string) === 'message') ?? [];
      hear?.({ fw: 'metrics-wanted', id: 1 });
      await expect
        .poll(() => warn.mock.calls)
        .toEqual([['the metrics of a worker could not be read: Error: no disk']]);
      expect(send.mock.calls).toEqual([[{ fw: 'metrics-ready' }]]);
      await worker.close();
    } finally {
      Object.assign(cluster, { isWorker: false });
      vi.restoreAllMocks();
    }
  });
});
