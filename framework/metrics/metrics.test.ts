// Metrics with the libraries themselves: prom-client, and the SDK of OpenTelemetry.
import diagnostics from 'node:diagnostics_channel';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import client from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App, FwError } from '../index.js';
import { JsonRpcError, RpcMode, RpcRegistry } from '../rpc/index.js';
import { QueryWatch } from '../sql/query-watch.js';
import { PubSub } from '../streaming/pub-sub.js';
import { TestClient } from '../testing/index.js';
import { connectWebSocket } from '../testing/websocket/index.js';
import { subscribe } from '../tracing/index.js';
import { websocket } from '../websocket/index.js';
import { Metrics, openTelemetry, prometheus } from './index.js';

const open: Metrics[] = [];
afterEach(() => {
  for (const metrics of open.splice(0)) metrics.close();
  vi.restoreAllMocks();
});

function withPrometheus(): { app: App; text: () => Promise<string> } {
  const registry = new client.Registry();
  const metrics = new Metrics(prometheus(client, registry));
  open.push(metrics);
  return { app: new App().use(metrics.middleware()), text: () => registry.metrics() };
}

const samples = (text: string, name: string) =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

const rpc = () =>
  new RpcRegistry()
    .queryWithTypes('count', () => 3, 'void', 'number')
    .mutation('buy', { input: z.object({ n: z.number() }), errors: { soldOut: {} } }, (_, { errors }) => {
      throw errors.soldOut();
    });
const call = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params });

describe('requests', () => {
  it('are counted by method, route and status, with names that clients cannot invent', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { app, text } = withPrometheus();
    app
      .get('/users/:id', () => 'Ada')
      .get('/teapot', () => {
        throw new FwError('Conflict', 'no');
      })
      .get('/crash', () => {
        throw new Error('oops');
      })
      .all('/any', () => 'any');
    const http = new TestClient(app);
    await Promise.all([http.get('/users/1'), http.get('/users/2')]);
    await http.get('/teapot');
    await http.get('/crash');
    await http.get('/nowhere/1');
    await http.request('BREW', '/any');
    const counted = samples(await text(), 'http_server_request_duration_seconds_count');
    const line = (method: string, route: string, status: number, count: number) =>
      `http_server_request_duration_seconds_count{http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"} ${count}`;
    expect(counted).toEqual([
      line('GET', '/users/:id', 200, 2),
      line('GET', '/teapot', 409, 1),
      line('GET', '/crash', 500, 1),
      line('GET', '', 404, 1),
      line('_OTHER', '/any', 200, 1),
    ]);
  });

  it('are in flight until their response, also if middleware inside throws', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { app, text } = withPrometheus();
    let inside: string[] = [];
    app.get('/', async () => {
      inside = samples(await text(), 'http_server_active_requests');
      throw new Error('oops');
    });
    await new TestClient(app).get('/');
    expect(inside).toEqual(['http_server_active_requests{http_request_method="GET"} 1']);
    expect(samples(await text(), 'http_server_active_requests')).toEqual([
      'http_server_active_requests{http_request_method="GET"} 0',
    ]);
  });

  it('have no size of a body in chunks, and send none for HEAD', async () => {
    const { app, text } = withPrometheus();
    app.all('/', async (ctx) => `got ${await ctx.req.text()}`);
    const server = await app.listen(0);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('abc'));
        controller.close();
      },
    });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect(await (await fetch(server.url, init)).text()).toBe('got abc');
    await fetch(server.url, { method: 'HEAD' });
    await server.close();
    const said = await text();
    const counted = (what: string) =>
      ['count', 'sum'].map((kind) =>
        samples(said, `http_server_${what}_body_size_bytes_${kind}`).map((line) =>
          line.replace(/^.*method="([A-Z]+)".* /, '$1 '),
        ),
      );
    expect(counted('request')).toEqual([['HEAD 1'], ['HEAD 0']]);
    expect(counted('response')).toEqual([
      ['POST 1', 'HEAD 1'],
      ['POST 7', 'HEAD 0'],
    ]);
  });

  it('have the sizes of their bodies, as far as they are known', async () => {
    const { app, text } = withPrometheus();
    app
      .post('/echo', async (ctx) => `é${await ctx.req.text()}`)
      .get('/stream', (ctx) =>
        ctx.stream(
          (async function* () {
            yield 'x';
          })(),
        ),
      );
    const http = new TestClient(app);
    await http.post('/echo', { body: 'abc', headers: { 'content-length': '3' } });
    await http.get('/stream');
    const said = await text();
    const of = (route: string, what: string) =>
      samples(said, `http_server_${what}_body_size_bytes_sum`).filter((one) => one.includes(`"${route}"`));
    expect(of('/echo', 'request')[0]).toMatch(/ 3$/);
    expect(of('/echo', 'response')[0]).toMatch(/ 5$/);
    expect(of('/stream', 'response')).toEqual([]);
  });
});

