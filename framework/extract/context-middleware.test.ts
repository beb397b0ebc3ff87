import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
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
      `the option 'use' of route('/') takes middleware of createMiddleware(), got null`,
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
