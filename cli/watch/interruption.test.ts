// When the work of a cycle is left, and when it is let finish.
import { describe, expect, it } from 'vitest';
import { Interruption, Patience } from './interruption.js';

const never = new Promise<never>(() => {});

describe('an interruption', () => {
  it('leaves what is under way', async () => {
    const step = new Interruption();
    const work = step.unlessLeft(never);
    step.leave();
    expect(await work).toBeUndefined();
    expect(step.isLeft).toBe(true);
  });

  it('is not missed by work that begins after it', async () => {
    const step = new Interruption();
    step.leave();
    expect(await step.unlessLeft(never)).toBeUndefined();
  });

  it('gives the result of work that is done before', async () => {
    expect(await new Interruption().unlessLeft(Promise.resolve('done'))).toBe('done');
  });

  it('waits until the cycle has had its time, counted from its begin', async () => {
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

  it('can come at once although it was to come later', () => {
    const step = new Interruption();
    step.leave(60_000);
    step.leave();
    expect(step.isLeft).toBe(true);
    step.done();
  });
});

describe('patience', () => {
  it('gives a cycle time after three that were cut short, and none again once one has finished', () => {
    const patience = new Patience();
    for (let n = 0; n < 3; n += 1) {
      expect(patience.due).toBe(0);
      patience.cutShort();
    }
    expect(patience.due).toBe(2000);
    patience.finished(50);
    expect(patience.due).toBe(0);
  });

  it('gives an app that is slow to start twice what it took last', () => {
    const patience = new Patience();
    patience.finished(4000);
    for (let n = 0; n < 3; n += 1) patience.cutShort();
    expect(patience.due).toBe(8000);
  });
});
