// Work of the app without a request: what becomes a job, and what does not.
import { AsyncLocalStorage } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { App, toNodeHandler } from '../../../../framework/index.js';
import { QueryWatch } from '../../../../framework/sql/query-watch.js';
import { log, withSpan } from '../../../../framework/tracing/index.js';
import { isHeard, isRecorded } from '../../../../framework/tracing/trace-channel.js';
import type { WorkerNews } from '../../../process/messages.js';
import type { RawRecord } from '../../../process/records.js';
import { Recorder } from './recorder.js';

type Listener = (request: http.IncomingMessage, response: http.ServerResponse) => void;

let news: WorkerNews[] = [];
let recorder: Recorder;
let server: http.Server | undefined;
/** As `fw dev` knows them. */
const running = new Set<ServerResponse>();

afterEach(() => {
  recorder.switch(false);
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

function begin(): void {
  news = [];
  recorder = new Recorder(
    (message, done) => {
      news.push(message);
      done?.();
    },
    () => running,
  );
}

async function serve(listener: Listener): Promise<string> {
  server = http.createServer((request, response) => {
    running.add(response);
    response.once('close', () => running.delete(response));
    if (recorder.isOn) recorder.request(request, response, undefined, () => listener(request, response));
    else listener(request, response);
  });
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const records = (): RawRecord[] => news.flatMap((one) => (one.fw === 'records' ? one.records : []));
const skipped = () => news.reduce((sum, one) => sum + (one.fw === 'records' ? one.skipped : 0), 0);

async function jobs(): Promise<RawRecord[]> {
  await recorder.flush();
  return records().filter(({ isJob, state }) => isJob && state !== 'pending');
}
const names = async () => (await jobs()).map(({ target }) => target);

/** As a statement of fw/kysely. */
function statement(sql: string, work: () => Promise<unknown>): Promise<unknown> {
  return new QueryWatch().run({ sql, parameters: [] }, work);
}

describe('a span outside of requests', () => {
  it('is a job, with its steps, its lines, and what it logs with console', async () => {
    begin();
    recorder.switch(true);
    const unwatch = recorder.watchConsole();
    await withSpan({ job: 'tidy', job_id: 7 }, async () => {
      await sleep(1);
      await statement('select 1', () => sleep(1));
      log.info('tidied', { count: 3 });
      console.info('all clean');
      await withSpan({ part: 'inner' }, () => sleep(1));
    });
    unwatch();
    expect(isRecorded()).toBe(false);
    const [job, ...others] = await jobs();
    expect(others).toEqual([]);
    expect(job).toMatchObject({ method: 'JOB', target: 'job=tidy', state: 'answered' });
    expect(job?.durationMs).toBeGreaterThan(2);
    expect(job?.error).toBeUndefined();
    expect(job?.steps.map(({ kind, name, depth }) => [kind, name, depth])).toEqual([
      ['span', 'job=tidy', 0],
      ['database', 'select 1', 1],
      ['span', 'part=inner', 1],
    ]);
    for (const { start, end } of job?.steps ?? []) expect(end).toBeGreaterThan(start);
    expect(job?.log.map(({ message }) => message)).toEqual(['tidied', 'all clean']);
  });

  it('has the error that it threw, also at once, and the one that ends the process', async () => {
    begin();
    recorder.switch(true);
    const thrown = new TypeError('nothing to tidy');
    expect(() =>
      withSpan({ job: 'now' }, () => {
        throw thrown;
      }),
    ).toThrow(thrown);
    await expect(withSpan({ job: 'later' }, () => Promise.reject(new Error('later')))).rejects.toThrow();
    const fatal = new Error('last');
    await expect(withSpan({ job: 'fatal' }, () => Promise.reject(fatal))).rejects.toThrow();
    recorder.fatal(fatal);
    expect(await jobs()).toMatchObject([
      { target: 'job=now', error: { title: 'TypeError: nothing to tidy' } },
      { target: 'job=later', error: { title: 'Error: later' } },
      { target: 'job=fatal', error: { title: 'Error: last' }, isFatal: true },
    ]);
    expect((await jobs()).filter(({ isFatal }) => isFatal)).toHaveLength(1);
  });

  it('is pending while it runs, and aborted if the process ends', async () => {
    begin();
    recorder.switch(true);
    const done = new AbortController();
    const ended = withSpan({ job: 'long' }, () => sleep(60_000, undefined, { signal: done.signal }));
    await expect.poll(() => records().map(({ state }) => state)).toEqual(['pending']);
    recorder.flushAtExit();
    expect(records().at(-1)).toMatchObject({ isJob: true, state: 'aborted' });
    done.abort();
    await expect(ended).rejects.toThrow();
  });

  it('is not mixed up with another one that runs at the same time, nor with a request', async () => {
    begin();
    recorder.switch(true);
    const url = await serve(
      toNodeHandler(
        new App().get('/', async () => {
          await withSpan({ part: 'request' }, () => sleep(20));
          return 'x';
        }),
      ),
    );
    const job = (name: string) =>
      withSpan({ job: name }, async () => {
        await sleep(5);
        await statement(`select '${name}'`, () => sleep(5));
      });
    await Promise.all([job('one'), (await fetch(url)).text(), job('two')]);
    const found = await jobs();
    expect(found.map(({ target, steps }) => [target, steps.map(({ name }) => name)])).toEqual([
      ['job=one', ['job=one', "select 'one'"]],
      ['job=two', ['job=two', "select 'two'"]],
    ]);
    const request = records().find(({ isJob, state }) => !isJob && state === 'answered');
    expect(request?.steps.map(({ name }) => name)).toContain('part=request');
  });

  it('has a budget of its own: what is too much is counted, and takes nothing from requests', async () => {
    begin();
    recorder.switch(true);
    for (let index = 0; index < 150; index += 1)
      withSpan({ job: index }, () => withSpan({ part: 1 }, () => {}));
    const found = await jobs();
    expect(found.length).toBeGreaterThanOrEqual(100);
    expect(found.length + skipped()).toBe(150);
    expect(skipped()).toBeGreaterThan(30);
    const url = await serve((_, response) => response.end('x'));
    await (await fetch(url)).text();
    await expect.poll(() => records().some(({ isJob, state }) => !isJob && state === 'answered')).toBe(true);
  });

  it('is not looked at while the recorder is off', async () => {
    const isWaiting = () => isHeard(diagnostics.channel('fw:outermost-span'));
    begin();
    expect(isWaiting()).toBe(false);
    recorder.switch(true);
    recorder.switch(true);
    expect([isWaiting(), isRecorded()]).toEqual([true, false]);
    recorder.switch(false);
    expect(isWaiting()).toBe(false);
    let isTraced = true;
    withSpan({ job: 'unseen' }, () => {
      isTraced = isRecorded();
    });
    expect([isTraced, await jobs()]).toEqual([false, []]);
  });
});

describe('a span of a request', () => {
  /** A request that the recorder does not know, whose span begins when it is told to. */
  async function held(): Promise<() => Promise<void>> {
    let go = (): void => {};
    const begun = new Promise<void>((began) => {
      const url = serve(async (_, response) => {
        const told = new Promise<void>((done) => {
          go = done;
        });
        began();
        await told;
        await withSpan({ part: 'of a request' }, () => sleep(1));
        response.end('x');
      });
      void url.then((address) => fetch(address)).then((answer) => answer.text());
    });
    await begun;
    return async () => {
      go();
      await expect.poll(() => running.size).toBe(0);
    };
  }

  it('is not a job if the request began before the recording', async () => {
    begin();
    const finish = await held();
    recorder.switch(true);
    await finish();
    await withSpan({ job: 'after' }, () => sleep(1));
    expect(await names()).toEqual(['job=after']);
  });

  const COUNT = 150;
  const slow = async (_: unknown, response: { end(text: string): unknown }): Promise<void> => {
    await sleep(20);
    await withSpan({ part: 'of a request' }, () => sleep(1));
    response.end('x');
  };

  /** Asks until some were beyond the budget, which fills again while a slow machine answers. */
  async function exceedBudget(ask: () => Promise<unknown>): Promise<void> {
    for (let times = 1; skipped() === 0 && times < 20; times++) {
      await Promise.all(Array.from({ length: COUNT * times }, ask));
      await recorder.flush();
    }
  }

  it('is not a job if the request is beyond the budget', async () => {
    begin();
    recorder.switch(true);
    const url = await serve(slow);
    await exceedBudget(async () => (await fetch(url)).text());
    await withSpan({ job: 'after' }, () => sleep(1));
    expect(await names()).toEqual(['job=after']);
    expect(skipped()).toBeGreaterThan(0);
  });

  it('is not a job if the request is beyond the budget, over HTTP/2', async () => {
    begin();
    recorder.switch(true);
    const secure = http2.createServer((request, response) => {
      const given = [request, response] as unknown as [http.IncomingMessage, ServerResponse];
      void recorder.request(...given, undefined, () => slow(request, response));
    });
    await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done));
    const client = http2.connect(`http://127.0.0.1:${(secure.address() as AddressInfo).port}`);
    await exceedBudget(() => once(client.request().resume(), 'close'));
    client.close();
    await new Promise((done) => secure.close(done));
    await withSpan({ job: 'after' }, () => sleep(1));
    expect(await names()).toEqual(['job=after']);
    expect(skipped()).toBeGreaterThan(0);
  });

  it('is not a job if a span is around it that was not recorded', async () => {
    begin();
    let go = (): void => {};
    const told = new Promise<void>((done) => {
      go = done;
    });
    const ended = withSpan({ tenant: 'acme' }, async () => {
      await told;
      await withSpan({ part: 'inner' }, () => sleep(1));
    });
    recorder.switch(true);
    go();
    await ended;
    expect(await names()).toEqual([]);
  });

  it('is a job if its request was answered before', async () => {
    begin();
    recorder.switch(true);
    const late = new AsyncLocalStorage<string>();
    const mailed = new Promise<void>((done) => {
      void serve((_, response) => {
        response.end('x');
        late.run('mail', () =>
          setTimeout(() => void withSpan({ job: late.getStore() }, () => sleep(1)).then(done), 50),
        );
      })
        .then((url) => fetch(url))
        .then((answer) => answer.text());
    });
    await mailed;
    expect(await names()).toEqual(['job=mail']);
  });
});
