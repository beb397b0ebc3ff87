// What the workbench asks a worker that does not answer, or ends.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ToWorker } from '../../process/messages.js';
import type { WorkerProcess } from '../../process/worker-process.js';
import { WorkerQueries } from './worker-queries.js';

let sent: ToWorker[];
let exit: (how: string) => void;
let worker: WorkerProcess;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  sent = [];
  const exited = new Promise<string>((settle) => {
    exit = settle;
  });
  worker = { exited, send: (message: ToWorker) => void sent.push(message) } as unknown as WorkerProcess;
});
afterEach(() => vi.useRealTimers());

describe('the wait for what a worker has recorded', () => {
  it('ends with the answer to it, and leaves no timer', async () => {
    const queries = new WorkerQueries();
    const ended: string[] = [];
    const [one, other] = ['one', 'other'].map((name) =>
      queries.catchUp(worker).then(() => void ended.push(name)),
    );
    expect(sent).toEqual([
      { fw: 'catchUp', id: 1 },
      { fw: 'catchUp', id: 2 },
    ]);
    queries.caughtUp({ fw: 'caughtUp', id: 2 });
    await other;
    expect(ended).toEqual(['other']);
    queries.caughtUp({ fw: 'caughtUp', id: 1 });
    await one;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends with the worker', async () => {
    const caughtUp = new WorkerQueries().catchUp(worker);
    exit('exited with code 1');
    await caughtUp;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends after a second, as a worker may be stuck', async () => {
    const queries = new WorkerQueries();
    let isOver = false;
    const caughtUp = queries.catchUp(worker).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await caughtUp;
    // An answer that comes late is not needed any more.
    queries.caughtUp({ fw: 'caughtUp', id: 1 });
  });
});

describe('the description of an app', () => {
  it('is refused at the end of its time, and not a moment before', async () => {
    const described = new WorkerQueries(100).describe(worker);
    let refusal: unknown;
    described.catch((error: unknown) => {
      refusal = error;
    });
    await vi.advanceTimersByTimeAsync(99);
    expect(refusal).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await expect(described).rejects.toMatchObject({ status: 504, message: expect.stringContaining('0.1 s') });
  });

  it('is refused when the worker ends, and when the app cannot be described', async () => {
    const queries = new WorkerQueries();
    const [failed, gone] = [queries.describe(worker), queries.describe(worker)];
    queries.answered({ fw: 'described', id: 1, problem: 'TypeError: no' });
    await expect(failed).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining('TypeError: no'),
    });
    exit('was killed by SIGKILL');
    await expect(gone).rejects.toMatchObject({
      message: 'the app was killed by SIGKILL before it described itself',
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is that of what it offers to callers too, by a question of its own', async () => {
    const queries = new WorkerQueries();
    const [app, api] = [queries.describe(worker), queries.describeApi(worker)];
    expect(sent).toEqual([
      { fw: 'describe', id: 1, what: 'app' },
      { fw: 'describe', id: 2, what: 'api' },
    ]);
    queries.answered({ fw: 'described', id: 2, app: { document: {} } });
    queries.answered({ fw: 'described', id: 1, app: { routes: [] } });
    expect(await api).toEqual({ document: {} });
    expect(await app).toMatchObject({ app: { routes: [] } });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is that of the worker', async () => {
    const queries = new WorkerQueries();
    const described = queries.describe(worker);
    queries.answered({ fw: 'described', id: 7 });
    queries.answered({ fw: 'described', id: 1 });
    expect(await described).toEqual({ app: undefined, reads: [], effects: [] });
    expect(vi.getTimerCount()).toBe(0);
  });
});
