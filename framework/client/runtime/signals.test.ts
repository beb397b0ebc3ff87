import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
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

  it('rejects at once with a signal', async () => {
    const controller = new AbortController();
    const waiting = pause(60_000, [{}, { signal: controller.signal }]);
    controller.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
  });
});
