import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import type { Middleware, RouteHandler } from '../context/handlers.js';

const turn = () => new Promise(setImmediate);

/** Middleware that ignores what `next()` returns. */
const careless: Record<string, Middleware> = {
  'answers at once': (ctx, next) => {
    void next();
    return ctx.text('own');
  },
  'answers as a promise': async (ctx, next) => {
    void next();
    return ctx.text('own');
  },
  'answers later': async (ctx, next) => {
    void next();
    await turn();
    await turn();
    return ctx.text('own');
  },
  'fails at once': (_ctx, next) => {
    void next();
    throw new Error('own failure');
  },
  'fails later': async (_ctx, next) => {
    void next();
    await turn();
    throw new Error('own failure');
  },
};

/** Middleware between the one that ignores it and the failure. */
const between: Record<string, Middleware[]> = {
  nothing: [],
  'next as it is': [(_ctx, next) => next()],
  'an async step': [async (_ctx, next) => await next()],
  'a step that returns nothing': [
    async (_ctx, next) => {
      await next();
    },
  ],
  'a sync step that returns nothing': [
    (_ctx, next) => {
      void next();
    },
  ],
  'two steps': [async (_ctx, next) => await next(), (_ctx, next) => next()],
  'a step that returns rubbish': [
    async (_ctx, next) => {
      await next().catch(() => {});
      return 7 as never;
    },
  ],
};

const failures: Record<string, RouteHandler> = {
  'a throw': () => {
    throw new Error('broken');
  },
  'a rejection': async () => {
    throw new Error('broken');
  },
  'a late rejection': async () => {
    await turn();
    throw new Error('broken');
  },
  'a value that no response can be made from': async () => Symbol('x') as never,
};

describe('a failure that middleware ignores does not end the process', () => {
  const unhandled: unknown[] = [];
  const collect = (reason: unknown) => unhandled.push(reason);
  let others: NodeJS.UnhandledRejectionListener[] = [];

  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', collect);
    unhandled.length = 0;
  });

  afterEach(() => {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
    vi.restoreAllMocks();
  });

  it('unhandled rejections are detected by this test', async () => {
    void Promise.reject(new Error('seen'));
    await turn();
    expect(unhandled).toHaveLength(1);
  });

  for (const [kind, first] of Object.entries(careless)) {
    for (const [through, steps] of Object.entries(between)) {
      it.each(Object.entries(failures))(`${kind}, through ${through}: %s`, async (_failure, handler) => {
        const app = new App().use(first);
        for (const step of steps) app.use(step);
        const answer = await app.get('/', handler).oneshot(new Request('http://x/'));
        expect(answer.status).toBe(kind.startsWith('fails') ? 500 : 200);
        for (let i = 0; i < 5; i++) await turn();
        expect(unhandled).toEqual([]);
      });
    }
  }
});