it('measures in seconds, and bytes of bodies of every kind', async () => {
  let now = 1_000_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const { app, text } = withPrometheus();
  const takes = (ms: number) => {
    now += ms;
  };
  app
    .get('/slow', () => {
      takes(250);
      return new Uint8Array(7);
    })
    .post('/empty', () => new Response(null, { status: 204 }));
  const http = new TestClient(app);
  await http.get('/slow');
  await http.post('/empty', { body: '', headers: { 'content-length': '0' } });
  await new RpcRegistry().queryWithTypes('wait', () => takes(500), 'void', 'void').call('wait', undefined);
  await new QueryWatch().run({ sql: ' select 1', parameters: [] }, async () => takes(2_000));
  await new QueryWatch().run({ sql: 'delete\nfrom t', parameters: [] }, async () => takes(3_000));
  const said = await text();
  const sumOf = (name: string, label: string) =>
    samples(said, `${name}_sum`)
      .find((one) => one.includes(`"${label}"`))
      ?.split(' ')
      .at(-1);
  expect(sumOf('http_server_request_duration_seconds', '/slow')).toBe('0.25');
  expect(sumOf('rpc_server_call_duration_seconds', 'wait')).toBe('0.5');
  expect(sumOf('db_client_operation_duration_seconds', '_OTHER')).toBe('2');
  expect(sumOf('db_client_operation_duration_seconds', 'delete')).toBe('3');
  expect(sumOf('http_server_response_body_size_bytes', '/slow')).toBe('7');
  const counted = samples(said, 'http_server_request_body_size_bytes_count');
  expect(counted.find((one) => one.includes('"/empty"'))).toMatch(/ 1$/);
  expect(said).toContain(
    '# HELP http_server_request_body_size_bytes Size of the body of the request, if it is known before it is read',
  );
  expect(said).toContain(
    '# HELP http_server_response_body_size_bytes Size of the body of the response, if it is known before it is sent',
  );
});

it('measures no work that began before it', async () => {
  let end = () => {};
  const began = new QueryWatch().run(
    { sql: 'select 1', parameters: [] },
    () =>
      new Promise<void>((done) => {
        end = done;
      }),
  );
  const { text } = withPrometheus();
  end();
  await began;
  expect(samples(await text(), 'db_client_operation_duration_seconds_count')).toEqual([]);
});

it('measures calls of RPC by procedure and outcome', async () => {
  const { app, text } = withPrometheus();
  const http = new TestClient(app.mountRpc('/rpc', rpc()));
  await http.post('/rpc', { json: [call('count'), call('count'), call('buy', { n: 1 }), call('invented')] });
  await http.post('/rpc', { json: call('buy', { n: 'x' }) });
  const line = (method: string, outcome: string, count: number) =>
    `rpc_server_call_duration_seconds_count{rpc_method="${method}",rpc_response_status_code="${outcome}"} ${count}`;
  expect(samples(await text(), 'rpc_server_call_duration_seconds_count').sort()).toEqual([
    line('buy', '-32602', 1),
    line('buy', 'soldOut', 1),
    line('count', 'ok', 2),
  ]);
});

it.each([
  ['JSON-RPC', RpcMode.JsonRpc],
  ['REST', RpcMode.Rest],
] as const)(
  'measures subscriptions over %s: those that are cut off are good, those that are refused are not',
  async (_, mode) => {
    const { app, text } = withPrometheus();
    const changes = new PubSub<number>({ capacity: 1 });
    const rpc = RpcRegistry.withMode(mode)
      .subscription('follow', (_: undefined, { signal }) => {
        const subscription = changes.subscribe('a', { signal });
        for (const message of [1, 2]) changes.publish('a', message);
        return subscription;
      })
      .subscription('refused', () => {
        throw FwError.forbidden('not yours');
      });
    const isRest = mode === RpcMode.Rest;
    const http = new TestClient(isRest ? app.mountRest('/rpc', rpc) : app.mountRpc('/rpc', rpc));
    for (const method of ['follow', 'refused']) {
      await (isRest ? http.get(`/rpc/${method}`) : http.post('/rpc', { json: call(method) }));
    }
    const all = await text();
    const line = (method: string, outcome: string) =>
      `rpc_server_call_duration_seconds_count{rpc_method="${method}",rpc_response_status_code="${outcome}"} 1`;
    expect(samples(all, 'rpc_server_call_duration_seconds_count').sort()).toEqual([
      line('follow', 'ok'),
      line('refused', '-32003'),
    ]);
    const active = samples(all, 'http_server_active_requests');
    expect(active).toEqual([
      `http_server_active_requests{http_request_method="${isRest ? 'GET' : 'POST'}"} 0`,
    ]);
  },
);

