// Spans with the SDK of OpenTelemetry itself: of requests, calls, queries and own work, with their parents.
import { runInNewContext } from 'node:vm';
import * as otel from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App, FwError } from '../index.js';
import { RpcRegistry } from '../rpc/index.js';
import { QueryWatch } from '../sql/query-watch.js';
import { PubSub } from '../streaming/pub-sub.js';
import { TestClient } from '../testing/index.js';
import { subscribe } from '../tracing/index.js';
import { Traces } from './index.js';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
beforeAll(() => provider.register());
afterAll(() => provider.shutdown());

let traces: Traces;
beforeEach(() => {
  traces = new Traces(otel);
});
afterEach(() => {
  traces.close();
  exporter.reset();
  vi.restoreAllMocks();
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const remote = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };

/** The spans by their names, with the name of the parent. */
function spans() {
  const all = exporter.getFinishedSpans();
  return all.map((span) => {
    const parent = span.parentSpanContext?.spanId;
    return {
      name: span.name,
      kind: span.kind,
      parent: all.find((one) => one.spanContext().spanId === parent)?.name ?? parent,
      attributes: span.attributes,
      status: span.status.code,
      trace: span.spanContext().traceId,
      exceptions: span.events.map(({ attributes }) => attributes?.['exception.message']),
    };
  });
}

const named = (name: string) => spans().find((span) => span.name === name);
const query = (sql: string) => new QueryWatch().run({ sql, parameters: ['secret'] }, async () => 1);

describe('requests', () => {
  it('are spans named by their route, which continue the trace of the client', async () => {
    const app = new App().use(traces.middleware()).get('/users/:id', async () => {
      await query('select * from users where id = ?');
      return 'Ada';
    });
    await new TestClient(app).get('/users/7', { headers: { ...remote, tracestate: 'vendor=a:1' } });
    const states = exporter.getFinishedSpans().map((span) => span.spanContext().traceState?.serialize());
    expect(states).toEqual(['vendor=a:1', 'vendor=a:1']);
    expect(named('GET /users/:id')).toEqual({
      name: 'GET /users/:id',
      kind: otel.SpanKind.SERVER,
      parent: 'b7ad6b7169203331',
      attributes: {
        'http.request.method': 'GET',
        'url.path': '/users/7',
        'http.route': '/users/:id',
        'http.response.status_code': 200,
      },
      status: otel.SpanStatusCode.UNSET,
      trace: traceId,
      exceptions: [],
    });
    expect(named('query select')).toMatchObject({
      kind: otel.SpanKind.CLIENT,
      parent: 'GET /users/:id',
      trace: traceId,
      attributes: {
        'db.query.text': 'select * from users where id = ?',
        'db.operation.name': 'select',
      },
    });
    expect(JSON.stringify(spans())).not.toContain('secret');
  });

  it('fail with an error of the server, and not with one of the client', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = new App()
      .use(traces.middleware())
      .get('/crash', () => {
        throw new TypeError('oops');
      })
      .get('/missing', () => {
        throw FwError.notFound('no such thing');
      });
    const http = new TestClient(app);
    await http.get('/crash');
    await http.get('/missing');
    await http.get('/nowhere');
    await http.request('BREW', '/crash');
    expect(named('GET /crash')).toMatchObject({
      status: otel.SpanStatusCode.ERROR,
      exceptions: ['oops'],
      attributes: { 'http.response.status_code': 500, 'error.type': 'TypeError' },
    });
    expect(named('GET /missing')).toMatchObject({ status: otel.SpanStatusCode.UNSET, exceptions: [] });
    // Clients can make up neither names nor values.
    expect(named('GET')?.attributes).not.toHaveProperty('http.route');
    expect(spans().some(({ name }) => name.includes('BREW'))).toBe(false);
  });

  it('give what is logged inside the id of their trace', async () => {
    const logged: unknown[] = [];
    const unsubscribe = subscribe(({ message, span }) => message === 'here' && logged.push(span.trace_id));
    const app = new App().use(traces.middleware()).get('/', (ctx) => {
      ctx.log.info('here');
      return 'x';
    });
    await new TestClient(app).get('/', { headers: remote });
    unsubscribe();
    expect(logged).toEqual([traceId]);
  });
});

describe('calls of RPC', () => {
  const rpc = () =>
    new RpcRegistry()
      .queryWithTypes(
        'count',
        async () => {
          await query('SELECT count(*)');
          return 3;
        },
        'void',
        'number',
      )
      .mutation('buy', { input: z.object({}), errors: { soldOut: {} } }, (_, { errors }) => {
        throw errors.soldOut();
      })
      .queryWithTypes(
        'crash',
        () => {
          throw new Error('oops');
        },
        'void',
        'void',
      );
  const call = (method: string, id = 1) => ({ jsonrpc: '2.0', id, method, params: {} });

  it('are spans in the request, each of a batch, and their queries are inside them', async () => {
    const app = new App().use(traces.middleware()).mountRpc('/rpc', rpc());
    await new TestClient(app).post('/rpc', {
      json: [{ jsonrpc: '2.0', id: 1, method: 'count' }, call('buy', 2)],
    });
    expect(named('count')).toMatchObject({
      parent: 'POST /rpc',
      attributes: { 'rpc.system.name': 'jsonrpc', 'rpc.method': 'count' },
    });
    expect(named('query select')).toMatchObject({ parent: 'count' });
    expect(named('buy')).toMatchObject({
      parent: 'POST /rpc',
      status: otel.SpanStatusCode.UNSET,
      attributes: { 'error.type': 'soldOut' },
    });
  });

  it('fail with an error of the server', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = new App().use(traces.middleware()).mountRpc('/rpc', rpc());
    await new TestClient(app).post('/rpc', { json: { jsonrpc: '2.0', id: 1, method: 'crash' } });
    expect(named('crash')).toMatchObject({ status: otel.SpanStatusCode.ERROR, exceptions: ['oops'] });
  });
});

