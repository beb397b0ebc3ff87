// The public names of `fw/opentelemetry`.
export type { OtelApi, OtelSpan, SpanOptions, TraceHeaders } from './otel-api.js';
export { Traces } from './traces.js';
