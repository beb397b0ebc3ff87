// The public names of `fw/cluster`.
export {
  MetricsServer,
  type MetricsServerOptions,
  type PrometheusClient,
  type PrometheusRegistry,
} from './metrics-server.js';
export { type RunWorkersOptions, runWorkers } from './run-workers.js';
