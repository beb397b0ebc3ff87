// A request whose path the server has matched, as Bun does for routes without parameters, is answered like any other.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { App as AppClass } from '../app/app.js';

type Answer = (request: Request, server: unknown) => Response | Promise<Response>;

interface Options {
  readonly routes: Record<string, Record<string, Answer>>;
  readonly fetch: Answer;
}

/** What `listen` of `fw/bun` gives to Bun, with a Bun that only keeps it. */
async function served(register: (app: AppClass) => unknown): Promise<Options> {
  vi.resetModules();
  let given: Options | undefined;
  const serve = (options: Options) => {
    given = options;
    return { port: 4711 };
  };
  vi.stubGlobal('Bun', { serve });
  const { App } = await import('../app/app.js');
  const { listen } = await import('./bun/index.js');
  const app = new App();
  register(app);
  await listen(app, 0);
  return given as unknown as Options;
}

const server = { requestIP: () => null };

describe('the routes that Bun matches', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('are those whose path means the same to Bun, to a URL and to fw', async () => {
    const { routes } = await served((app) => {
      for (const path of ['/', '/a', '/a/', '/a/b.c', '/a-b_c~1', '/:id', '/b/*rest']) {
        app.get(path, () => path);
      }
      for (const path of ['/é', '/a b', '/a//b', '/.hidden', '/b:c', '/b*c', '/b+c']) {
        app.get(path, () => path);
      }
      app.post('/a', () => 'posted');
    });
    expect(Object.keys(routes).sort()).toEqual(['/', '/a', '/a-b_c~1', '/a/', '/a/b.c']);
  });

  // Bun passes HEAD to the handler of GET if it has none of its own, and methods without a handler to `fetch`.
  it('have a handler for each method that they answer, and for HEAD', async () => {
    const { routes } = await served((app) => {
      app.get('/a', () => '').post('/a', () => '');
      app.delete('/b', () => '');
      app.all('/c', () => '').put('/c', () => '');
      app.get('/:id', () => '');
    });
    const methods = Object.entries(routes).map(([path, one]) => [path, Object.keys(one).sort().join(' ')]);
    expect(Object.fromEntries(methods)).toEqual({
      '/a': 'GET HEAD POST',
      '/b': 'DELETE',
      '/c': 'DELETE GET HEAD OPTIONS PATCH POST PUT',
    });
  });

  it('are not more than Bun searches in no time', async () => {
    const { routes } = await served((app) => {
      for (let i = 0; i < 100; i++) app.get(`/r${i}`, () => '').post(`/r${i}`, () => '');
    });
    expect(Object.keys(routes)).toHaveLength(64);
    expect(Object.keys(routes['/r63'] ?? {}).sort()).toEqual(['GET', 'HEAD', 'POST']);
  });

  it.each([
    ['GET', '?q=%20x&q=2#there'],
    ['GET', ''],
    ['POST', '?'],
    ['HEAD', ''],
  ])('answer %s %j like fetch', async (method, rest) => {
    const { routes, fetch } = await served((app) => {
      const inner = new (app.constructor as typeof AppClass)();
      inner.use((ctx, next) => {
        ctx.header('X-Inner', ctx.req.path);
        return next();
      });
      inner.get('/', (ctx) => {
        const { path, uri, method } = ctx.req;
        return ctx.json([
          path,
          uri.href,
          method,
          ctx.req.query('q') ?? null,
          ctx.req.queries(),
          ctx.routePath(),
        ]);
      });
      inner.post('/', async (ctx) => ctx.json([await ctx.req.json(), ctx.req.query('q') ?? null]));
      app.route('/a', inner);
    });
    const ask = () =>
      new Request(`http://x/a${rest}`, { method, ...(method === 'POST' && { body: '{"b":1}' }) });
    const [matched, other] = [await routes['/a']?.[method]?.(ask(), server), await fetch(ask(), server)];
    expect(matched?.status).toBe(other.status);
    expect([...(matched?.headers ?? [])]).toEqual([...other.headers]);
    expect(await matched?.text()).toBe(await other.text());
    expect(other.headers.get('X-Inner') === '/a' || other.status >= 204).toBe(true);
  });

  it('answer without reading the URL, which takes time', async () => {
    const { routes } = await served((app) => app.get('/a', (ctx) => ctx.req.path));
    const request = Object.defineProperty(new Request('http://x/a'), 'url', {
      get() {
        throw new Error('the URL was read');
      },
    });
    expect(await (await routes['/a']?.GET?.(request, server))?.text()).toBe('/a');
  });

  // As Bun gives the URL for `Host: a/b` and `Host: x:99999`.
  it.each(['a b', 'a/b', 'x:99999', '256.1.1.1', 'a%zz'])(
    'are refused for the Host %j, however Bun takes it',
    async (host) => {
      const { routes, fetch } = await served((app) => app.get('/a/b', (ctx) => ctx.req.path));
      const request = (url: string) => ({ method: 'GET', url, headers: new Headers({ host }) }) as Request;
      const refused = { error: 'BadRequest', message: 'the Host header is malformed' };
      for (const url of ['/a/b', `http://${host}/a/b`]) {
        for (const answer of [routes['/a/b']?.GET?.(request(url), server), fetch(request(url), server)]) {
          const response = await answer;
          expect([response?.status, await response?.json()]).toEqual([400, refused]);
        }
      }
    },
  );
});
