// Metrics: measures requests by a middleware, and calls, queries and WebSockets by the channels that publish them.
import diagnostics, { type TracingChannelSubscribers } from 'node:diagnostics_channel';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { methodOf } from '../context/called.js';
import type { Context } from '../context/context.js';
import type { Middleware } from '../context/handlers.js';
import { answered } from '../dispatch/error-response.js';
import type { FwResponse } from '../http/response.js';
import { checkValue } from '../options/check.js';
import { objectWith } from '../options/rules.js';
import type { CallTrace } from '../rpc/procedure/call-channel.js';
import type { QueryTrace } from '../sql/query-watch.js';
import { THIS_RUNTIME } from '../this-runtime.js';
import type { SocketTrace } from '../websocket/socket-channel.js';
import type { Meters } from './meters.js';

/** Upper bounds in seconds, as OpenTelemetry advises for requests. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const BYTES = [128, 1024, 8192, 65_536, 524_288, 4_194_304, 33_554_432];

const METERS = objectWith(
  ['counter', 'upDownCounter', 'histogram', 'gauge', 'close'],
  'prometheus(client) or openTelemetry(meter)',
);

/**
 * Measures an App: its requests by the middleware; calls of RPC, queries, WebSockets, the event loop and the heap of the
 * whole process from now on.
 *
 * ```ts
 * const metrics = new Metrics(prometheus(client));
 * app.use(metrics.middleware()).onClose(() => metrics.close());
 * ```
 */
export class Metrics {
  readonly #meters: Meters;
  readonly #endings: (() => void)[] = [];
  readonly #requests: Middleware;

  /**
   * @param meters makes the instruments: `prometheus(client)` or `openTelemetry(meter)`
   * @throws ConfigError if it is something else; what the library throws for names that are taken
   */
  constructor(meters: Meters) {
    checkValue('new Metrics', 'the meters', meters, METERS);
    this.#meters = meters;
    this.#requests = measuredRequests(meters);
    this.#endings.push(
      measureCalls(meters),
      measureQueries(meters),
      measureSockets(meters),
      measureProcess(meters),
    );
  }

  /** Measures the requests of an App: register it before other middleware, so that their time counts too. */
  middleware(): Middleware {
    return this.#requests;
  }

  /** Ends all measuring, and removes the metrics from the registry of prom-client. */
  close(): void {
    for (const end of this.#endings.splice(0)) end();
    this.#meters.close();
  }
}

function measuredRequests(meters: Meters): Middleware {
  const request = ['http.request.method', 'http.route', 'http.response.status_code'];
  const duration = meters.histogram(
    {
      name: 'http.server.request.duration',
      description: 'Time until the response began',
      unit: 's',
      labels: request,
    },
    SECONDS,
  );
  const active = meters.upDownCounter({
    name: 'http.server.active_requests',
    description: 'Requests that wait for their response',
    unit: '{request}',
    labels: ['http.request.method'],
  });
  const size = (what: 'request' | 'response') =>
    meters.histogram(
      {
        name: `http.server.${what}.body.size`,
        description: `Size of the body of the ${what}, if it is known before it is ${what === 'request' ? 'read' : 'sent'}`,
        unit: 'By',
        labels: request,
      },
      BYTES,
    );
  const [received, sent] = [size('request'), size('response')];
  return async function metrics(ctx, next) {
    const start = performance.now();
    const method = methodOf(ctx.req.method);
    const waiting = { 'http.request.method': method };
    active(1, waiting);
    try {
      const response = await answered(ctx, next);
      const labels = {
        ...waiting,
        'http.route': ctx.routePath() ?? '',
        'http.response.status_code': String(response.status),
      };
      duration((performance.now() - start) / 1000, labels);
      const length = declaredSize(ctx);
      if (length !== undefined) received(length, labels);
      const bytes = method === 'HEAD' ? 0 : sizeOf(response);
      if (bytes !== undefined) sent(bytes, labels);
      return response;
    } finally {
      active(-1, waiting);
    }
  };
}

/** Undefined for a body in chunks, whose size is known at its end. */
function declaredSize({ req }: Context): number | undefined {
  const length = req.header('content-length');
  if (length === undefined) return req.hasBody ? undefined : 0;
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** Undefined for a stream, and for a value that is written later. */
function sizeOf(response: FwResponse): number | undefined {
  if (response.stream !== undefined) return undefined;
  const { content } = response;
  return typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
}

/** As many values of a label as an app has; more come from mistakes, such as a number in the name of an error. */
const MOST_VALUES = 1000;

/** Gives back a value of a label, or `_OTHER` after too many different ones. */
function bounded(): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size === MOST_VALUES) return '_OTHER';
    known.add(value);
    return value;
  };
}

