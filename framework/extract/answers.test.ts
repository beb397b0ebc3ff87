// What described routes send: bodies parsed by the schema of their status, and nothing that they do not declare.
import diagnostics from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App, type Context, FwError, Path, type Responses, route } from '../index.js';
import { TestClient } from '../testing/index.js';
import type { FwErrorEvent } from '../tracing/error-channel.js';

const User = z.object({ id: z.string(), name: z.string() });
const row = { id: '7', name: 'Ada', password: 'secret' };

const errors: string[] = [];
const record = (event: unknown) => errors.push(String((event as FwErrorEvent).error));
beforeEach(() => {
  errors.length = 0;
  diagnostics.subscribe('fw:error', record);
});
afterEach(() => diagnostics.unsubscribe('fw:error', record));

/** The client of an App with one route; its handler is not checked by the compiler, as in JavaScript. */
function answering(returns: Responses, handler: (ctx: Context) => unknown): TestClient {
  return new TestClient(new App().get(route('/', { returns }), handler as never));
}

/** Expects a 500 that tells the client nothing, and the cause in the error channel. */
async function fails(returns: Responses, handler: (ctx: Context) => unknown, cause: string): Promise<void> {
  (await answering(returns, handler).get('/'))
    .assertStatus(500)
    .assertJson({ error: 'Internal', message: 'internal server error' });
  expect(errors).toEqual([`Error: ${cause}`]);
}

it('that is not declared has its stream ended', async () => {
  const cancel = vi.fn();
  const body = new ReadableStream({ start: (to) => to.enqueue(Buffer.from('x')), cancel });
  await fails(
    { 200: { contentType: 'text/plain' } },
    () => new Response(body, { status: 201 }),
    "GET / answered 201, and declares 200; add it to 'returns'",
  );
  expect(cancel).toHaveBeenCalledTimes(1);
});

describe('a body', () => {
  it.each<[string, (ctx: Context) => unknown]>([
    ['of a plain value', () => row],
    ['of a promise', async () => row],
    ['of ctx.json', (ctx) => ctx.json(row)],
    ['of a promise of ctx.json', async (ctx) => ctx.json(row)],
  ])('%s has the declared fields alone', async (_of, handler) => {
    const answer = await answering(User, handler).get('/');
    answer.assertStatus(200).assertHeader('content-type', 'application/json');
    answer.assertJson({ id: '7', name: 'Ada' });
  });

  it('is the output of its schema, which may be asynchronous', async () => {
    const Later = z.object({ at: z.date().transform(async (at) => at.getTime()) });
    (await answering(Later, () => ({ at: new Date(5) })).get('/')).assertJson({ at: 5 });
    (await answering(Later, (ctx) => ctx.json({ at: new Date(6) })).get('/')).assertJson({ at: 6 });
  });

  it('keeps what the handler did with its response and its context', async () => {
    const client = answering({ 201: User }, (ctx) => {
      ctx.header('x-queued', '1');
      const response = ctx.json(row, 201);
      response.headers.set('x-own', '2');
      return response;
    });
    const answer = await client.get('/');
    answer.assertStatus(201).assertHeader('x-queued', '1').assertHeader('x-own', '2');
    answer.assertJson({ id: '7', name: 'Ada' });
  });

  it('that the schema refuses is a 500 without the reason', () =>
    fails(
      User,
      () => ({ id: 7, name: 'Ada' }),
      'GET / answered 200 with a body that its schema refuses: id: Invalid input: expected string, received number',
    ));

  it('of ctx.json that the schema refuses is one too', () =>
    fails(
      { 200: User, 409: User },
      (ctx) => ctx.json({ id: '7' }, 409),
      'GET / answered 409 with a body that its schema refuses: name: Invalid input: expected string, received undefined',
    ));

  it('is text or bytes where a content type is declared', async () => {
    const csv = { 200: { contentType: 'text/csv' } };
    (await answering(csv, () => 'a,b').get('/')).assertText('a,b').assertHeader('content-type', 'text/csv');
    (await answering(csv, (ctx) => ctx.text('a,b')).get('/')).assertText('a,b');
    (await answering(csv, () => new Response('a,b')).get('/')).assertText('a,b');
    (await answering(csv, () => new Uint8Array([97])).get('/')).assertText('a');
    await fails(csv, () => ({ a: 1 }), 'GET / answered 200 with an object; text/csv takes a string or bytes');
  });
});

