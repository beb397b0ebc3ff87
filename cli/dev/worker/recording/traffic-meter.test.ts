// What the charts get of the app, and that it costs nothing to speak of while nobody looks.
import diagnostics from 'node:diagnostics_channel';
import { afterEach, expect, it, vi } from 'vitest';
import { App } from '../../../../framework/index.js';
import { RpcRegistry } from '../../../../framework/rpc/index.js';
import { TestClient } from '../../../../framework/testing/index.js';
import type { WorkerNews } from '../../../process/messages.js';
import { durationClass, durationOf, type RawSecond } from '../../../process/traffic.js';
import { TrafficMeter } from './traffic-meter.js';

/** What the event loop's delays are measured with. */
const delays = vi.hoisted(() => ({ count: 0, max: 0, enable: vi.fn(), disable: vi.fn(), reset: vi.fn() }));
vi.mock('node:perf_hooks', async (original) => ({
  ...(await original<object>()),
  monitorEventLoopDelay: () => delays,
}));

let meter: TrafficMeter;
let news: WorkerNews[] = [];
afterEach(() => {
  meter.switch(false);
  vi.useRealTimers();
});

function start(): void {
  Object.assign(delays, { count: 0, max: 0 });
  for (const mock of [delays.enable, delays.disable, delays.reset]) mock.mockClear();
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: 1_000_000 });
  news = [];
  meter = new TrafficMeter((message, done) => {
    news.push(message);
    done?.();
  });
}
const seconds = (): RawSecond[] => news.flatMap((one) => (one.fw === 'seconds' ? one.seconds : []));

it('counts each second, and sends them together when somebody looks or the process ends', () => {
  start();
  meter.ended('/', 200, 4);
  meter.ended('/', 503, 4);
  meter.ended('/events', 200, undefined);
  vi.advanceTimersByTime(5000);
  meter.ended('/', 200, 8);
  expect([news.length, vi.getTimerCount()]).toEqual([0, 0]);
  meter.flush();
  expect(seconds()).toEqual([
    {
      time: 1000,
      requests: 3,
      failed: 1,
      failedCalls: 0,
      durations: [[durationClass(4), 2]],
      heap: expect.any(Number),
    },
    expect.objectContaining({ time: 1005, requests: 1 }),
  ]);
});

it('sends 60 seconds at once while nobody looks, and each second, with the event loop, while somebody does', () => {
  start();
  for (let n = 0; n < 61; n++) {
    meter.ended('/', 200, 1);
    vi.advanceTimersByTime(1000);
  }
  expect([news.length, seconds().length]).toEqual([1, 60]);
  meter.switch(true);
  expect(seconds().length).toBe(61);
  vi.advanceTimersByTime(3000);
  expect(
    seconds()
      .slice(61)
      .map(({ requests }) => requests),
  ).toEqual([0, 0, 0]);
  meter.switch(false);
  expect(vi.getTimerCount()).toBe(0);
});

it('measures the delay of the event loop while somebody looks, in each second anew', () => {
  start();
  meter.switch(true);
  const secondWith = (count: number, max: number): RawSecond | undefined => {
    Object.assign(delays, { count, max });
    vi.advanceTimersByTime(1000);
    return seconds().at(-1);
  };
  expect(secondWith(0, 0)).not.toHaveProperty('delayMs');
  // One of the two looks at the event loop is a part of what is measured.
  expect(secondWith(50, 25e6)).toMatchObject({ delayMs: 5 });
  expect(secondWith(50, 19e6)).toMatchObject({ delayMs: 0 });
  expect(delays.reset).toHaveBeenCalledTimes(2);
  meter.switch(false);
  expect([delays.enable, delays.disable].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  meter.ended('/', 200, 1);
  meter.flush();
  expect(seconds().at(-1)).not.toHaveProperty('delayMs');
});

it('has one timer, which keeps no process alive, however often somebody comes', () => {
  start();
  const timers = vi.spyOn(globalThis, 'setInterval');
  for (const on of [false, true, true, false, false, true]) meter.switch(on);
  expect(vi.getTimerCount()).toBe(1);
  expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false, false]);
  expect([delays.enable, delays.disable].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);
  timers.mockRestore();
});

it('says that all is sent also where there was nothing', () => {
  start();
  const done = vi.fn();
  meter.flush(done);
  meter.ended('/', 200, 1);
  meter.flush(done);
  expect([done.mock.calls.length, news.length]).toEqual([2, 1]);
});

it('counts calls of RPC that fail while somebody looks, and has no subscriber else', async () => {
  start();
  const rpc = new RpcRegistry().query('fails', () => {
    throw new Error('no');
  });
  const client = new TestClient(new App().mountRpc('/rpc', rpc));
  const call = () => client.post('/rpc', { json: { jsonrpc: '2.0', id: 1, method: 'fails' } });
  const heard = () => diagnostics.channel('tracing:fw:rpc:asyncEnd').hasSubscribers;
  await call();
  expect(heard()).toBe(false);
  meter.switch(true);
  await call();
  for (const other of [undefined, null, 'error', { result: 1 }])
    diagnostics.channel('tracing:fw:rpc:asyncEnd').publish(other);
  meter.switch(false);
  expect([seconds().map(({ failedCalls }) => failedCalls), heard()]).toEqual([[1], false]);
});

it('leaves out what the dev server of the frontend answers', () => {
  start();
  meter.ofFrontend('/src/main.ts');
  meter.ended('/src/main.ts', 200, 1);
  meter.ended('/src/main.ts', 404, 1);
  meter.flush();
  expect(seconds().map(({ requests }) => requests)).toEqual([1]);
});

it('does not remember more than 1,000 targets that the dev server of the frontend answers', () => {
  start();
  for (let n = 0; n < 1001; n++) meter.ofFrontend(`/${n}`);
  for (const target of ['/0', '/1000']) meter.ended(target, 200, 1);
  meter.flush();
  expect(seconds().map(({ requests }) => requests)).toEqual([1]);
});

it('has classes of durations that are off by 4.5 % at most', () => {
  for (const ms of [0.02, 0.7, 1, 3.3, 250, 90_000]) {
    expect(Math.abs(durationOf(durationClass(ms)) / ms - 1)).toBeLessThan(0.046);
  }
  expect(durationClass(0)).toBe(0);
});
