// Traces: a span for each request, query and job, sent to a collector by OTLP over HTTP. Without an endpoint nothing is
// recorded, and the calls here cost next to nothing.
import diagnostics from 'node:diagnostics_channel';
import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { FwError, type Middleware } from 'fw';
import { withSpan } from 'fw/tracing';
import type { Env } from '../env.ts';

/** `traceparent` and `tracestate` (W3C Trace Context), as header fields and in the data of jobs. */
export type TraceFields = Record<string, string>;

let tracer = trace.getTracer('app');

/** Starts to send spans, if there is a collector; the result sends the last ones and ends it. */
export function startTracing(
  env: Pick<Env, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME'>,
): () => Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: name } = env;
  if (endpoint === undefined) return async () => {};
  // Other variables of OpenTelemetry, such as OTEL_EXPORTER_OTLP_HEADERS and OTEL_TRACES_SAMPLER, hold as well.
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': name }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  // Sets the propagator of `traceparent`, and the context that follows `await`.
  provider.register();
  // The one above would stay without effect where a package manager has installed the API of OpenTelemetry twice.
  tracer = trace.getTracer('app');
  traceQueries();
  return () => provider.shutdown();
}

/** A span for each query, inside the one of its request or job. `fw` publishes queries without their parameters. */
function traceQueries(): void {
  const spans = new WeakMap<object, Span>();
  diagnostics.subscribe('tracing:fw:query:start', (query) => {
    const { sql } = query as { sql: string };
    const [operation = ''] = sql.split(' ', 1);
    const attributes = { 'db.query.text': sql, 'db.operation.name': operation };
    spans.set(query as object, tracer.startSpan(`query ${operation}`, { kind: SpanKind.CLIENT, attributes }));
  });
  diagnostics.subscribe('tracing:fw:query:error', (query) => {
    const span = spans.get(query as object);
    if (span !== undefined) failed(span, (query as { error?: unknown }).error);
  });
  diagnostics.subscribe('tracing:fw:query:asyncEnd', (query) => spans.get(query as object)?.end());
}

/** A span for each request, which continues the trace of the client. What is logged inside has its `trace_id`. */
export function tracing(): Middleware {
  return function tracing(ctx, next) {
    const { method, path } = ctx.req;
    const incoming = { traceparent: ctx.req.header('traceparent'), tracestate: ctx.req.header('tracestate') };
    const parent = propagation.extract(context.active(), incoming);
    const options = {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': method, 'url.path': path },
    };
    return tracer.startActiveSpan(method, options, parent, async (span) => {
      const named = (status: number): void => {
        const route = ctx.routePath();
        span.setAttribute('http.response.status_code', status);
        if (route === undefined) return;
        span.updateName(`${method} ${route}`).setAttribute('http.route', route);
      };
      try {
        const response = await withSpan(idOf(span.spanContext().traceId), next);
        named(response.status);
        if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        return response;
      } catch (error) {
        const status = error instanceof FwError ? error.status : 500;
        named(status);
        // What clients have done wrong is not an error of this server.
        if (status >= 500) failed(span, error);
        throw error;
      } finally {
        span.end();
      }
    });
  };
}

/** Runs work in a span: of a job with the fields of who asked for it, or of a call to another server. */
export function inSpan<Result>(
  name: string,
  kind: 'consumer' | 'client',
  attributes: Attributes,
  work: () => Promise<Result>,
  from?: TraceFields,
): Promise<Result> {
  const parent = from === undefined ? context.active() : propagation.extract(context.active(), from);
  const kinds = { consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };
  return tracer.startActiveSpan(name, { kind: kinds[kind], attributes }, parent, async (span) => {
    try {
      return await withSpan(idOf(span.spanContext().traceId), work);
    } catch (error) {
      failed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** What to send along, so that whoever gets it continues this trace. */
export function outgoingTrace(): TraceFields {
  const fields: TraceFields = {};
  propagation.inject(context.active(), fields);
  return fields;
}

function failed(span: Span, error: unknown): void {
  if (error instanceof Error) span.recordException(error);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** No field without a tracer, whose id would be zeros. */
function idOf(traceId: string): { trace_id?: string } {
  return /[^0]/.test(traceId) ? { trace_id: traceId } : {};
}
