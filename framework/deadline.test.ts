import { describe, expect, it } from 'vitest';
import { App } from './app.js';
import { subscribe } from './tracing/subscribe.js';

const ask = (app: App, path = '/') => app.fetch(new Request(`http://x${path}`));
const soon = () => new Promise((resolve) => setTimeout(resolve, 60));

describe('requestTimeout', () => {
  it('aborts the signal of the handler with the error that is answered', async () => {
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
    const response = await ask(app);
    expect(response.status).toBe(408);
    expect(await response.json()).toMatchObject({ message: (reason as Error).message });
  });

  it('shows an aborted signal to who looks at it too late', async () => {
    let seen: AbortSignal | undefined;
    const app = new App().requestTimeout(20).get('/', async (ctx) => {
      await soon();
      seen = ctx.signal;
      return 'late';
    });
    expect((await ask(app)).status).toBe(408);
    await soon();
    expect(seen?.aborted).toBe(true);
  });

  it('leaves the signal alone where the answer came in time', async () => {
    let signal: AbortSignal | undefined;
    const app = new App().requestTimeout(20).get('/', (ctx) => {
      signal = ctx.signal;
      return 'quick';
    });
    expect((await ask(app)).status).toBe(200);
    await soon();
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
    expect((await ask(app)).status).toBe(408);
    await soon();
    expect(ran).toEqual(['in', 'out']);
  });

  it('reports what fails after the answer, and not what the abort ended', async () => {
    const seen: unknown[] = [];
    const stop = subscribe(({ fields }) => seen.push((fields.error as Error).message));
    const app = new App()
      .requestTimeout(20)
      .use((_ctx, next) => next())
      .get('/fails', async () => {
        await soon();
        throw new Error('the disk is full');
      })
      .get('/aborts', async (ctx) => {
        await soon();
        ctx.signal.throwIfAborted();
        return 'late';
      });
    try {
      await ask(app, '/fails');
      await ask(app, '/aborts');
      await soon();
      await soon();
    } finally {
      stop();
    }
    expect(seen.sort()).toEqual(['no response within 20 ms', 'no response within 20 ms', 'the disk is full']);
  });

  it('ends a stream that is returned too late', async () => {
    let isEnded = false;
    const late = new ReadableStream({
      cancel() {
        isEnded = true;
      },
    });
    const app = new App().requestTimeout(20).get('/', async (ctx) => {
      await soon();
      return ctx.stream(late);
    });
    expect((await ask(app)).status).toBe(408);
    await soon();
    expect(isEnded).toBe(true);
  });

  it.each([0, -1, Number.NaN, 2 ** 31])('refuses %s', (ms) => {
    expect(() => new App().requestTimeout(ms)).toThrow(`invalid requestTimeout ${ms}: give milliseconds`);
  });
});
