// Metrics in the text form of Prometheus, on a port of their own: of this process, or of all workers, added up.
import cluster, { type Worker } from 'node:cluster';
import { App } from '../app/app.js';
import { checkOptions, checkValue } from '../options/check.js';
import { matching, objectWith, type Rules } from '../options/rules.js';
import type { RunningServer } from '../runtime/node/listen.js';

/** A `Registry` of prom-client. */
export interface PrometheusRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
  getMetricsAsJSON(): Promise<unknown[]>;
}

/** What is used of the package prom-client. */
export interface PrometheusClient {
  readonly register: PrometheusRegistry;
  readonly AggregatorRegistry: { aggregate(metrics: never[][]): { metrics(): Promise<string> } };
}

export interface MetricsServerOptions {
  /** Where the metrics are; that of the module by default. */
  registry?: PrometheusRegistry;
}

const CLIENT = objectWith(['AggregatorRegistry'], "the module, from import client from 'prom-client'");
const ADDRESS = matching(/:\d{1,5}$/, "a host and a port, such as '127.0.0.1:9464'");
const OPTIONS: Rules<MetricsServerOptions> = {
  registry: objectWith(['metrics', 'getMetricsAsJSON'], 'a Registry of prom-client'),
};

/** A worker that says nothing in this time is left out. */
const ANSWER_MS = 3000;

/** From a worker: it has metrics, or these are they. To a worker: send them. */
type Message =
  | { readonly fw: 'metrics-ready' }
  | { readonly fw: 'metrics-wanted'; readonly id: number }
  | { readonly fw: 'metrics'; readonly id: number; readonly metrics: unknown[] };

/**
 * Serves `GET /metrics` for Prometheus, which must not be reachable from outside.
 *
 * ```ts
 * const metricsServer = new MetricsServer(client, '127.0.0.1:9100');
 * await runWorkers(4, serve, { primary: metricsServer });
 * // in serve:
 * app.onStart(() => metricsServer.start()).onClose(() => metricsServer.close());
 * ```
 *
 * In a process alone it serves the metrics of that process. Among workers, the one that watches them serves the sum of all,
 * and `start` in a worker lets it ask.
 */
export class MetricsServer {
  readonly #client: PrometheusClient;
  readonly #address: string | undefined;
  readonly #registry: PrometheusRegistry;
  #end: () => Promise<void> = async () => {};

  /**
   * @param client the module: `import client from 'prom-client'`
   * @param address such as `127.0.0.1:9100`; without one, nothing is served
   * @throws ConfigError if an argument is something else
   */
  constructor(client: PrometheusClient, address: string | undefined, options: MetricsServerOptions = {}) {
    checkValue('new MetricsServer', 'the client', client, CLIENT);
    if (address !== undefined) checkValue('new MetricsServer', 'the address', address, ADDRESS);
    checkOptions('new MetricsServer', options, OPTIONS);
    this.#client = client;
    this.#address = address;
    this.#registry = options.registry ?? client.register;
  }

  /** @throws Error with the code `EADDRINUSE` and others, as `app.listen` does */
  async start(): Promise<void> {
    if (this.#address === undefined) return;
    if (cluster.isWorker) {
      this.#end = answerPrimary(this.#registry);
      return;
    }
    const workers = new WorkerMetrics();
    const server: RunningServer = await this.#app(workers).listen(this.#address);
    this.#end = async () => {
      workers.close();
      await server.close();
    };
  }

  async close(): Promise<void> {
    const end = this.#end;
    this.#end = async () => {};
    await end();
  }

  #app(workers: WorkerMetrics): App {
    // Whoever reads metrics reads them again.
    const app = App.withoutDefaults().shutdownGracePeriod(100);
    return app.get('/metrics', async (ctx) => {
      const metrics = await this.#read(workers);
      if (metrics !== undefined) return ctx.header('Content-Type', this.#registry.contentType).text(metrics);
      ctx.status(503).header('Retry-After', '1');
      return ctx.text(`no worker has started yet, or answered within ${ANSWER_MS / 1000} seconds\n`);
    });
  }

  async #read(workers: WorkerMetrics): Promise<string | undefined> {
    if (Object.keys(cluster.workers ?? {}).length === 0) return this.#registry.metrics();
    const all = await workers.collect();
    if (all.length === 0) return undefined;
    return this.#client.AggregatorRegistry.aggregate(all as never[][]).metrics();
  }
}

/** In a worker: sends the metrics to the process that started it, when it asks. */
function answerPrimary(registry: PrometheusRegistry): () => Promise<void> {
  const send = (message: Message): void => void process.send?.(message);
  const answer = (message: unknown): void => {
    if (!isMessage(message) || message.fw !== 'metrics-wanted') return;
    const { id } = message;
    registry.getMetricsAsJSON().then(
      (metrics) => send({ fw: 'metrics', id, metrics }),
      (error: unknown) => process.emitWarning(`the metrics of a worker could not be read: ${error}`),
    );
  };
  process.on('message', answer);
  send({ fw: 'metrics-ready' });
  return async () => {
    process.off('message', answer);
  };
}

/** A question to workers that has not all answers yet. */
interface Question {
  answered(worker: Worker, metrics: unknown[]): void;
  gone(worker: Worker): void;
}

/** In the process that watches workers: asks those that are ready. */
class WorkerMetrics {
  readonly #ready = new Set<Worker>();
  readonly #questions = new Map<number, Question>();
  #lastId = 0;

  constructor() {
    cluster.on('message', this.#hear).on('exit', this.#forget);
  }

  close(): void {
    cluster.off('message', this.#hear).off('exit', this.#forget);
  }

  /** The metrics of each worker; without those that die meanwhile, or do not answer. */
  async collect(): Promise<unknown[][]> {
    const all: unknown[][] = [];
    const waiting = new Set([...this.#ready].filter((worker) => worker.isConnected()));
    if (waiting.size === 0) return all;
    const id = ++this.#lastId;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, ANSWER_MS);
      const gone = (worker: Worker): void => {
        waiting.delete(worker);
        if (waiting.size > 0) return;
        clearTimeout(late);
        resolve();
      };
      this.#questions.set(id, {
        gone,
        answered(worker, metrics) {
          if (waiting.has(worker)) all.push(metrics);
          gone(worker);
        },
      });
      const ask: Message = { fw: 'metrics-wanted', id };
      for (const worker of waiting) {
        worker.send(ask, (error) => {
          if (error !== null) gone(worker);
        });
      }
    });
    this.#questions.delete(id);
    return all;
  }

  readonly #hear = (worker: Worker, message: unknown): void => {
    if (!isMessage(message)) return;
    if (message.fw === 'metrics-ready') this.#ready.add(worker);
    else if (message.fw === 'metrics') this.#questions.get(message.id)?.answered(worker, message.metrics);
  };

  readonly #forget = (worker: Worker): void => {
    this.#ready.delete(worker);
    for (const { gone } of this.#questions.values()) gone(worker);
  };
}

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'fw' in message;
}