function measureCalls(meters: Meters): () => void {
  const duration = meters.histogram(
    {
      name: 'rpc.server.call.duration',
      description: 'Time until a call of a procedure had its result; of a subscription, until it was open',
      unit: 's',
      labels: ['rpc.method', 'rpc.response.status_code'],
    },
    SECONDS,
  );
  const outcomes = bounded();
  return measureChannel<CallTrace>('fw:rpc', ({ procedure, outcome }, seconds) =>
    duration(seconds, { 'rpc.method': procedure, 'rpc.response.status_code': outcomes(outcome) }),
  );
}

/** The statements that change or read data; others, such as those of migrations, are `_OTHER`. */
const STATEMENTS: ReadonlySet<string> = new Set([
  'begin',
  'commit',
  'delete',
  'insert',
  'merge',
  'replace',
  'rollback',
  'select',
  'update',
  'with',
]);

function measureQueries(meters: Meters): () => void {
  const duration = meters.histogram(
    {
      name: 'db.client.operation.duration',
      description: 'Time until a query had its result',
      unit: 's',
      labels: ['db.operation.name', 'outcome'],
    },
    SECONDS,
  );
  return measureChannel<QueryTrace>('fw:query', (trace, seconds) => {
    const [word = ''] = trace.sql
      .slice(0, 20)
      .toLowerCase()
      .split(/[ \t\r\n(]/, 1);
    const operation = STATEMENTS.has(word) ? word : '_OTHER';
    duration(seconds, {
      'db.operation.name': operation,
      outcome: 'error' in trace ? 'error' : 'ok',
    });
  });
}

/** Calls `ended` with each piece of work on a tracing channel, and with the seconds that it has taken. */
function measureChannel<Trace extends object>(
  name: string,
  ended: (trace: Trace, seconds: number) => void,
): () => void {
  const starts = new WeakMap<object, number>();
  const nothing = (): void => {};
  const subscribers: TracingChannelSubscribers<Trace> = {
    start: (trace) => void starts.set(trace, performance.now()),
    end: nothing,
    asyncStart: nothing,
    asyncEnd(trace) {
      const start = starts.get(trace);
      // One that began before this was subscribed has none.
      if (start !== undefined) ended(trace, (performance.now() - start) / 1000);
    },
    error: nothing,
  };
  const channel = diagnostics.tracingChannel<unknown, Trace>(name);
  channel.subscribe(subscribers);
  return () => channel.unsubscribe(subscribers);
}

function measureSockets(meters: Meters): () => void {
  const open = meters.upDownCounter({
    name: 'fw.websocket.connections',
    description: 'WebSocket connections that are open',
    unit: '{connection}',
    labels: ['http.route'],
  });
  const messages = meters.counter({
    name: 'fw.websocket.messages',
    description: 'Messages of WebSockets, received and sent',
    unit: '{message}',
    labels: ['http.route', 'direction'],
  });
  const hear = (data: unknown): void => {
    const trace = data as SocketTrace;
    const route = { 'http.route': trace.route };
    if (trace.type === 'message') messages(1, { ...route, direction: trace.direction });
    else if (trace.type === 'open') open(1, route);
    else if (trace.type === 'close') open(-1, route);
  };
  diagnostics.subscribe('fw:websocket', hear);
  return () => {
    diagnostics.unsubscribe('fw:websocket', hear);
  };
}

/** Nanoseconds in a second. */
const NANO = 1e9;

/** Measures the process; on Deno and Workers nothing, which do not tell of it. */
function measureProcess(meters: Meters): () => void {
  if (THIS_RUNTIME === 'Deno' || THIS_RUNTIME === 'Workers') return () => {};
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  const seconds = (name: string, description: string, read: () => number): void => {
    // Without a sample, the histogram has no number.
    const known = (): number => (delays.count === 0 ? 0 : read() / NANO);
    const of = {
      name: `nodejs.eventloop.delay.${name}`,
      description,
      unit: 's',
      labels: [],
      together: 'max',
    } as const;
    meters.gauge(of, known);
  };
  seconds('p50', 'Median delay of the event loop', () => delays.percentile(50));
  seconds('p99', '99th percentile of the delay of the event loop', () => delays.percentile(99));
  seconds('max', 'Longest delay of the event loop', () => delays.max);
  let last = performance.eventLoopUtilization();
  meters.gauge(
    {
      name: 'nodejs.eventloop.utilization',
      description: 'The part of the time in which the event loop was busy, since the metrics were read last',
      unit: '1',
      labels: [],
      together: 'average',
    },
    () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
  );
  meters.gauge(
    {
      name: 'v8js.memory.heap.used',
      description: 'Memory that objects of JavaScript take',
      unit: 'By',
      labels: [],
    },
    () => process.memoryUsage().heapUsed,
  );
  return () => delays.disable();
}
