// Metrics in the text form of Prometheus, on a port of their own: they tell more than the world should know, and a port
// that no balancer forwards needs no password. This is how Kubernetes, systemd and Prometheus' own exporters do it.
import cluster from 'node:cluster';
import { App, FwError, type Middleware } from 'fw';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export class Metrics {
  readonly registry: Registry = new Registry();
  readonly #seconds: Histogram<'method' | 'route' | 'status'>;
  readonly #inFlight: Gauge;
  /** Runs of jobs by name and outcome: `done` or `failed`, which is tried again. */
  readonly jobs: Counter<'job' | 'outcome'>;

  constructor() {
    const registers = [this.registry];
    this.#seconds = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time until the response began, by method, route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.#inFlight = new Gauge({
      name: 'http_requests_in_flight',
      help: 'Requests that wait for their response',
      registers,
    });
    this.jobs = new Counter({
      name: 'jobs_total',
      help: 'Runs of jobs, by name and outcome',
      labelNames: ['job', 'outcome'],
      registers,
    });
  }

  /** Collects what the process itself tells too: memory, processor time, the event loop, garbage collection. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** A number that is read when somebody asks for the metrics. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** Measures requests. Routes are named by their pattern: clients could invent paths without end. */
  middleware(): Middleware {
    return async (ctx, next) => {
      const end = this.#seconds.startTimer();
      this.#inFlight.inc();
      let status = 500;
      try {
        const response = await next();
        status = response.status;
        return response;
      } catch (error) {
        if (error instanceof FwError) status = error.status;
        throw error;
      } finally {
        this.#inFlight.dec();
        end({ method: ctx.req.method, route: ctx.routePath() ?? 'none', status: String(status) });
      }
    };
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
