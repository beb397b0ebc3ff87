import { describe, expect, it } from 'vitest';
import { App, Cookie } from '../index.js';
import { startServer, TestClient } from './index.js';

function app(): App {
  return new App()
    .get('/', (ctx) =>
      ctx.json({
        cookies: ctx.cookies(),
        queries: ctx.req.queries(),
        agent: ctx.req.header('x-agent') ?? null,
      }),
    )
    .post('/login', (ctx) => ctx.setCookie(new Cookie('sid', 'a=b')).text('in'))
    .post('/logout', (ctx) => ctx.removeCookie('sid').text('out'))
    .post('/echo', async (ctx) => ctx.text(`${ctx.req.header('content-type')} ${await ctx.req.text()}`));
}

describe('TestClient', () => {
  it('keeps cookies until they are removed', async () => {
    const client = new TestClient(app());
    await client.post('/login');
    expect(client.cookie('sid')).toBe('a=b');
    expect((await client.get('/')).json<{ cookies: object }>().cookies).toEqual({ sid: 'a=b' });
    await client.post('/logout');
    expect((await client.get('/')).json<{ cookies: object }>().cookies).toEqual({});
  });

  it.each([
    ['Expires=Thu, 01 Jan 1970 00:00:00 GMT', false],
    ['expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/', false],
    ['Max-Age=0; Expires=Fri, 31 Dec 9999 23:59:59 GMT', false],
    ['Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT', true],
    ['Max-Age=x; Expires=Fri, 31 Dec 9999 23:59:59 GMT', true],
    ['Expires=never', true],
  ])('keeps a cookie with %s: %s', async (attributes, isKept) => {
    const headers = { 'Set-Cookie': `sid=2; ${attributes}` };
    const client = new TestClient(app().get('/set', () => new Response('x', { headers })));
    await client.post('/login');
    await client.get('/set');
    expect(client.cookie('sid')).toBe(isKept ? '2' : undefined);
  });

  it('sends the length of a body, as clients over HTTP do', async () => {
    const lengths = new App().post('/', (ctx) => ctx.json(ctx.req.header('content-length') ?? null));
    const client = new TestClient(lengths);
    expect((await client.post('/', { json: { a: '\u00e9' } })).json()).toBe('10');
    expect((await client.post('/', { form: { a: '1' } })).json()).toBe('3');
    expect((await client.post('/', { body: new Uint8Array(7) })).json()).toBe('7');
    expect(Number((await client.post('/', { multipart: { a: '1' } })).json())).toBeGreaterThan(100);
    const stream = new ReadableStream({ start: (controller) => controller.close() });
    expect((await client.post('/', { body: stream })).json()).toBeNull();
    expect((await client.post('/')).json()).toBeNull();
  });

  it('sends queries, headers, JSON and forms', async () => {
    const client = new TestClient(app(), { headers: { 'X-Agent': 'test' } });
    const answer = await client.get('/?a=1', { query: { b: [1, 2], c: true } });
    answer.assertJson({ cookies: {}, queries: { a: ['1'], b: ['1', '2'], c: ['true'] }, agent: 'test' });
    (await client.post('/echo', { json: { a: 1 } })).assertText('application/json {"a":1}');
    (await client.post('/echo', { form: { a: 'ü' } })).assertText(
      /^application\/x-www-form-urlencoded.* a=%C3%BC$/,
    );
  });

  it('replaces a header field of the client by that of the request, regardless of case', async () => {
    const client = new TestClient(app(), { headers: { 'X-Agent': 'test' } });
    const answer = await client.get('/', { headers: { 'x-agent': 'other' } });
    expect(answer.json<{ agent: string }>().agent).toBe('other');
  });

  it('refuses two bodies, and relative paths', async () => {
    const client = new TestClient(app());
    await expect(client.post('/echo', { json: 1, body: 'x' })).rejects.toThrow(
      'takes one body, got json and body',
    );
    await expect(client.get('x')).rejects.toThrow("starts with '/', got 'x'");
  });

  it('fails with the request, the header fields and the beginning of the body', async () => {
    const answer = await new TestClient(app()).get('/nope');
    expect(() => answer.assertStatus(200)).toThrow(
      [
        'GET /nope: expected status 200',
        '  got 404',
        '  content-length: 55',
        '  content-type: application/json',
        '  x-powered-by: fw',
        '',
        '  {"error":"NotFound","message":"no route for GET /nope"}',
      ].join('\n'),
    );
    // Without the quotation marks, it would seem to be what it got.
    expect(() => answer.assertStatus('404' as never)).toThrow("expected status '404'\n  got 404");
    expect(() => answer.assertHeader('x-none')).toThrow('expected header x-none');
    expect(() => answer.assertText('x')).toThrow('expected the body x');
    expect(() => answer.assertJson({})).toThrow(
      /expected another JSON body\n[\s\S]*\+ {3}error: 'NotFound',/,
    );
  });

  it('shows only the beginning of long bodies, and no bytes', async () => {
    const client = new TestClient(
      new App().get('/long', () => 'x'.repeat(5_000)).get('/bytes', () => new Uint8Array(3)),
    );
    const long = await client.get('/long');
    expect(() => long.assertStatus(201)).toThrow(/ x{500}… \(5000 characters\)$/);
    const bytes = await client.get('/bytes');
    expect(() => bytes.assertStatus(201)).toThrow('(3 bytes that are not text)');
  });

  it('sends forms with arrays and files', async () => {
    const client = new TestClient(
      new App().post('/', async (ctx) => {
        const form = await ctx.req.formData();
        return [...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]);
      }),
    );
    (await client.post('/', { form: { a: ['1', '2'], b: 'x&y' } })).assertJson([
      ['a', '1'],
      ['a', '2'],
      ['b', 'x&y'],
    ]);
    const multipart = { a: '1', f: [new File(['x'], 'x.txt'), new File(['y'], 'y.txt')], c: new Blob(['z']) };
    (await client.post('/', { multipart })).assertJson([
      ['a', '1'],
      ['f', 'x.txt'],
      ['f', 'y.txt'],
      ['c', 'blob'],
    ]);
  });

  it('refuses invalid URLs', () => {
    expect(() => new TestClient('localhost:3000')).toThrow(
      "the target is 'localhost:3000'; give an App, or an address such as",
    );
    expect(() => new TestClient('http://x', { origin: 'http://y' })).toThrow(
      "'origin' is for requests in process",
    );
  });

  it('does not throw if an assertion holds', async () => {
    const answer = await new TestClient(app()).get('/nope');
    answer.assertStatus(404).assertHeader('content-type', /json/).assertHeader('x-powered-by', 'fw');
  });
});