it('measures queries by their first word', async () => {
  const { text } = withPrometheus();
  const watch = new QueryWatch();
  await watch.run({ sql: 'SELECT(1)', parameters: [] }, async () => 1);
  watch.run({ sql: 'insert into t values (1)', parameters: undefined }, () => 1);
  expect(() =>
    watch.run({ sql: "vacuum 'x'", parameters: [] }, () => {
      throw new Error('no');
    }),
  ).toThrow();
  const line = (word: string, outcome: string) =>
    `db_client_operation_duration_seconds_count{db_operation_name="${word}",outcome="${outcome}"} 1`;
  expect(samples(await text(), 'db_client_operation_duration_seconds_count').sort()).toEqual([
    line('_OTHER', 'error'),
    line('insert', 'ok'),
    line('select', 'ok'),
  ]);
});

it('counts connections and messages of WebSockets', async () => {
  const { app, text } = withPrometheus();
  app.websocket('/rooms/:room', websocket({ onMessage: (socket, message) => void socket.send(message) }));
  app.websocket('/broken', websocket({ onMessage: () => Promise.reject(new Error('broken')) }));
  const socket = await connectWebSocket(app, '/rooms/1');
  socket.send('a');
  await socket.nextText();
  socket.send('b');
  await socket.nextText();
  const during = await text();
  expect(samples(during, 'fw_websocket_connections')).toEqual([
    'fw_websocket_connections{http_route="/rooms/:room"} 1',
  ]);
  expect(samples(during, 'fw_websocket_messages_total')).toEqual([
    'fw_websocket_messages_total{http_route="/rooms/:room",direction="received"} 2',
    'fw_websocket_messages_total{http_route="/rooms/:room",direction="sent"} 2',
  ]);
  await socket.close();
  await expect
    .poll(async () => samples(await text(), 'fw_websocket_connections'))
    .toEqual(['fw_websocket_connections{http_route="/rooms/:room"} 0']);
  // One whose callback throws ends once, too.
  const unsubscribe = subscribe(() => {});
  const broken = await connectWebSocket(app, '/broken');
  broken.send('x');
  await broken.closed;
  unsubscribe();
  await expect
    .poll(async () => samples(await text(), 'fw_websocket_connections'))
    .toContain('fw_websocket_connections{http_route="/broken"} 0');
});

it('knows the event loop and the heap', async () => {
  const { text } = withPrometheus();
  const delays = ['delay_p50_seconds', 'delay_p99_seconds', 'delay_max_seconds'];
  const valuesOf = (said: string, names: readonly string[]) =>
    names.map((name) => Number(samples(said, `nodejs_eventloop_${name}`)[0]?.split(' ')[1]));
  const said = await text();
  expect(samples(said, 'v8js_memory_heap_used_bytes')[0]).toMatch(/ \d{6,}$/);
  // Without a sample.
  expect(valuesOf(said, delays)).toEqual([0, 0, 0]);
  const [utilization = -1] = valuesOf(said, ['utilization_ratio']);
  expect(utilization).toBeGreaterThanOrEqual(0);
  expect(utilization).toBeLessThanOrEqual(1);
  await expect.poll(async () => valuesOf(await text(), delays)[0]).toBeGreaterThan(0);
  const [p50 = 0, p99 = 0, max = 0] = valuesOf(await text(), delays);
  expect(p99).toBeGreaterThanOrEqual(p50);
  expect(max).toBeGreaterThanOrEqual(p50);
  // Seconds: the test itself takes less.
  expect(max).toBeLessThan(60);
});

