// Pings while a stream sends nothing, with fake timers.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Chunks } from '../http/chunks.js';
import { checkInterval, KeepAlive } from './keep-alive.js';

const PING = { done: false, value: ': ping\n\n' };
const END = { done: true, value: undefined };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Texts that the test sends. */
function source() {
  const asked: { give: (text: string) => void; end: () => void; fail: (error: Error) => void }[] = [];
  let ends = 0;
  const texts: Chunks<string> = {
    next: () =>
      new Promise((resolve, reject) => {
        asked.push({
          give: (value) => resolve({ done: false, value }),
          end: () => resolve(END as never),
          fail: reject,
        });
      }),
    end: async () => {
      ends += 1;
    },
  };
  return { texts, asked, ends: () => ends };
}

describe('KeepAlive', () => {
  it('pings at every interval without a text, and reads each text once', async () => {
    const { texts, asked } = source();
    const kept = new KeepAlive(texts, 100);
    for (const text of ['one', 'two']) {
      for (let ping = 0; ping < 2; ping += 1) {
        const silence = kept.next();
        await vi.advanceTimersByTimeAsync(99);
        expect(vi.getTimerCount()).toBe(1);
        await vi.advanceTimersByTimeAsync(1);
        expect(await silence).toEqual(PING);
      }
      const next = kept.next();
      asked.at(-1)?.give(text);
      expect(await next).toEqual({ done: false, value: text });
      expect(vi.getTimerCount()).toBe(0);
    }
    expect(asked).toHaveLength(2);
  });

  it('returns a text that came between two reads, without a timer', async () => {
    const { texts, asked } = source();
    const kept = new KeepAlive(texts, 100);
    const silence = kept.next();
    await vi.advanceTimersByTimeAsync(100);
    expect(await silence).toEqual(PING);
    asked[0]?.give('meanwhile');
    await vi.advanceTimersByTimeAsync(0);
    const next = kept.next();
    expect(vi.getTimerCount()).toBe(0);
    expect(await next).toEqual({ done: false, value: 'meanwhile' });
  });

  it('ends when the source ends, and fails when it fails', async () => {
    const ending = source();
    const ended = new KeepAlive(ending.texts, 100).next();
    ending.asked[0]?.end();
    expect(await ended).toEqual(END);
    const failing = source();
    const failed = new KeepAlive(failing.texts, 100).next();
    failing.asked[0]?.fail(new Error('the source broke'));
    await expect(failed).rejects.toThrow(new Error('the source broke'));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has ended after its reader left, even if another text comes', async () => {
    const { texts, asked, ends } = source();
    const kept = new KeepAlive(texts, 100);
    const waiting = kept.next();
    expect(await kept.return()).toEqual(END);
    expect(ends()).toBe(1);
    expect(await waiting).toEqual(END);
    asked[0]?.give('too late');
    const after = kept.next();
    expect(vi.getTimerCount()).toBe(0);
    expect(await after).toEqual(END);
  });

  it('can be ended before it is read', async () => {
    const { texts, ends } = source();
    expect(await new KeepAlive(texts, 100).return()).toEqual(END);
    expect(ends()).toBe(1);
  });
});

describe('an interval', () => {
  it.each([1, 15_000, 2 ** 31 - 1])('may be %d ms', (ms) => {
    expect(checkInterval(ms)).toBeUndefined();
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 31, '5' as unknown as number])('is refused: %j', (ms) => {
    expect(() => checkInterval(ms)).toThrow(
      new Error(`${ms} is not a keep-alive interval: give whole milliseconds, 1 to 2147483647`),
    );
  });
});
