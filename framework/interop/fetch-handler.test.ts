import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { withServer } from '../testing/index.js';

const ok = () => new Response('ok');

describe('app.mount', () => {
  it('refuses values that are not a handler, and malformed prefixes', () => {
    expect(() => new App().mount('/x', undefined as never)).toThrow(
      "mount('/x') takes a function (request) => Response, or an object with fetch(request)",
    );
    expect(() => new App().mount('/x', {} as never)).toThrow('takes a function');
    expect(() => new App().mount('/', ok)).toThrow("mounted under a prefix such as '/legacy', not at '/'");
    expect(() => new App().mount('', ok)).toThrow("mounted under a prefix such as '/legacy', not at ''");
    expect(() => new App().mount('/x/', ok)).toThrow('write it without the trailing slash');
    for (const prefix of ['/*rest', '/x/*rest', '/x/y/*rest'])
      expect(() => new App().mount(prefix, ok), prefix).toThrow('leave out its last segment');
    expect(() => new App().mount('x', ok)).toThrow("start it with '/'");
  });

  it('refuses a second handler for the prefix, and reports both places', () => {
    const app = new App().mount('/x', ok);
    expect(() => app.mount('/x', ok)).toThrow(
      /fetch-handler\.test\.ts:\d+[\s\S]*fetch-handler\.test\.ts:\d+/,
    );
  });

  it('calls fetch as a method, with one argument', async () => {
    class Other {
      readonly #name = 'other';
      fetch(...args: unknown[]): Response {
        return Response.json([this.#name, args.length]);
      }
    }
    const app = new App().mount('/x', new Other());
    expect(await (await app.fetch(new Request('http://localhost/x'))).json()).toEqual(['other', 1]);
  });

  it.each([
    [{ env: { KEY: 'k' } }, [3, { KEY: 'k' }, null]],
    [{ ctx: { id: 1 } }, [3, null, { id: 1 }]],
  ])('passes %j of the platform on', async ({ env, ctx }: { env?: object; ctx?: object }, got) => {
    const app = new App().mount('/x', (...args: unknown[]) =>
      Response.json([args.length, args[1] ?? null, args[2] ?? null]),
    );
    expect(await (await app.fetch(new Request('http://localhost/x'), env, ctx)).json()).toEqual(got);
  });

  it.each([
    ['/x', '/'],
    ['/x/', '/'],
    ['/x/a/b', '/a/b'],
    ['/x?from=/y/z', '/?from=/y/z'],
    ['/x/a?from=/y/z', '/a?from=/y/z'],
    ['/x/x/x', '/x/x'],
  ])('gives %s the URL %s', async (path, url) => {
    const app = new App().mount('/x', (given) => {
      const { pathname, search } = new URL(given.url);
      return new Response(pathname + search);
    });
    expect(await (await app.fetch(new Request(`http://localhost${path}`))).text()).toBe(url);
  });

  it.each<[string, (reading: Promise<string>) => Promise<Response>]>([
    ['throws', async (reading) => new Response(await reading)],
    ['answers without a body', (reading) => reading.then(ok, () => new Response(null, { status: 204 }))],
    ['answers with a body', (reading) => reading.then(ok, () => new Response('caught', { status: 200 }))],
  ])('answers 413 if the body is too large, and the handler %s', async (_, answer) => {
    const app = new App().maxBodySize(3).mount('/x', (given) => answer(given.text()));
    const sent = new Request('http://localhost/x', { method: 'POST', body: 'more than that' });
    expect((await app.fetch(sent)).status).toBe(413);
  });

  it('answers 413 instead of a stream, which is ended', async () => {
    const cancel = vi.fn();
    const app = new App().maxBodySize(3).mount('/x', async (given) => {
      await given.text().catch(() => {});
      return new Response(new ReadableStream({ cancel }));
    });
    const sent = new Request('http://localhost/x', { method: 'POST', body: 'more than that' });
    expect((await app.fetch(sent)).status).toBe(413);
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  it('gives a backslash as it was sent, with which no segment is left', async () => {
    const app = new App().mount('/x', (given) => new Response(new URL(given.url).pathname));
    await withServer(app, async ({ url }) => {
      const { hostname, port } = new URL(url);
      const outgoing = request({ hostname, port, path: '/x/a\\..\\..\\b', agent: false }).end();
      const [incoming] = await once(outgoing, 'response');
      let text = '';
      for await (const chunk of incoming) text += chunk;
      expect(text).toBe('/a%5C..%5C..%5Cb');
    });
  });

  it('combines its prefix with that of the App if that is mounted', async () => {
    const inner = new App().mount('/in', (request) => new Response(new URL(request.url).pathname));
    const app = new App().route('/out', inner);
    const response = await app.fetch(new Request('http://localhost/out/in/x'));
    expect(await response.text()).toBe('/x');
  });

  it('aborts the signal of the request when the client leaves', async () => {
    let entered = () => {};
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    let aborted: Promise<unknown> | undefined;
    const app = new App().mount('/x', async ({ signal }) => {
      aborted = once(signal, 'abort');
      entered();
      await aborted;
      return ok();
    });
    await withServer(app, async ({ client }) => {
      const controller = new AbortController();
      const answer = client.get('/x', { signal: controller.signal });
      answer.catch(() => {});
      await inside;
      controller.abort();
      await aborted;
    });
  });

  it('may send a response before the request body is complete', async () => {
    const app = new App().mount(
      '/echo',
      ({ body }) => new Response((body as ReadableStream<Uint8Array>).pipeThrough(new TransformStream())),
    );
    await withServer(app, async ({ url }) => {
      const outgoing = request(`${url}/echo`, { method: 'POST', agent: false });
      outgoing.write('first');
      const [incoming] = await once(outgoing, 'response');
      const [first] = await once(incoming, 'data');
      expect(String(first)).toBe('first');
      outgoing.end('second');
      const [second] = await once(incoming, 'data');
      expect(String(second)).toBe('second');
    });
  });
});