describe('a response that is cut off because its subscriber has missed messages', () => {
  it('has spans that have ended, and have not failed', async () => {
    const changes = new PubSub<number>({ capacity: 1 });
    const follow = (signal: AbortSignal) => {
      const subscription = changes.subscribe('a', { signal });
      for (const message of [1, 2]) changes.publish('a', message);
      return subscription;
    };
    async function* texts(signal: AbortSignal) {
      for await (const message of follow(signal)) yield String(message);
    }
    const rpc = new RpcRegistry().subscription('follow', (_: undefined, { signal }) => follow(signal));
    const app = new App()
      .use(traces.middleware())
      .mountRpc('/rpc', rpc)
      .get('/stream', (ctx) => ctx.stream(texts(ctx.signal)));
    await new TestClient(app).post('/rpc', { json: { jsonrpc: '2.0', id: 1, method: 'follow' } });
    await expect(new TestClient(app).get('/stream')).rejects.toThrow();
    for (const name of ['POST /rpc', 'follow', 'GET /stream']) {
      expect(named(name)).toMatchObject({ status: otel.SpanStatusCode.UNSET, exceptions: [] });
    }
  });
});

describe('own work', () => {
  it('continues the trace of whoever asked for it', async () => {
    let headers = {};
    await traces.run('GET /', {}, async () => {
      headers = traces.headers();
    });
    expect(headers).toEqual({ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) });
    await traces.run('job mail', { kind: 'consumer', parent: headers, attributes: { 'job.id': 7 } }, () =>
      query('update mails'),
    );
    expect(named('job mail')).toMatchObject({
      parent: 'GET /',
      kind: otel.SpanKind.CONSUMER,
      attributes: { 'job.id': 7 },
      trace: named('GET /')?.trace,
    });
    expect(named('query update')).toMatchObject({ parent: 'job mail' });
  });

  it('is inside a call of RPC, and queries are inside a span that the app has made itself', async () => {
    const rpc = new RpcRegistry().queryWithTypes(
      'all',
      () =>
        traces.run('own', {}, () =>
          otel.trace.getTracer('app').startActiveSpan('inner', async (span) => {
            await query('select 1');
            span.end();
          }),
        ),
      'void',
      'void',
    );
    await rpc.call('all', undefined);
    expect(named('own')).toMatchObject({ parent: 'all' });
    expect(named('inner')).toMatchObject({ parent: 'own' });
    expect(named('query select')).toMatchObject({ parent: 'inner' });
  });

  it('fails with its error, which is passed on', async () => {
    const error = new Error('no mail server');
    await expect(traces.run('job', {}, () => Promise.reject(error))).rejects.toBe(error);
    expect(named('job')).toMatchObject({
      status: otel.SpanStatusCode.ERROR,
      exceptions: ['no mail server'],
    });
  });
});

it('makes no spans of queries after its end, and two ends are one', async () => {
  traces.close();
  traces.close();
  const begun = vi.spyOn(otel.trace, 'getTracer');
  await query('select 1');
  expect(spans()).toEqual([]);
  expect(begun).not.toHaveBeenCalled();
});

describe('anything can be thrown', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const hostile = Object.create(TypeError.prototype, {
    message: {
      get() {
        throw new Error('from the getter');
      },
    },
    stack: { get: () => proxy },
  }) as Error;
  const ofAnotherRealm = runInNewContext("new RangeError('elsewhere')") as Error;

  it.each([
    ['a revoked Proxy', proxy, []],
    ['an error whose getters throw', hostile, ['TypeError']],
    ['an error of another realm', ofAnotherRealm, ['elsewhere']],
    ['a text', 'no', []],
    ['nothing', undefined, []],
  ])('in calls, requests, queries and own work: %s', async (_, thrown, exceptions) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const fail = () => {
      throw thrown;
    };
    const rpc = new RpcRegistry().queryWithTypes('call', fail, 'void', 'void');
    const app = new App().use(traces.middleware()).get('/crash', fail).mountRpc('/rpc', rpc);
    const http = new TestClient(app);
    await http.get('/crash');
    await http.post('/rpc', { json: { jsonrpc: '2.0', id: 1, method: 'call' } });
    const failed = async () => fail();
    const query = new QueryWatch().run({ sql: 'select 1', parameters: [] }, failed);
    await expect(query).rejects.toBeDefined();
    const job = await traces.run('job', {}, failed).catch((error: unknown) => ({ error }));
    expect(Object.is((job as { error: unknown }).error, thrown)).toBe(true);
    expect(named('query select')).toMatchObject({ status: otel.SpanStatusCode.ERROR });
    for (const name of ['GET /crash', 'call', 'job'])
      expect(named(name)).toMatchObject({ status: otel.SpanStatusCode.ERROR, exceptions });
  });
});

it('marks a query that failed', async () => {
  const work = async () => {
    throw new Error('disk full');
  };
  await expect(new QueryWatch().run({ sql: 'insert into t', parameters: [] }, work)).rejects.toThrow();
  expect(named('query insert')).toMatchObject({ status: otel.SpanStatusCode.ERROR });
});
