// Routes that take the body alone answer like all others, and what is around them is not passed by.
import diagnostics from 'node:diagnostics_channel';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
import { Context } from '../context/context.js';
import { Json } from '../extract/json.js';
import { route } from '../extract/route.js';
import { FwResponse } from '../http/response.js';

const Item = z.object({ name: z.string() });

function post(app: App, body: string, path = '/items?q=1', headers: Record<string, string> = {}) {
  const fields = { 'content-type': 'application/json', ...headers };
  return app.oneshot(new Request(`http://x${path}`, { method: 'POST', body, headers: fields }));
}

/** The same route with and without something that takes the context. */
function both(register: (app: App) => unknown): [alone: App, behind: App] {
  const [alone, behind] = [new App(), new App().use((_, next) => next())];
  register(alone);
  register(behind);
  return [alone, behind];
}

async function seen(response: Response): Promise<[status: number, fields: object, text: string]> {
  return [response.status, Object.fromEntries(response.headers), await response.text()];
}

const results: [string, () => unknown][] = [
  ['a plain object', () => ({ a: 1 })],
  ['a promise of one', async () => ({ a: 1 })],
  // biome-ignore lint/suspicious/noThenProperty: this is what is tested
  ['what is only like a promise', () => ({ then: (ok: (value: object) => void) => ok({ a: 1 }) })],
  ['an array', () => [1]],
  ['a text', () => 'text'],
  ['nothing', () => undefined],
  ['null', () => null],
  ['a response', () => new FwResponse('x', 201, 'text/x')],
  ['a web response', () => new Response('x', { status: 202, headers: { 'x-a': 'b' } })],
  ['an object without a JSON form', () => ({ a: 1n })],
  ['a Map', () => new Map()],
  ['an Error', () => new Error('secret')],
  ['a stream', () => new ReadableStream()],
  [
    'a thrown error',
    () => {
      throw new Error('secret');
    },
  ],
  ['a rejection', () => Promise.reject(new Error('secret'))],
];

describe('a route that takes the body alone', () => {
  it.each(results)('answers %s like every route', async (_, result) => {
    const [alone, behind] = both((app) => app.post('/items', Json(Item), result as () => object));
    const answers = [];
    for (const app of [alone, behind]) answers.push(await seen(await post(app, '{"name":"a"}')));
    expect(answers[0]).toEqual(answers[1]);
  });

  it.each([
    ['{"name":1}', {}],
    ['{"name":', {}],
    ['', {}],
    ['{"name":"a"}', { 'content-type': 'text/plain' }],
    ['{"name":"a"}', { 'content-encoding': 'gzip' }],
  ])('refuses %j %j like every route', async (body, headers) => {
    const [alone, behind] = both((app) => app.post('/items', Json(Item), (item) => item));
    const answers = [];
    for (const app of [alone, behind]) answers.push(await seen(await post(app, body, '/items', headers)));
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBeGreaterThanOrEqual(400);
  });

  it('gives the handler the value and nothing else', async () => {
    const handler = vi.fn((item: object) => item);
    await post(new App().post('/items', Json(Item), handler), '{"name":"a","more":1}');
    expect(handler.mock.calls).toEqual([[{ name: 'a' }]]);
  });

  it('makes no context for a value', async () => {
    const used = vi.spyOn(Context.prototype, 'req', 'get');
    const [alone, behind] = both((app) => app.post('/items', Json(Item), (item) => item));
    await post(alone, '{"name":"a"}');
    expect(used).not.toHaveBeenCalled();
    await post(behind, '{"name":"a"}');
    expect(used).toHaveBeenCalled();
    used.mockRestore();
  });

  it.each([
    ['a value that is refused', '{"name":1}', 400],
    ['malformed JSON', '{"name":1', 400],
    ['an error of the handler', '{"name":"throw"}', 500],
    ['a value without a JSON form', '{"name":"bigint"}', 500],
    ['a late error', '{"name":"late"}', 500],
  ])('gives onError the request, with the body that was read: %s', async (_, body, status) => {
    const app = new App()
      .onError(async (error, ctx) => {
        const { path, method } = ctx.req;
        const text = await ctx.req.text();
        return ctx.json([(error as Error).name, method, path, ctx.routePath(), ctx.req.query('q'), text]);
      })
      .post('/items', Json(Item), ({ name }) => {
        if (name === 'bigint') return { name: 1n };
        if (name === 'late') return Promise.reject(new TypeError('late'));
        throw new RangeError(name);
      });
    const response = await post(app, body);
    expect(response.status).toBe(status);
    expect(((await response.json()) as unknown[]).slice(1)).toEqual(['POST', '/items', '/items', '1', body]);
  });

  it('reports an error with its place', async () => {
    const app = new App().post('/items', Json(Item), () => {
      throw new Error('secret');
    });
    const reports: unknown[] = [];
    const collect = (report: unknown): unknown => reports.push(report);
    diagnostics.subscribe('fw:error', collect);
    await post(app, '{"name":"a"}');
    diagnostics.unsubscribe('fw:error', collect);
    expect(reports).toMatchObject([{ status: 500, method: 'POST', path: '/items' }]);
  });

  it('sends a response once', async () => {
    const response = new FwResponse('x', 200, 'text/plain');
    const app = new App().post('/items', Json(Item), () => response);
    expect((await post(app, '{"name":"a"}')).status).toBe(200);
    expect((await post(app, '{"name":"a"}')).status).toBe(500);
  });
});

