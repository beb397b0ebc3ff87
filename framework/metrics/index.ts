// The public names of `fw/metrics`.
export type { Instrument, Labels, Meters, Note } from './meters.js';
export { Metrics } from './metrics.js';
export { type OtelMeter, openTelemetry } from './open-telemetry.js';
export { type PromClient, type PromRegistry, prometheus } from './prometheus.js';
