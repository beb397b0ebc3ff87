// When the work of a cycle is aborted, and when it may finish.
import { describe, expect, it } from 'vitest';
import { Interruption, Patience } from './interruption.js';

const never = new Promise<never>(() => {});

describe('an interruption', () => {
  it('aborts pending work', async () => {
    const step = new Interruption();
    const work = step.unlessLeft(never);
    step.leave();
    expect(await work).toBeUndefined();
    expect(step.isLeft).toBe(true);
  });

  it('also aborts work that begins after it', async () => {
    const step = new Interruption();
    step.leave();
    expect(await step.unlessLeft(never)).toBeUndefined();
  });

  it('returns the result of work that finished before', async () => {
    expect(await new Interruption().unlessLeft(Promise.resolve('done'))).toBe('done');
  });

  it('waits for the given time since the cycle began', async () => {
    let now = 1000;
    const step = new Interruption(() => now);
    now = 1990;
    step.leave(1000);
    expect(step.isLeft).toBe(false);
    expect(await step.unlessLeft(never)).toBeUndefined();
    const other = new Interruption(() => now);
    now = 3000;
    other.leave(1000);
    expect(other.isLeft).toBe(true);
  });

  it('can become immediate after it was delayed', () => {
    const step = new Interruption();
    step.leave(60_000);
    step.leave();
    expect(step.isLeft).toBe(true);
    step.done();
  });
});

describe('patience', () => {
  it('grants time after three aborted cycles, until one has finished', () => {
    const patience = new Patience();
    for (let n = 0; n < 3; n += 1) {
      expect(patience.due).toBe(0);
      patience.cutShort();
    }
    expect(patience.due).toBe(2000);
    patience.finished(50);
    expect(patience.due).toBe(0);
  });

  it('grants twice the time of the last start if that was slow', () => {
    const patience = new Patience();
    patience.finished(4000);
    for (let n = 0; n < 3; n += 1) patience.cutShort();
    expect(patience.due).toBe(8000);
  });
});
