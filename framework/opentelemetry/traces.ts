// Spans of OpenTelemetry for requests, calls of RPC and queries, with the right parents.
import { AsyncLocalStorage } from 'node:async_hooks';
import diagnostics, { type TracingChannelSubscribers } from 'node:diagnostics_channel';
import { methodOf } from '../context/called.js';
import type { Middleware } from '../context/handlers.js';
import { answered } from '../dispatch/error-response.js';
import { asFwError } from '../http/errors.js';
import { checkOptions, checkValue } from '../options/check.js';
import { callback, filled, oneOf, type Rule, type Rules, record } from '../options/rules.js';
import type { CallTrace } from '../rpc/procedure/call-channel.js';
import type { QueryTrace } from '../sql/query-watch.js';
import { withSpan } from '../tracing/span.js';
import { readThrown } from '../tracing/thrown.js';
import {
  ERROR_STATUS,
  KINDS,
  type OtelApi,
  type OtelContext,
  type OtelSpan,
  type SpanOptions,
  type TraceHeaders,
} from './otel-api.js';

const API: Rule = {
  takes: "the module, from import * as otel from '@opentelemetry/api'",
  fault: (value) => (isApi(value) ? undefined : { code: 'FW_OPTION_TYPE' }),
};
const SPAN: Rules<SpanOptions> = {
  kind: oneOf('internal', 'client', 'producer', 'consumer'),
  attributes: record('an object of texts, numbers, true and false'),
  parent: record('what traces.headers() gave'),
};

/** The work around what runs now. */
interface Around {
  /** With the span of that work. */
  readonly context: OtelContext;
  /** What was active when that work began. */
  readonly active: OtelContext;
}

/** What is measured by a tracing channel. */
interface Work<Trace> {
  readonly channel: string;
  begin(trace: Trace): { name: string; kind: number; attributes: Record<string, string> };
  end?(trace: Trace, span: OtelSpan): void;
}

const CALLS: Work<CallTrace> = {
  channel: 'fw:rpc',
  begin: ({ procedure }) => ({
    name: procedure,
    kind: KINDS.internal,
    attributes: { 'rpc.system.name': 'jsonrpc', 'rpc.method': procedure },
  }),
  end({ outcome, error }, span) {
    if (outcome === 'ok') return;
    span.setAttribute('error.type', outcome);
    if (isFault(error)) markFailed(span, error);
  },
};

