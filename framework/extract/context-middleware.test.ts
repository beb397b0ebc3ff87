import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
import { apiKey } from '../auth/api-key/index.js';
import { StaticKeys } from '../auth/api-key/static-keys.js';
import { requireScope } from '../auth/principal.js';
import type { Middleware } from '../context/handlers.js';
import { FwError } from '../http/errors.js';
import { createMiddleware } from './context-middleware.js';
import { Path } from './path.js';
import { route } from './route.js';
import { Valid } from './valid.js';

const authed = createMiddleware(
  {
    describes: {
      errors: { 401: 'Sign in first.' },
      security: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  },
  async ({ ctx }, next) => {
    const name = ctx.req.header('authorization');
    if (name === undefined) throw FwError.unauthorized('sign in first');
    return next({ user: { name } });
  },
);

const get = (app: App, path: string, headers: Record<string, string> = {}) =>
  app.fetch(new Request(`http://localhost${path}`, { headers }));

describe('a route with middleware', () => {
  it('gives the handler the context and what the middleware adds, after the values of extractors', async () => {
    const app = new App()
      .get(route('/me', { use: [authed] }), (ctx, { user }) => ctx.json({ name: user.name }, 202))
      .get(route('/items/:id', { use: [authed] }), Path('id', z.coerce.number()), (id, { user, signal }) => ({
        id,
        name: user.name,
        isAborted: signal.aborted,
      }));
    const me = await get(app, '/me', { authorization: 'ada' });
    expect([me.status, await me.json()]).toEqual([202, { name: 'ada' }]);
    const item = await get(app, '/items/3', { authorization: 'ada' });
    expect(await item.json()).toEqual({ id: 3, name: 'ada', isAborted: false });
  });

  it('is refused before its extractors read anything', async () => {
    const app = new App().post(route('/items', { use: [authed] }), Valid(z.object({})), () => 'never');
    const answer = await app.fetch(new Request('http://localhost/items', { method: 'POST', body: '{' }));
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { error: 'Unauthorized', message: 'sign in first' },
    ]);
  });

  it('runs a middleware after those that it uses, each once, and around the handler', async () => {
    const log: string[] = [];
    const outer = createMiddleware(async (_, next) => {
      log.push('outer in');
      const result = await next({ depth: 1 });
      log.push('outer out');
      return result;
    });
    const inner = createMiddleware({ use: [outer] }, async ({ depth }, next) => {
      log.push(`inner ${depth}`);
      return next({ depth: depth + 1 });
    });
    const app = new App().get(route('/', { use: [inner, outer] }), (_, { depth }) => {
      log.push(`handler ${depth}`);
    });
    expect((await get(app, '/')).status).toBe(204);
    expect(log).toEqual(['outer in', 'inner 1', 'handler 2', 'outer out']);
  });

  it('sees what the handler throws, and may rethrow it', async () => {
    const seen: unknown[] = [];
    const watch = createMiddleware(async (_, next) => {
      try {
        return await next();
      } catch (error) {
        seen.push((error as Error).message);
        throw error;
      }
    });
    const app = new App().get(route('/', { use: [watch] }), () => {
      throw FwError.notFound('no page');
    });
    expect((await get(app, '/')).status).toBe(404);
    expect(seen).toEqual(['no page']);
  });

  it('keeps what is added apart between requests', async () => {
    let count = 0;
    const counted = createMiddleware(async (_, next) => next({ own: ++count }));
    const gate = withResolvers();
    const app = new App().get(route('/', { use: [counted] }), async (_, { own }) => {
      if (own === 1) await gate.promise;
      else gate.resolve(undefined);
      return own;
    });
    const answers = await Promise.all([get(app, '/'), get(app, '/')]);
    expect(await Promise.all(answers.map((one) => one.json()))).toEqual([1, 2]);
  });

  it('is told in the description that documents are made from', () => {
    const app = new App().get(route('/me', { use: [authed] }), (_, { user }) => user);
    expect(app.routes()[0]?.description?.extractors).toEqual([authed.describes]);
  });
});

