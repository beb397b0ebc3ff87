// What those who run the app see of it: metrics for Prometheus on METRICS_PORT, and traces, sent by OTLP over HTTP.
import * as otel from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { MetricsServer } from 'fw/cluster';
import { Metrics, prometheus } from 'fw/metrics';
import { Traces } from 'fw/opentelemetry';
import client from 'prom-client';
import type { Env } from './env.ts';

type Settings = Pick<Env, 'HOST' | 'METRICS_PORT' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME'>;

export class Telemetry {
  readonly registry: client.Registry = new client.Registry();
  readonly metrics: Metrics = new Metrics(prometheus(client, this.registry));
  readonly traces: Traces = new Traces(otel);
  /** A port that no balancer forwards needs no password. */
  readonly metricsServer: MetricsServer;
  readonly #settings: Settings;
  #provider: NodeTracerProvider | undefined;

  constructor(settings: Settings) {
    const { HOST, METRICS_PORT } = settings;
    const address = METRICS_PORT === undefined ? undefined : `${HOST}:${METRICS_PORT}`;
    this.metricsServer = new MetricsServer(client, address, { registry: this.registry });
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const { METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: name } = this.#settings;
    if (METRICS_PORT !== undefined) client.collectDefaultMetrics({ register: this.registry });
    await this.metricsServer.start();
    if (endpoint === undefined) return;
    // Other variables of OpenTelemetry, such as OTEL_EXPORTER_OTLP_HEADERS and OTEL_TRACES_SAMPLER, hold as well.
    const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
    this.#provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.name': name }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    this.#provider.register();
  }

  /** Sends the last spans. */
  async close(): Promise<void> {
    this.traces.close();
    this.metrics.close();
    await this.metricsServer.close();
    await this.#provider?.shutdown();
  }
}