describe('fetch', () => {
  const app = () =>
    new App()
      .post('/in', (ctx) => ctx.setCookie(new Cookie('sid', 'a').path('/')).text('in'))
      .post('/echo', async (ctx) => ({
        cookie: ctx.req.header('cookie') ?? '',
        by: ctx.req.header('x-by') ?? '',
        length: ctx.req.header('content-length') ?? '',
        text: await ctx.req.text(),
      }));

  it('has the cookies and header fields of the client, in both directions', async () => {
    const client = new TestClient(app(), { headers: { 'X-By': 'client' } });
    await client.fetch('/in', { method: 'POST' });
    expect(client.cookie('sid')).toBe('a');
    const echo = await client.fetch(new URL('http://localhost/echo'), { method: 'POST', body: 'é' });
    expect(await echo.json()).toEqual({ cookie: 'sid=a', by: 'client', length: '2', text: 'é' });
    const own = { 'x-by': 'request', cookie: 'other=1' };
    const other = await client.fetch('/echo', { method: 'POST', body: 'x', headers: own });
    expect(await other.json()).toMatchObject({ cookie: 'other=1', by: 'request' });
  });

  it('works over HTTP, and ends with its signal', async () => {
    await using server = await startServer(app());
    const client = new TestClient(server.url);
    await client.fetch('/in', { method: 'POST' });
    const echo = await client.fetch('/echo', { method: 'POST', body: 'x' });
    expect(await echo.json()).toMatchObject({ cookie: 'sid=a', text: 'x' });
    const ended = client.fetch('/echo', { method: 'POST', signal: AbortSignal.abort(new Error('enough')) });
    await expect(ended).rejects.toThrow();
  });
});
