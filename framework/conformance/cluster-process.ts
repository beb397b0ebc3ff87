// A program of several processes, for tests: `cluster-process.ts`, with its settings as JSON in PROGRAM. It writes JSON lines.
import cluster from 'node:cluster';
import client from 'prom-client';
import { MetricsServer, runWorkers } from '../cluster/index.js';
import { App } from '../index.js';
import { subscribe } from '../tracing/index.js';

/** What it does. */
export interface ClusterProgram {
  readonly count: number;
  readonly port: number;
  readonly metricsPort?: number;
  /** Every worker fails, before it listens. */
  readonly fails?: boolean;
  /** A worker that does not end by itself. */
  readonly hangs?: boolean;
  readonly drainTimeoutMs?: number;
}

const { count, port, metricsPort, fails, hangs, drainTimeoutMs }: ClusterProgram = JSON.parse(
  process.env.PROGRAM ?? '{}',
);
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
subscribe(({ level, message, fields }) => say({ level, message, pid: process.pid, ...fields }));

const registry = new client.Registry();
const requests = new client.Counter({ name: 'requests_total', help: 'Requests', registers: [registry] });
const address = metricsPort === undefined ? undefined : `127.0.0.1:${metricsPort}`;
const primary = new MetricsServer(client, address, { registry });

await runWorkers(
  count,
  async (shutdown) => {
    if (fails) throw new Error('no database');
    const app = new App()
      .onStart(() => primary.start())
      .onClose(() => primary.close())
      .get('/', () => {
        requests.inc();
        return { pid: process.pid };
      })
      .get('/crash', () => process.exit(7));
    await app.listenWithShutdown(`127.0.0.1:${port}`, shutdown);
    say({ message: 'drained', pid: process.pid });
    if (hangs && cluster.isWorker) await new Promise(() => setInterval(() => {}, 1000));
  },
  { primary, ...(drainTimeoutMs !== undefined && { drainTimeoutMs }) },
);
say({ message: 'ended', pid: process.pid });
