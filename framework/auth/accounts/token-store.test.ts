// The store of tokens in memory.
import { describe, expect, it, vi } from 'vitest';
import { storedToken, testTokenStore } from '../../conformance/token-store-contract.js';
import { MemoryTokenStore } from './token-store.js';

describe('MemoryTokenStore', () => {
  testTokenStore('memory', new MemoryTokenStore());

  it('removes what has expired when tokens are added, so that its size is bounded', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    try {
      const store = new MemoryTokenStore();
      store.add(storedToken('lasting', { expiresAtMs: undefined }));
      for (let index = 0; index < 100; index += 1) {
        store.add(storedToken(`old${index}`, { expiresAtMs: 1_060_000 }));
      }
      expect(store.size).toBe(101);
      vi.setSystemTime(1_060_000);
      for (let index = 0; index < 60; index += 1) {
        store.add(storedToken(`new${index}`, { expiresAtMs: 2_000_000 }));
      }
      expect(store.size).toBe(61);
      expect(store.find('lasting')).toBeDefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps a copy, which nobody changes from outside', () => {
    const store = new MemoryTokenStore();
    const token = storedToken('copied');
    store.add(token);
    Object.assign(token, { userId: 'eve' });
    expect(store.find('copied')?.userId).toBe('ada');
  });

  it('lists 1,000 tokens at most', () => {
    const store = new MemoryTokenStore();
    for (let index = 0; index <= 1_000; index += 1)
      store.add(storedToken(`k${index}`, { createdAtMs: index }));
    const listed = store.list('refresh', 'ada');
    expect(listed).toHaveLength(1_000);
    expect([listed[0]?.key, listed.at(-1)?.key]).toEqual(['k1000', 'k1']);
  });

  it('takes no argument', () => {
    const Made = MemoryTokenStore as new (...all: unknown[]) => MemoryTokenStore;
    expect(() => new Made({ max: 1 })).toThrow('it has no options');
  });
});