const QUERIES: Work<QueryTrace> = {
  channel: 'fw:query',
  begin({ sql }) {
    const [operation = ''] = sql.slice(0, 20).split(/[ \t\r\n(]/, 1);
    return {
      name: `query ${operation.toLowerCase()}`,
      kind: KINDS.client,
      attributes: { 'db.query.text': sql, 'db.operation.name': operation.toLowerCase() },
    };
  },
  end(trace, span) {
    if ('error' in trace) markFailed(span, trace.error);
  },
};

/**
 * Makes spans: one for each request, call of a procedure and query. An SDK of OpenTelemetry, which you install and start,
 * sends them; without one they cost next to nothing. Queries have no parameters.
 *
 * ```ts
 * import * as otel from '@opentelemetry/api';
 * const traces = new Traces(otel);
 * app.use(traces.middleware()).onClose(() => traces.close());
 * ```
 *
 * Names are those of OpenTelemetry's semantic conventions. Make one for a process: queries and calls are those of all apps
 * in it.
 */
export class Traces {
  readonly #api: OtelApi;
  readonly #around = new AsyncLocalStorage<Around>();
  readonly #endings: (() => void)[] = [];

  /**
   * @param api the module: `import * as otel from '@opentelemetry/api'`
   * @throws ConfigError if it is something else
   */
  constructor(api: OtelApi) {
    checkValue('new Traces', 'the API', api, API);
    this.#api = api;
    this.#endings.push(this.#watch(CALLS), this.#watch(QUERIES));
  }

  /**
   * A span for each request, which continues the trace of the client (`traceparent`). What is logged inside has the field
   * `trace_id`. Register it before other middleware, so that their time counts too.
   */
  middleware(): Middleware {
    const api = this.#api;
    return function traces(ctx, next) {
      const method = methodOf(ctx.req.method);
      const parent = api.propagation.extract(api.context.active(), incoming(ctx.req));
      const attributes = { 'http.request.method': method, 'url.path': ctx.req.path };
      return inSpan(api, { name: method, kind: KINDS.server, attributes }, parent, async (span) => {
        let thrown: { error: unknown } | undefined;
        const response = await answered(ctx, async () => {
          try {
            return await next();
          } catch (error) {
            thrown = { error };
            throw error;
          }
        });
        const route = ctx.routePath();
        span.setAttribute('http.response.status_code', response.status);
        if (route !== undefined) {
          span.setAttribute('http.route', route);
          span.updateName(`${method} ${route}`);
        }
        // What clients have done wrong is not an error of this server (semantic conventions for HTTP spans, "Status").
        if (response.status >= 500) markFailed(span, thrown?.error, String(response.status));
        return response;
      });
    };
  }

  /**
   * Runs work in a span of its own, such as a job or a call to another server. An error of the work is that of the span.
   *
   * ```ts
   * await traces.run('job mail', { kind: 'consumer', parent: job.trace }, () => send(job));
   * ```
   */
  run<Result>(
    name: string,
    options: SpanOptions | undefined,
    work: (span: OtelSpan) => Promise<Result>,
  ): Promise<Result> {
    checkValue('Traces.run', 'the name', name, filled);
    checkOptions('Traces.run', options, SPAN);
    checkValue('Traces.run', 'the work', work, callback('a function, such as () => …'));
    const { kind = 'internal', attributes = {}, parent } = options ?? {};
    const context =
      parent === undefined
        ? this.#current()
        : this.#api.propagation.extract(this.#api.context.active(), parent);
    return inSpan(this.#api, { name, kind: KINDS[kind], attributes }, context, async (span) => {
      try {
        return await work(span);
      } catch (error) {
        markFailed(span, error);
        throw error;
      }
    });
  }

  /** What to send along with a call or a job, so that whoever gets it continues this trace; empty outside of a span. */
  headers(): TraceHeaders {
    const headers: TraceHeaders = {};
    this.#api.propagation.inject(this.#current(), headers);
    return headers;
  }

  /** Makes no spans of calls and queries any more. */
  close(): void {
    for (const end of this.#endings.splice(0)) end();
  }

  /** The span around what runs now: the one that the app has made itself, if that is the inner one. */
  #current(): OtelContext {
    const active = this.#api.context.active();
    const around = this.#around.getStore();
    return around?.active === active ? around.context : active;
  }

  #watch<Trace extends object>({ channel: name, begin, end }: Work<Trace>): () => void {
    const spans = new WeakMap<object, OtelSpan>();
    const channel = diagnostics.tracingChannel<unknown, Trace>(name);
    const nothing = (): void => {};
    const subscribers: TracingChannelSubscribers<Trace> = {
      start: nothing,
      end: nothing,
      asyncStart: nothing,
      error: nothing,
      asyncEnd(trace) {
        const span = spans.get(trace);
        // Work that began before this was subscribed has none.
        if (span === undefined) return;
        end?.(trace, span);
        span.end();
      },
    };
    channel.subscribe(subscribers);
    channel.start.bindStore(this.#around, (trace) => {
      const { name: spanName, ...options } = begin(trace as Trace);
      const parent = this.#current();
      const span = tracerOf(this.#api).startSpan(spanName, options, parent);
      spans.set(trace as Trace, span);
      return { context: withOtelSpan(this.#api, span, parent), active: this.#api.context.active() };
    });
    return () => {
      channel.unsubscribe(subscribers);
      channel.start.unbindStore(this.#around);
    };
  }
}

/** What a span begins with. */
interface NewSpan {
  readonly name: string;
  readonly kind: number;
  readonly attributes: NonNullable<SpanOptions['attributes']>;
}

async function inSpan<Result>(
  api: OtelApi,
  { name, ...options }: NewSpan,
  parent: OtelContext,
  work: (span: OtelSpan) => Promise<Result>,
): Promise<Result> {
  const span = tracerOf(api).startSpan(name, options, parent);
  try {
    return await api.context.with(withOtelSpan(api, span, parent), () =>
      withSpan(logFields(span), () => work(span)),
    );
  } finally {
    span.end();
  }
}

/** Asked for at each span: an SDK may be started later. */
function tracerOf(api: OtelApi) {
  return api.trace.getTracer('fw');
}

function withOtelSpan(api: OtelApi, span: OtelSpan, context: OtelContext): OtelContext {
  return api.trace.setSpan(context, span as never);
}

function incoming(req: { header(name: string): string | undefined }): TraceHeaders {
  const headers: TraceHeaders = {};
  for (const name of ['traceparent', 'tracestate']) {
    const value = req.header(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

function isApi(value: unknown): value is OtelApi {
  const { trace, context, propagation } = (value ?? {}) as Partial<OtelApi>;
  return (
    typeof trace?.getTracer === 'function' &&
    typeof context?.with === 'function' &&
    typeof propagation?.extract === 'function'
  );
}

/** Whether it is a fault of this server. */
function isFault(error: unknown): boolean {
  return (asFwError(error)?.status ?? 500) >= 500;
}

function markFailed(span: OtelSpan, thrown: unknown, type?: string): void {
  // A copy: an SDK reads what may throw, such as a getter, or a Proxy.
  const { name, message, title, code, frames } = readThrown(thrown);
  if (name !== undefined) {
    const stack = [title, ...frames].join('\n    ');
    span.recordException({ name, message, stack, ...(code === undefined ? {} : { code }) });
  }
  const errorType = name ?? type;
  if (errorType !== undefined) span.setAttribute('error.type', errorType);
  span.setStatus({ code: ERROR_STATUS });
}

/** None without an SDK, whose ids are zeros. */
function logFields(span: OtelSpan): { trace_id?: string } {
  const { traceId } = span.spanContext();
  return /[^0]/.test(traceId) ? { trace_id: traceId } : {};
}