it('takes only so many outcomes, which an app may make up', async () => {
  const { text } = withPrometheus();
  const registry = new RpcRegistry().queryWithTypes(
    'odd',
    ({ code }: { code: number }) => {
      throw new JsonRpcError(code, 'no');
    },
    '{ code: number }',
    'number',
  );
  for (let code = 1; code <= 1100; code += 1) {
    await expect(registry.call('odd', { code })).rejects.toThrow('no');
  }
  await expect(registry.call('odd', { code: 1 })).rejects.toThrow('no');
  const counts = samples(await text(), 'rpc_server_call_duration_seconds_count');
  expect(counts).toHaveLength(1001);
  expect(counts[0]).toBe(
    'rpc_server_call_duration_seconds_count{rpc_method="odd",rpc_response_status_code="1"} 2',
  );
  expect(counts).toContain(
    'rpc_server_call_duration_seconds_count{rpc_method="odd",rpc_response_status_code="_OTHER"} 100',
  );
});

it('measures nothing after it was closed, and can be made again in the same registry', async () => {
  const registry = new client.Registry();
  const first = new Metrics(prometheus(client, registry));
  expect(() => new Metrics(prometheus(client, registry))).toThrow(/already been registered/);
  first.close();
  expect(await registry.metrics()).not.toContain('http_server');
  for (const name of ['fw:rpc', 'fw:query']) {
    expect(diagnostics.tracingChannel(name).asyncEnd.hasSubscribers, name).toBe(false);
    expect(diagnostics.tracingChannel(name).start.hasSubscribers, name).toBe(false);
  }
  expect(diagnostics.channel('fw:websocket').hasSubscribers).toBe(false);
  const second = new Metrics(prometheus(client, registry));
  open.push(second);
  await rpc().call('count', undefined);
  expect(samples(await registry.metrics(), 'rpc_server_call_duration_seconds_count')).toHaveLength(1);
});

it('gives the same to a meter of OpenTelemetry, in its names', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  const metrics = new Metrics(openTelemetry(provider.getMeter('app')));
  open.push(metrics);
  const app = new App()
    .use(metrics.middleware())
    .mountRpc('/rpc', rpc())
    .websocket('/live', websocket({ onMessage: (socket, message) => void socket.send(message) }));
  await new TestClient(app).post('/rpc', { json: call('count') });
  const socket = await connectWebSocket(app, '/live');
  socket.send('a');
  await socket.nextText();
  await provider.forceFlush();
  const found = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  const named = new Map(found.map((metric) => [metric.descriptor.name, metric]));
  expect(named.get('http.server.request.duration')).toMatchObject({
    descriptor: { unit: 's' },
    dataPoints: expect.arrayContaining([
      expect.objectContaining({
        attributes: {
          'http.request.method': 'POST',
          'http.route': '/rpc',
          'http.response.status_code': '200',
        },
      }),
    ]),
  });
  expect(named.get('rpc.server.call.duration')?.dataPoints[0]?.attributes).toEqual({
    'rpc.method': 'count',
    'rpc.response.status_code': 'ok',
  });
  expect(named.get('v8js.memory.heap.used')?.dataPoints[0]?.value).toBeGreaterThan(1e6);
  const pointsOf = (name: string) =>
    named.get(name)?.dataPoints.map(({ attributes, value }) => ({ attributes, value }));
  expect(pointsOf('http.server.active_requests')).toContainEqual({
    attributes: { 'http.request.method': 'POST' },
    value: 0,
  });
  expect(pointsOf('fw.websocket.connections')).toEqual([{ attributes: { 'http.route': '/live' }, value: 1 }]);
  expect(pointsOf('fw.websocket.messages')).toEqual(
    ['received', 'sent'].map((direction) => ({ attributes: { 'http.route': '/live', direction }, value: 1 })),
  );
  expect(pointsOf('rpc.server.call.duration')).toMatchObject([
    { value: { buckets: { boundaries: [0.005, 0.01, ...Array(11).fill(expect.any(Number)), 10] } } },
  ]);
  await socket.close();
  metrics.close();
  exporter.reset();
  await provider.forceFlush();
  // The SDK gives the last value again; nothing was read.
  const last = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
    .find(({ descriptor }) => descriptor.name === 'v8js.memory.heap.used');
  expect(last?.dataPoints[0]?.value).toBe(pointsOf('v8js.memory.heap.used')?.[0]?.value);
  await provider.shutdown();
});

it('takes a meter that has all that it uses', () => {
  const meter = { createCounter() {}, createHistogram() {}, createObservableGauge() {} };
  expect(() => openTelemetry(meter as never)).toThrow(
    "openTelemetry: the meter is an object; give a meter of OpenTelemetry, such as metrics.getMeter('app')",
  );
});
