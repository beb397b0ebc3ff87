import { describe, expect, it } from 'vitest';
import { otherLoad, readProcessors } from './disturbance.js';

describe('otherLoad', () => {
  it.each([
    ['nothing else ran', { all: 300, own: 200, at: 2_000 }, 0],
    ['a processor of another was busy all the time', { all: 500, own: 200, at: 2_000 }, 1],
    ['a tenth of one was', { all: 320, own: 200, at: 2_000 }, 0.1],
    ['the readings are a tick apart', { all: 299, own: 200, at: 2_000 }, 0],
  ])('%s', (_what, after, expected) => {
    expect(otherLoad({ all: 100, own: 0, at: 0 }, after)).toBe(expected);
  });
});

describe.skipIf(process.platform !== 'linux')('readProcessors', () => {
  it('counts the work of this process as its own', () => {
    const before = readProcessors(undefined);
    let after = before;
    const end = Date.now() + 5_000;
    while (after.own === before.own && Date.now() < end) after = readProcessors(undefined);
    expect(after.own).toBeGreaterThan(before.own);
    expect(after.all).toBeGreaterThanOrEqual(before.all);
    expect(after.at).toBeGreaterThan(before.at);
  });

  it('counts that of the server too', () => {
    // Of this process, that is twice the same.
    expect(readProcessors(process.pid).own).toBeGreaterThan(readProcessors(undefined).own);
  });
});