describe('a status', () => {
  const several = { 200: User, 201: User, 404: z.object({ why: z.string() }), 204: null };

  it.each<[Responses, (ctx: Context) => unknown, number]>([
    [several, () => row, 200],
    [several, (ctx) => ctx.json(row, 201), 201],
    [several, (ctx) => ctx.status(201) && row, 201],
    [several, (ctx) => ctx.status(201).json(row), 201],
    [several, (ctx) => ctx.json({ why: 'gone' }, 404), 404],
    [several, (ctx) => void ctx.status(204), 204],
    [{ 201: User, 404: User }, () => row, 201],
    [{ 204: null, 404: User }, () => undefined, 204],
    [{ 204: null }, () => null, 204],
    [{ 304: null, 200: User }, (ctx) => ctx.status(304) && undefined, 304],
    [{ 302: null }, (ctx) => ctx.redirect('/elsewhere'), 302],
    [{ 204: null }, () => new Response(null, { status: 204 }), 204],
  ])('of %j by %s is %d', async (returns, handler, status) => {
    (await answering(returns, handler).get('/')).assertStatus(status);
  });

  it.each<[Responses, (ctx: Context) => unknown, string]>([
    [User, (ctx) => ctx.json(row, 201), "GET / answered 201, and declares 200; add it to 'returns'"],
    [
      { 201: User, 202: User },
      () => row,
      'GET / returned a plain value, and declares 201, 202: say which with ctx.json(value, status)',
    ],
    [
      User,
      (ctx) => ctx.text('Ada'),
      'GET / answered 200 with a response that its schema cannot check; return ctx.json(value, 200)',
    ],
    [
      User,
      () => Response.json(row),
      'GET / answered 200 with a response that its schema cannot check; return ctx.json(value, 200)',
    ],
    [
      { 204: null },
      () => row,
      "GET / answered 204 with a body, and declares none; give it a schema in 'returns'",
    ],
    [
      { 404: null },
      (ctx) => ctx.text('x', 404),
      "GET / answered 404 with a body, and declares none; give it a schema in 'returns'",
    ],
    [
      { 404: null },
      (ctx) => ctx.json(row, 404),
      "GET / answered 404 with a body, and declares none; give it a schema in 'returns'",
    ],
  ])('of %j by %s is refused', (returns, handler, cause) => fails(returns, handler, cause));
});

const refused =
  'a Map has no JSON form, it would be sent as {}; convert it first, as with Object.fromEntries()';

/** Responses with what is wrong with a Map, if ctx.json says so at once. */
function refusal(ctx: Context): unknown {
  try {
    return ctx.json(new Map());
  } catch (error) {
    return ctx.json({ refused: (error as Error).message }, 418);
  }
}

