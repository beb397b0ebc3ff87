import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { FwRpcTimeoutError, pause, withinLimits } from './signals.js';

const never = () => new Promise<never>(() => {});

describe('withinLimits', () => {
  it('ends work with the timeout of the call, else that of the client', async () => {
    await expect(withinLimits([{ timeoutMs: 1 }, { timeoutMs: 60_000 }], never)).rejects.toEqual(
      new FwRpcTimeoutError(1),
    );
    await expect(withinLimits([{}, { timeoutMs: 1 }], never)).rejects.toBeInstanceOf(FwRpcTimeoutError);
  });

  it('throws the reason of a signal, also of one that has aborted before, and keeps no listener', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const working = withinLimits([{}, { signal }], never);
    controller.abort(new Error('enough'));
    await expect(working).rejects.toThrow('enough');
    let began = false;
    const late = withinLimits([{ signal }], async () => {
      began = true;
    });
    await expect(late).rejects.toThrow('enough');
    expect([began, getEventListeners(signal, 'abort').length]).toEqual([false, 0]);
  });
});

describe('pause', () => {
  it('resolves after its time, whatever the timeout of the call', async () => {
    await pause(2, [{ timeoutMs: 0 }]);
  });

  it('has no end if its time is longer than that of any timer', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const waiting = pause(Number.POSITIVE_INFINITY, [{ signal: controller.signal }]);
    vi.advanceTimersByTime(1e9);
    controller.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('rejects at once with a signal', async () => {
    const controller = new AbortController();
    const waiting = pause(60_000, [{}, { signal: controller.signal }]);
    controller.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
  });
});