describe('what is around such a route', () => {
  it('runs: middleware of the App, and of those that it is mounted on', async () => {
    const ran: string[] = [];
    const inner = new App().post('/', Json(Item), (item) => item);
    const middle = new App()
      .use((_, next) => {
        ran.push('middle');
        return next();
      })
      .route('/b', inner);
    const outer = new App().route('/a', middle);
    expect((await post(outer, '{"name":"a"}', '/a/b')).status).toBe(200);
    expect(ran).toEqual(['middle']);
  });

  it('refuses: guards of the App, and of those that it is mounted on', async () => {
    const handler = vi.fn((item: object) => item);
    const inner = new App().post('/', Json(Item), handler);
    const outer = new App().route('/a', new App().requireAuth().route('/b', inner));
    const own = new App().requireAuth().post('/items', Json(Item), handler);
    expect((await post(outer, '{"name":"a"}', '/a/b')).status).toBe(401);
    expect((await post(own, '{"name":"a"}')).status).toBe(401);
    expect(handler).not.toHaveBeenCalled();
  });

  it('holds: the limits of size and time', async () => {
    const small = new App().maxBodySize(5).post('/items', Json(Item), (item) => item);
    expect((await post(small, '{"name":"a"}')).status).toBe(413);
    const quick = new App()
      .requestTimeout(20)
      .post('/items', Json(Item), () => new Promise<object>(() => {}));
    expect((await post(quick, '{"name":"a"}')).status).toBe(408);
  });

  it.each([
    ['a length over the limit', (text: string) => text, { 'content-length': '17' }],
    ['a body over the limit', (text: string) => new Blob([text]).stream(), {}],
  ])('holds: the limit of size for %s, like on every route', async (_, bodyOf, more) => {
    const answers = [];
    for (const app of both((one) => one.maxBodySize(16).post('/items', Json(Item), (item) => item))) {
      const headers = { 'content-type': 'application/json', ...more };
      const init = { method: 'POST', body: bodyOf('{"name":"longer"}'), headers, duplex: 'half' as const };
      answers.push(await seen(await app.oneshot(new Request('http://x/items', init))));
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(413);
  });

  it('stays away below the limit of size', async () => {
    const used = vi.spyOn(Context.prototype, 'req', 'get');
    const app = new App().maxBodySize(100).post('/items', Json(Item), (item) => item);
    expect(await (await post(app, '{"name":"a"}')).json()).toEqual({ name: 'a' });
    expect(used).not.toHaveBeenCalled();
    used.mockRestore();
  });

  it('reads no body of unknown size to its end if it is refused before', async () => {
    const app = new App().maxBodySize(100).post('/items', Json(Item), (item) => item);
    const server = await app.listen(0);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        sent += 65_536;
        if (sent > 64 * 1024 * 1024) controller.close();
        else controller.enqueue(new Uint8Array(65_536));
      },
    });
    const headers = { 'content-type': 'text/plain' };
    const sending = fetch(`${server.url}/items`, {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit);
    const status = await sending.then(
      (response) => response.status,
      () => 'closed',
    );
    await server.close();
    expect([400, 'closed']).toContain(status);
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  it('is seen: a recording has the steps of the request', async () => {
    const app = new App().post('/items', Json(Item), function create(item) {
      return item;
    });
    const steps: unknown[] = [];
    const collect = (step: unknown): unknown => steps.push(step);
    diagnostics.subscribe('fw:trace', collect);
    await post(app, '{"name":"a"}');
    diagnostics.unsubscribe('fw:trace', collect);
    expect(steps).toContainEqual(expect.objectContaining({ type: 'route', pattern: '/items' }));
    expect(JSON.stringify(steps)).toMatch(/"Json".*"create"/);
  });

  it('checks the answer that the route declares', async () => {
    const described = route('/items', { returns: z.object({ id: z.number() }) });
    const app = new App().post(described, Json(Item), () => ({ id: 1, secret: 2 }));
    expect(await (await post(app, '{"name":"a"}')).json()).toEqual({ id: 1 });
  });
});
