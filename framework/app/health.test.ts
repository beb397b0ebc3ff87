// Health: readiness by checks and by the drain, and that checks are no way to burden what they check.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TestClient } from '../testing/index.js';
import { subscribe } from '../tracing/index.js';
import { App } from './app.js';
import type { HealthChecks } from './health.js';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

const get = async (app: App, path = '/healthz') => {
  const response = await new TestClient(app).get(path);
  return [response.status, response.json()];
};
const OK = [200, { status: 'ok' }];
const AWAY = [503, { status: 'unavailable' }];

describe('checks', () => {
  it.each<[string, HealthChecks, unknown]>([
    ['nothing is needed', {}, OK],
    ['all give something', { a: () => 1, b: async () => undefined }, OK],
    ['one gives false', { a: () => true, b: async () => false }, AWAY],
    [
      'one throws',
      {
        a: () => {
          throw new Error('secret');
        },
      },
      AWAY,
    ],
    ['one rejects with what is not an error', { a: () => Promise.reject(undefined) }, AWAY],
  ])('decide whether it is ready: %s', async (_what, checks, expected) => {
    expect(await get(new App().health('/healthz', checks))).toEqual(expected);
  });

  it('say nothing of the process itself, and no response is kept', async () => {
    const app = new App().health('/healthz', { database: () => false });
    expect(await get(app, '/healthz/live')).toEqual(OK);
    const response = await new TestClient(app).get('/healthz');
    expect(response.header('cache-control')).toBe('no-store');
  });

  it('that hang have failed after their time, with a signal that aborts, and do not run twice', async () => {
    const signals: AbortSignal[] = [];
    const hangs = (signal: AbortSignal) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const app = new App().health('/healthz', { hangs }, { timeoutMs: 100 });
    expect(await Promise.all([get(app), get(app)])).toEqual([AWAY, AWAY]);
    expect(await get(app)).toEqual(AWAY);
    expect(signals).toHaveLength(1);
    await expect.poll(() => signals[0]?.aborted).toBe(true);
  });

  it('that never end are run again after ten times their time, and may pass then', async () => {
    let runs = 0;
    const check = () => {
      runs += 1;
      return runs === 1 ? new Promise(() => {}) : true;
    };
    const app = new App().health('/healthz', { check }, { timeoutMs: 10 });
    expect(await get(app)).toEqual(AWAY);
    await expect.poll(() => get(app)).toEqual(OK);
    expect(runs).toBe(2);
  });

  it('leave no timer when they are done', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const app = new App().health('/healthz', { a: () => true, b: async () => true }, { timeoutMs: 60_000 });
    await get(app);
    const before = timers();
    for (let count = 0; count < 5; count += 1) await get(app);
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('log only changes, with the reason that the response does not have', async () => {
    const lines: string[] = [];
    ended.push(subscribe(({ level, message }) => lines.push(`${level} ${message}`)));
    let isAway = true;
    const app = new App().health('/healthz', {
      database: () => {
        if (isAway) throw new Error('connection refused');
      },
    });
    for (const away of [true, true, false, false, true]) {
      isAway = away;
      await get(app);
    }
    expect(lines).toEqual([
      "warn not ready: the check 'database' failed: connection refused",
      "info ready: the check 'database' passes again",
      "warn not ready: the check 'database' failed: connection refused",
    ]);
  });

  it('are reported to the terminal if nothing has subscribed, once for each failure', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const app = new App().health('/healthz', { queue: () => Promise.reject('away\n') });
    await get(app);
    await get(app);
    expect(warned.mock.calls).toEqual([["warning: not ready: the check 'queue' failed: away\\x0a"]]);
    warned.mockRestore();
  });

  it('must be functions', () => {
    const wrong = { database: 'select 1' } as never;
    expect(() => new App().health('/healthz', wrong)).toThrow(/the check 'database'.*'select 1'/);
    expect(() => new App().health('/healthz', {}, { timeoutMs: 0 })).toThrow(/timeoutMs/);
  });
});

it('is not ready from the start of a drain, while requests are still answered', async () => {
  const inner = new App().health('/inner');
  const app = new App()
    .health('/healthz')
    .get('/', () => 'hi')
    .route('/mounted', inner)
    .drainDelay(2000);
  const server = await app.listen(0);
  let isClosed = false;
  const status = async (path: string) => (await fetch(`${server.url}${path}`)).status;
  expect(await status('/healthz')).toBe(200);
  const closed = server.close().then(() => {
    isClosed = true;
  });
  expect(await status('/healthz')).toBe(503);
  expect(await status('/mounted/inner')).toBe(503);
  expect(await status('/healthz/live')).toBe(200);
  expect(await status('/')).toBe(200);
  expect(isClosed).toBe(false);
  await closed;
  await expect(fetch(server.url)).rejects.toThrow();
});

it('is not ready if the drain has begun while a check ran', async () => {
  let begun = (): void => {};
  let pass = (): void => {};
  const isAsked = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const check = () => {
    begun();
    return new Promise<void>((resolve) => {
      pass = resolve;
    });
  };
  const server = await new App().health('/healthz', { check }, { timeoutMs: 60_000 }).listen(0);
  const asked = fetch(`${server.url}/healthz`);
  await isAsked;
  const closed = server.close();
  pass();
  expect((await asked).status).toBe(503);
  await closed;
});

it('is ready again in a server that is started later', async () => {
  const app = new App().health('/healthz');
  await (await app.listen(0)).close();
  const again = await app.listen(0);
  ended.push(() => again.close());
  expect((await fetch(`${again.url}/healthz`)).status).toBe(200);
});
