// Errors that are made before any line of the application runs name the route or the procedure, and their schema.
import diagnostics from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App, Form, FwError, Json, Path, Query, Valid } from '../index.js';
import { RpcRegistry } from '../rpc/index.js';
import { TestClient } from '../testing/test-client.js';
import { consoleSubscriber } from './console-subscriber.js';
import type { FwErrorEvent } from './error-channel.js';
import { subscribe } from './subscribe.js';
import { readThrown } from './thrown.js';
import type { TraceMessage } from './trace-channel.js';

let errors: unknown[] = [];
const onError = (message: unknown) => errors.push((message as FwErrorEvent).error);
const onTrace = (message: unknown) => {
  const trace = message as TraceMessage;
  if (trace.type === 'error') errors.push(trace.error);
};
beforeEach(() => {
  errors = [];
  diagnostics.subscribe('fw:error', onError);
});
afterEach(() => {
  diagnostics.unsubscribe('fw:error', onError);
});

const shown = (): string[][] =>
  errors.map((error) => readThrown(error).places.map((one) => one.replace(/\(.*[\\/]/, '(')));

describe('a refused request', () => {
  const schema = z.object({ name: z.string().min(3) });
  const app = new App()
    .post('/valid', Valid(schema), () => 'ok')
    .post('/json', Json(schema), () => 'ok')
    .post('/form', Form(schema), () => 'ok')
    .get('/query', Query(schema), () => 'ok')
    .get('/all/:name', Path(schema), () => 'ok')
    .get('/one/:id', Path('id', z.coerce.number()), () => 'ok');
  const client = new TestClient(app);

  it.each([
    ['Valid', 'POST /valid', () => client.post('/valid', { json: { name: 'a' } })],
    ['Json', 'POST /json', () => client.post('/json', { json: { name: 'a' } })],
    ['Form', 'POST /form', () => client.post('/form', { form: { name: 'a' } })],
    ['Query', 'GET /query', () => client.get('/query?name=a')],
    ['Path', 'GET /all/:name', () => client.get('/all/a')],
    ['Path of one', 'GET /one/:id', () => client.get('/one/x')],
  ])('names the schema of %s and the route', async (_, route, ask) => {
    expect((await ask()).status).toBeGreaterThanOrEqual(400);
    expect(shown()).toEqual([
      [
        expect.stringMatching(/^at schema \(error-places\.test\.ts:3\d:\d+\)$/),
        expect.stringMatching(`^at route ${route} \\(error-places\\.test\\.ts:3\\d:\\d+\\)$`),
      ],
    ]);
  });
});

it('names the route of what middleware refuses, and the newest one of an error that is thrown again', async () => {
  const refused = FwError.unauthorized('who is it?');
  const frozen = Object.freeze(FwError.forbidden('not you'));
  const app = new App()
    .use((ctx, next) => {
      if (ctx.req.path === '/c') throw frozen;
      if (ctx.req.path !== '/d') throw refused;
      return next();
    })
    .get('/a', () => 'a')
    .get('/b', () => 'b')
    .get('/c', () => 'c');
  const client = new TestClient(app);
  for (const path of ['/a', '/b', '/c', '/d']) await client.get(path);
  const [, second, third, unknown] = shown();
  expect(second).toEqual([expect.stringContaining('at route GET /b (error-places.test.ts:')]);
  expect(third).toEqual([]);
  expect(unknown).toEqual([]);
});

it('names the procedure whose input or result is refused, while somebody records', async () => {
  const rpc = new RpcRegistry()
    .query('typed', { input: z.object({ id: z.number() }) }, () => 1)
    .query('odd', { output: z.number() }, () => 'x' as never);
  const client = new TestClient(new App().mountRpc('/rpc', rpc));
  diagnostics.subscribe('fw:trace', onTrace);
  errors = [];
  try {
    const call = { jsonrpc: '2.0', method: 'typed', params: { id: 'x' } };
    await client.post('/rpc', { json: { ...call, id: 1 } });
    await client.post('/rpc', { json: [{ ...call, id: 2 }] });
    await client.post('/rpc', { json: { jsonrpc: '2.0', method: 'odd', id: 3 } });
    // It is on the channel of errors, too.
    errors.pop();
  } finally {
    diagnostics.unsubscribe('fw:trace', onTrace);
  }
  expect(shown()).toEqual([
    [expect.stringMatching(/^at procedure typed \(error-places\.test\.ts:\d+:\d+\)$/)],
    [expect.stringMatching(/^at procedure typed \(error-places\.test\.ts:\d+:\d+\)$/)],
    [expect.stringMatching(/^at procedure odd \(error-places\.test\.ts:\d+:\d+\)$/)],
  ]);
});

it('notes nothing in the enumerable members of an error, which logs show', async () => {
  const app = new App().post('/valid', Valid(z.string()), () => 'ok');
  await new TestClient(app).post('/valid', { json: 1 });
  expect(Object.keys(errors[0] as Error).sort()).toEqual(['issues', 'name', 'status', 'variant']);
});

describe('what cannot have a place in its stack', () => {
  const thrown = (value: unknown) => () => {
    throw value;
  };
  const rpc = new RpcRegistry().query('odd', thrown('x')).subscription('feed', thrown(undefined) as never);
  const app = new App()
    .get('/text', thrown('x'))
    .get('/undefined', thrown(undefined))
    .get('/object', thrown({ a: 1 }))
    .get('/frozen', thrown(Object.freeze(new Error('e'))))
    .get('/proxy', thrown(new Proxy(new Error('e'), {})))
    .get('/late', () => Promise.reject(null))
    .get('/error', thrown(new Error('e')))
    .mountRpc('/rpc', rpc);
  const client = new TestClient(app);
  const call = (method: string) => client.post('/rpc', { json: { jsonrpc: '2.0', method, id: 1 } });

  it.each(['text', 'undefined', 'object', 'frozen', 'proxy', 'late'])(
    'has it in the event: %s',
    async (name) => {
      const [event] = await eventsOf(() => client.get(`/${name}`));
      expect(event?.place).toMatch(
        new RegExp(`^at route GET /${name} \\(.*error-places\\.test\\.ts:\\d+:\\d+\\)$`),
      );
    },
  );

  it('but no other error', async () => {
    const [event] = await eventsOf(() => client.get('/error'));
    expect(event).not.toHaveProperty('place');
  });

  it.each(['odd', 'feed'])('nor does that of a procedure: %s', async (name) => {
    const [event] = await eventsOf(async () => (await call(name)).text());
    expect(event?.place).toMatch(
      new RegExp(`^at procedure ${name} \\(.*error-places\\.test\\.ts:\\d+:\\d+\\)$`),
    );
  });

  it('is printed', async () => {
    const lines: string[] = [];
    const end = subscribe(
      consoleSubscriber({ format: 'pretty', output: { write: (text) => lines.push(text) } }),
    );
    await client.get('/text');
    end();
    expect(lines.join('')).toMatch(/GET \/text failed: x\n {4}at route GET \/text \(.*\)\n$/);
    diagnostics.unsubscribe('fw:error', onError);
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    await client.get('/text');
    expect(print.mock.calls).toEqual([
      [expect.stringMatching(/^GET \/text → 500 'x'\n {4}at route GET \/text \(/)],
    ]);
    print.mockRestore();
  });
});

async function eventsOf(work: () => Promise<unknown>): Promise<FwErrorEvent[]> {
  const events: FwErrorEvent[] = [];
  const collect = (event: unknown): void => void events.push(event as FwErrorEvent);
  diagnostics.subscribe('fw:error', collect);
  await work();
  diagnostics.unsubscribe('fw:error', collect);
  return events;
}