describe('middleware of an App around one route', () => {
  const tag = (value: string): Middleware =>
    async function tag(_ctx, next) {
      const response = await next();
      response.headers.append('x-tag', value);
      return response;
    };

  it('runs in the order of the list with that of createMiddleware, before the extractors', async () => {
    const app = new App()
      .get(route('/me', { use: [tag('a'), authed, tag('b')] }), (ctx, { user }) => [ctx.req.path, user.name])
      .get(route('/web', { use: [tag('a'), () => new Response('web', { status: 203 })] }), () => 'never')
      .get(route('/kept', { use: [async (_ctx, next) => void (await next())] }), (ctx) =>
        ctx.text('kept', 202),
      )
      .get('/other', () => 'other');
    const me = await get(app, '/me', { authorization: 'ada' });
    expect([me.headers.get('x-tag'), await me.json()]).toEqual(['b, a', ['/me', 'ada']]);
    const web = await get(app, '/web');
    expect([web.status, web.headers.get('x-tag'), await web.text()]).toEqual([203, 'a', 'web']);
    const kept = await get(app, '/kept');
    expect([kept.status, await kept.text()]).toEqual([202, 'kept']);
    expect((await get(app, '/other')).headers.get('x-tag')).toBe(null);
  });

  it('is named in the error if it returns what is not a response, or nothing', async () => {
    const seen: unknown[] = [];
    const app = new App()
      .get(
        route('/text', {
          use: [
            function wrong() {
              return 'text' as never;
            },
          ],
        }),
        () => 'never',
      )
      .get(route('/none', { use: [function silent() {}] }), () => 'never')
      .onError((error) => {
        seen.push(String((error as Error).cause ?? error));
        return '';
      });
    await get(app, '/text');
    await get(app, '/none');
    expect(seen).toEqual([
      "Error: middleware 'wrong' returned a string; return a response, or nothing after next()",
      "Error: middleware 'silent' returned nothing and did not call next(); do one of the two",
    ]);
  });

  it('that authenticates has its turn before the guard of the App', async () => {
    const method = apiKey({ store: new StaticKeys().withScopes('secret', 'ada', ['a']) });
    const app = new App().requireAuth({ scopes: ['a'] }).get(route('/', { use: [method] }), () => 'in');
    expect((await get(app, '/', { 'x-api-key': 'secret' })).status).toBe(200);
    expect((await get(app, '/')).status).toBe(401);
    expect(String(app.accessList())).toBe('GET  /  scope a (apiKey)');
  });
});

describe('an App with middleware of createMiddleware', () => {
  it('runs it around every request, with what it uses, each once', async () => {
    const log: string[] = [];
    const outer = createMiddleware(async (_, next) => {
      log.push('outer');
      return next({ depth: 1 });
    });
    const inner = createMiddleware({ use: [outer] }, async ({ depth }, next) => {
      log.push(`inner ${depth}`);
      return next();
    });
    const app = new App().use(inner).get('/', (...args: unknown[]) => args.length);
    expect(await (await get(app, '/')).json()).toBe(1);
    expect((await get(app, '/none')).status).toBe(404);
    expect(log).toEqual(['outer', 'inner 1', 'outer', 'inner 1']);
  });

  it('is refused by it, and lists who may call its routes', async () => {
    const app = new App()
      .use(requireScope('a'))
      .get('/', () => 'never')
      .get(route('/me', { use: [authed] }), (_, { user }) => user.name);
    expect((await get(app, '/')).status).toBe(401);
    expect(app.accessList().open).toEqual([]);
    expect(String(app.accessList())).toContain('scope a');
  });
});

describe('a wrong middleware', () => {
  it.each(['ctx', 'signal', 'toString', '__proto__'])(
    'that adds %s fails with a clear message',
    async (name) => {
      const errors: unknown[] = [];
      const bad = createMiddleware(async (_, next) => next(JSON.parse(`{"${name}":1}`)));
      const app = new App()
        .get(route('/', { use: [bad] }), () => 'never')
        .onError((error, ctx) => {
          errors.push((error as Error).cause ?? error);
          return ctx.text('', 500);
        });
      expect((await get(app, '/')).status).toBe(500);
      expect(String(errors[0])).toBe(
        `Error: middleware adds '${name}', a name that every call has already; choose another name`,
      );
    },
  );

  it('is refused when it is registered', () => {
    expect(() => createMiddleware(undefined as never)).toThrow(
      'createMiddleware takes a function (call, next) => …, got undefined',
    );
    expect(() => createMiddleware({ use: [(() => 1) as never] }, async (_, next) => next())).toThrow(
      `the option 'use' of createMiddleware takes middleware of createMiddleware(), got function`,
    );
    expect(() => route('/', { use: [null as never] })).toThrow(
      `the option 'use' of route('/') takes functions (ctx, next) => …, or middleware of createMiddleware(), got null`,
    );
    expect(() => route('/', { use: authed as never })).toThrow(
      `the option 'use' of route('/') takes an array of middleware, got object`,
    );
  });

  it('that calls next twice fails', async () => {
    const twice = createMiddleware(async (_, next) => {
      await next();
      return next();
    });
    const app = new App()
      .get(route('/', { use: [twice] }), () => 'once')
      .onError((error) => String((error as Error).cause ?? error));
    expect(await (await get(app, '/')).text()).toContain('called next() twice');
  });
});

function withResolvers() {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise((resolved) => {
    resolve = resolved;
  });
  return { promise, resolve };
}
