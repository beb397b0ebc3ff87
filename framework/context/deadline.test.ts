import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { subscribe } from '../tracing/subscribe.js';
import type { Middleware } from './handlers.js';

// The tests use fake timers: no test waits for time to pass.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Longer than the limit of these tests and than the time that middleware has to pass on its error. */
const pass = () => vi.advanceTimersByTimeAsync(500);

/** The response if the handler does not finish in time. */
async function askSlow(app: App, path = '/'): Promise<Response> {
  const answer = ask(app, path);
  await pass();
  return answer;
}

const ask = (app: App, path = '/') => app.fetch(new Request(`http://x${path}`));
/** Longer than the timeout of a request. */
const overrun = () => new Promise((resolve) => setTimeout(resolve, 60));

describe('requestTimeout', () => {
  it('aborts the signal of the handler with the error of the response', async () => {
    let reason: unknown;
    const app = new App().requestTimeout(20).get('/', (ctx) => {
      const { signal } = ctx;
      return new Promise<string>((resolve) =>
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          resolve('late');
        }),
      );
    });
    const response = await askSlow(app);
    expect(response.status).toBe(408);
    expect(await response.json()).toMatchObject({ message: (reason as Error).message });
  });

  it('returns an aborted signal if it is read after the timeout', async () => {
    let seen: AbortSignal | undefined;
    const app = new App().requestTimeout(20).get('/', async (ctx) => {
      await overrun();
      seen = ctx.signal;
      return 'late';
    });
    expect((await askSlow(app)).status).toBe(408);
    await pass();
    expect(seen?.aborted).toBe(true);
  });

  it('does not abort the signal if the response came in time', async () => {
    let signal: AbortSignal | undefined;
    const app = new App().requestTimeout(20).get('/', (ctx) => {
      signal = ctx.signal;
      return 'quick';
    });
    expect((await ask(app)).status).toBe(200);
    await pass();
    expect(signal?.aborted).toBe(false);
  });

  it('runs each middleware once', async () => {
    const ran: string[] = [];
    const app = new App()
      .requestTimeout(20)
      .use(async (_ctx, next) => {
        ran.push('in');
        try {
          return await next();
        } finally {
          ran.push('out');
        }
      })
      .get('/', () => new Promise<never>(() => {}));
    expect((await askSlow(app)).status).toBe(408);
    await pass();
    expect(ran).toEqual(['in', 'out']);
  });

  it('reports errors after the response, but not those that the abort caused', async () => {
    const seen: unknown[] = [];
    const stop = subscribe(({ fields }) => seen.push((fields.error as Error).message));
    const app = new App()
      .requestTimeout(20)
      .use((_ctx, next) => next())
      .get('/fails', async () => {
        await overrun();
        throw new Error('the disk is full');
      })
      .get('/aborts', async (ctx) => {
        await overrun();
        ctx.signal.throwIfAborted();
        return 'late';
      });
    try {
      await askSlow(app, '/fails');
      await askSlow(app, '/aborts');
      await pass();
    } finally {
      stop();
    }
    expect(seen.sort()).toEqual(['no response within 20 ms', 'no response within 20 ms', 'the disk is full']);
  });

  it('reports an error in time once, and does not report a late error that only the abort caused', async () => {
    const seen: unknown[] = [];
    const stop = subscribe(({ fields }) => seen.push((fields.error as Error).message));
    const app = new App()
      .requestTimeout(20)
      .use((_ctx, next) => next())
      .get('/early', async () => {
        throw new Error('the disk is full');
      })
      .get('/late', async () => {
        await overrun();
        throw new DOMException('ended by the signal', 'AbortError');
      });
    try {
      await ask(app, '/early');
      await askSlow(app, '/late');
      await pass();
    } finally {
      stop();
    }
    expect(seen).toEqual(['the disk is full', 'no response within 20 ms']);
  });

  it('has one signal and one error per request, even if the request is passed on', async () => {
    const signals: AbortSignal[] = [];
    const caught: unknown[] = [];
    const hanging: Middleware = async (ctx, next) => {
      signals.push(ctx.signal, ctx.signal);
      try {
        return await next();
      } catch (error) {
        caught.push(error);
        return new Promise<never>(() => {});
      }
    };
    const app = new App()
      .requestTimeout(20)
      .use(hanging)
      .use(hanging)
      .get('/', () => new Promise<never>(() => {}));
    expect((await askSlow(app)).status).toBe(408);
    expect(new Set(signals).size).toBe(1);
    expect(new Set([...caught, signals[0]?.reason]).size).toBe(1);
    expect(caught).toHaveLength(2);
  });

  it('cancels a stream that is returned too late', async () => {
    let isEnded = false;
    const late = new ReadableStream({
      cancel() {
        isEnded = true;
      },
    });
    const app = new App().requestTimeout(20).get('/', async (ctx) => {
      await overrun();
      return ctx.stream(late);
    });
    expect((await askSlow(app)).status).toBe(408);
    await pass();
    expect(isEnded).toBe(true);
  });

  it('clears its timer, whether the response came in time or not', async () => {
    const app = new App()
      .requestTimeout(20)
      .use((_ctx, next) => next())
      .get('/quick', () => 'quick')
      .get('/never', () => new Promise<never>(() => {}));
    expect((await ask(app, '/quick')).status).toBe(200);
    expect(vi.getTimerCount()).toBe(0);
    expect((await askSlow(app, '/never')).status).toBe(408);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([0, -1, Number.NaN, 2 ** 31])('refuses %s', (ms) => {
    expect(() => new App().requestTimeout(ms)).toThrow(
      `requestTimeout: the time is ${ms}; give a whole number of milliseconds`,
    );
  });
});