describe('errors', () => {
  it('that are thrown, rejected or returned are answered as always', async () => {
    const gone = FwError.notFound('no user');
    const body = { error: 'NotFound', message: 'no user' };
    for (const handler of [
      () => {
        throw gone;
      },
      async () => Promise.reject(gone),
      () => gone,
    ]) {
      (await answering(User, handler).get('/')).assertStatus(404).assertJson(body);
    }
  });

  it('do not change how ctx.json works afterwards, which refuses a Map at once', async () => {
    const inMiddleware = new App().use((ctx, next) => next().catch(() => refusal(ctx) as never));
    const inOnError = new App().onError((_error, ctx) => refusal(ctx) as never);
    for (const app of [inMiddleware, inOnError]) {
      app.get(route('/async', { returns: User }), () => Promise.reject(new Error('no')));
      app.get(route('/sync', { returns: User }), () => {
        throw new Error('no');
      });
      app.get(route('/answer', { returns: User }), () => ({ id: 7 }) as never);
      for (const path of ['/async', '/sync', '/answer']) {
        (await new TestClient(app).get(path)).assertStatus(418).assertJson({ refused });
      }
    }
  });

  it('are not streams, which a schema of any object would take for one', async () => {
    const app = new App().get(route('/', { returns: z.looseObject({}) }), async function* () {
      yield 'text';
    } as never);
    (await new TestClient(app).get('/')).assertStatus(500);
  });

  it('nor do answers that fit', async () => {
    const app = new App().use(async (ctx, next) => {
      await next();
      return refusal(ctx) as never;
    });
    app.get(route('/', { returns: User }), () => row);
    (await new TestClient(app).get('/')).assertStatus(418).assertJson({ refused });
  });

  it('are checked by the status that was set before', async () => {
    const returns = { 201: User, 202: { contentType: 'text/plain' }, 204: null };
    const app = new App()
      .get(route('/json', { returns }), (ctx) => ctx.status(201).json(row))
      .get(route('/text', { returns }), (ctx) => ctx.status(202).text('later'))
      .get(route('/web', { returns }), (ctx) => {
        ctx.status(204);
        return new Response(null) as never;
      });
    const client = new TestClient(app);
    (await client.get('/json')).assertStatus(201).assertJson({ id: '7', name: 'Ada' });
    (await client.get('/text')).assertStatus(202);
    (await client.get('/web')).assertStatus(204);
  });

  it('come from extractors before the handler runs', async () => {
    const app = new App().get(route('/:id', { returns: User }), Path('id', z.coerce.number()), () => row);
    (await new TestClient(app).get('/x')).assertStatus(400);
    (await new TestClient(app).get('/7')).assertJson({ id: '7', name: 'Ada' });
  });

  it('of an answer that comes after the time-out are not reported', async () => {
    let settled: Promise<unknown> = Promise.resolve();
    const app = new App().requestTimeout(20).onError((_error, ctx) => refusal(ctx) as never);
    app.get(route('/', { returns: User }), (ctx) => {
      const late = new Promise((settle) => ctx.signal.addEventListener('abort', settle));
      const answer = late.then(() => new Promise(setImmediate)).then(() => ctx.json(row));
      settled = answer.then(() => new Promise(setImmediate));
      return answer;
    });
    (await new TestClient(app).get('/')).assertStatus(418).assertJson({ refused });
    await settled;
    expect(errors).toEqual([expect.stringContaining('FwError')]);
  });
});

describe('route()', () => {
  it.each<[unknown, string]>([
    [
      { returns: { ok: User } },
      "'returns' of GET /x has the key 'ok'; give a schema, or statuses from 200 to 599 with their schemas",
    ],
    [{ returns: { 99: User } }, "'returns' of GET /x has the key '99'"],
    [{ returns: {} }, "'returns' of GET /x is empty; give a schema, or leave it out"],
    [
      { returns: { 200: 'User' } },
      "'returns' of GET /x has no schema for 200; give a Standard Schema, { body, headers }, or null for no body",
    ],
    [{ returns: { 200: { body: {} } } }, "'returns' of GET /x has no schema for 200"],
    [
      { returns: { 204: User } },
      "'returns' of GET /x gives 204 a body, which HTTP does not allow; write 204: null",
    ],
    [{ returns: { 205: User } }, "'returns' of GET /x gives 205 a body, which HTTP does not allow"],
    [{ returns: { 304: { contentType: 'text/csv' } } }, 'gives 304 a body, which HTTP does not allow'],
    [
      { returns: { 200: { body: User, contentType: 'text/csv' } } },
      "'returns' of GET /x gives 200 a schema and a contentType",
    ],
    [
      { sumary: 'x' },
      "route('/x') has no option 'sumary'; did you mean 'summary'? there are returns, errors, summary",
    ],
    [{ tags: 'x' }, "route('/x'): tags is 'x'; give a list of"],
    [{ deprecated: 'yes' }, "route('/x'): deprecated is 'yes'; give true or false"],
  ])('refuses %j', (options, message) => {
    expect(() => new App().get(route('/x', options as never), () => 1)).toThrow(message);
  });

  it('is mounted, and answers HEAD, like a path', async () => {
    const users = new App().get(route('/:id', { returns: User }), () => row);
    const client = new TestClient(new App().route('/users', users));
    (await client.get('/users/7')).assertJson({ id: '7', name: 'Ada' });
    (await client.request('HEAD', '/users/7')).assertStatus(200).assertHeader('content-length', '23');
  });
});
