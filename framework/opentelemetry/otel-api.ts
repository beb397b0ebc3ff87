// What is used of the package @opentelemetry/api, so that an app chooses its version, or none.

/** `traceparent` and `tracestate` (W3C Trace Context, section 3): headers, or fields of the data of a job. */
export type TraceHeaders = Record<string, string>;

/** A value of an attribute of a span. */
type Value = string | number | boolean;

/** A span of OpenTelemetry. */
export interface OtelSpan {
  setAttribute(name: string, value: Value): unknown;
  updateName(name: string): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(error: Error): void;
  end(): void;
  spanContext(): { readonly traceId: string; readonly spanId: string };
}

/** A context of OpenTelemetry, which is only passed on. */
export type OtelContext = object;

interface Tracer {
  startSpan(
    name: string,
    options: { kind?: number; attributes?: Record<string, Value> },
    context?: OtelContext,
  ): OtelSpan;
}

/** The module `@opentelemetry/api`: `import * as otel from '@opentelemetry/api'`. */
export interface OtelApi {
  readonly trace: {
    getTracer(name: string): Tracer;
    setSpan(context: OtelContext, span: never): OtelContext;
  };
  readonly context: {
    active(): OtelContext;
    with<Result>(context: OtelContext, work: () => Result): Result;
  };
  readonly propagation: {
    extract(context: OtelContext, carrier: object): OtelContext;
    inject(context: OtelContext, carrier: object): void;
  };
}

/** The kinds of spans, with their numbers in the API. */
export const KINDS = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 } as const;

export interface SpanOptions {
  /** What the work is: `consumer` for a job, `client` for a call to another server; `internal` by default. */
  kind?: Exclude<keyof typeof KINDS, 'server'>;
  attributes?: Record<string, Value>;
  /** What `traces.headers()` gave to whoever asked for the work, such as in the data of a job; the work is part of that trace. */
  parent?: TraceHeaders;
}

/** `ERROR` of the status codes. */
export const ERROR_STATUS = 2;
