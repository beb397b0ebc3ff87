// When the work of a cycle is cancelled, and when it may finish.
import { describe, expect, it, vi } from 'vitest';
import { Cancellation, CancelTiming } from './cancellation.js';

const never = new Promise<never>(() => {});

describe('a cancellation', () => {
  it('ends pending work', async () => {
    const cancellation = new Cancellation();
    const work = cancellation.unlessCancelled(never);
    cancellation.cancel();
    expect(await work).toBeUndefined();
    expect(cancellation.isCancelled).toBe(true);
  });

  it('also ends work that begins after it', async () => {
    const cancellation = new Cancellation();
    cancellation.cancel();
    expect(await cancellation.unlessCancelled(never)).toBeUndefined();
  });

  it('returns the result of work that finished before', async () => {
    expect(await new Cancellation().unlessCancelled(Promise.resolve('done'))).toBe('done');
  });

  it('waits for the given time since the cycle began', async () => {
    let now = 1000;
    const cancellation = new Cancellation(() => now);
    now = 1990;
    cancellation.cancel(1000);
    expect(cancellation.isCancelled).toBe(false);
    expect(await cancellation.unlessCancelled(never)).toBeUndefined();
    const other = new Cancellation(() => now);
    now = 3000;
    other.cancel(1000);
    expect(other.isCancelled).toBe(true);
  });

  it('can become immediate after it was delayed', () => {
    const cancellation = new Cancellation();
    cancellation.cancel(60_000);
    cancellation.cancel();
    expect(cancellation.isCancelled).toBe(true);
    cancellation.done();
  });

  it('that is still pending is dropped at the end of the cycle', () => {
    vi.useFakeTimers();
    const cancellation = new Cancellation();
    cancellation.cancel(60_000);
    cancellation.done();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(60_000);
    expect(cancellation.isCancelled).toBe(false);
    vi.useRealTimers();
  });
});

describe('the timing of cancellations', () => {
  it('grants time after three cancelled cycles, until one has finished', () => {
    const timing = new CancelTiming();
    for (let n = 0; n < 3; n += 1) {
      expect(timing.delay).toBe(0);
      timing.cancelled();
    }
    expect(timing.delay).toBe(2000);
    timing.finished(50);
    expect(timing.delay).toBe(0);
  });

  it('grants twice the time of the last start if that was slow', () => {
    const timing = new CancelTiming();
    timing.finished(4000);
    for (let n = 0; n < 3; n += 1) timing.cancelled();
    expect(timing.delay).toBe(8000);
  });
});
