// Metrics in the text form of Prometheus, on a port of their own: they tell more than the world should know, and a port
// that no balancer forwards needs no password. This is how Kubernetes, systemd and Prometheus' own exporters do it.
import cluster from 'node:cluster';
import { App, type Middleware } from 'fw';
import { Metrics as FwMetrics, prometheus } from 'fw/metrics';
import client, { AggregatorRegistry, Counter, collectDefaultMetrics, Registry } from 'prom-client';

export class Metrics {
  readonly registry: Registry = new Registry();
  /** Requests by route, queries, WebSockets, the event loop and the heap. */
  readonly #fw = new FwMetrics(prometheus(client, this.registry));
  /** Runs of jobs by name and outcome: `done` or `failed`, which is tried again. */
  readonly jobs = new Counter({
    name: 'jobs_total',
    help: 'Runs of jobs, by name and outcome',
    labelNames: ['job', 'outcome'],
    registers: [this.registry],
  });

  /** Collects what the process itself tells too: memory, processor time, the event loop, garbage collection. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Measures requests: it comes before other middleware. */
  middleware(): Middleware {
    return this.#fw.middleware();
  }

  /** Ends the measuring. */
  close(): void {
    this.#fw.close();
  }

  /** In a worker: answers the process that started it, which adds up the metrics of all. */
  shareWithPrimary(): void {
    if (!cluster.isWorker) return;
    AggregatorRegistry.setRegistries(this.registry);
    new AggregatorRegistry();
  }
}

/** The app of METRICS_PORT. @param read gives the metrics, of this process or of all workers */
export function metricsApp(read: () => Promise<string>): App {
  return App.withoutDefaults().get('/metrics', async (ctx) =>
    ctx.header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE).text(await read()),
  );
}

/** The metrics of all workers, added up. */
export function metricsOfWorkers(): () => Promise<string> {
  const all = new AggregatorRegistry();
  return () => all.clusterMetrics();
}
