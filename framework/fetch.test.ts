import { describe, expect, it } from 'vitest';
import { App } from './app.js';

/** Gives one chunk, then nothing, and notes whether it was cancelled. */
function silent(): { stream: ReadableStream<Uint8Array>; wasCancelled: () => boolean } {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(1)),
    cancel: () => {
      cancelled = true;
    },
  });
  return { stream, wasCancelled: () => cancelled };
}

describe('streams over fetch', () => {
  it('are cancelled while their producer is silent', async () => {
    const { stream, wasCancelled } = silent();
    const app = new App().get('/', () => new Response(stream));
    const reader = (await app.fetch(new Request('http://x/'))).body?.getReader();
    await reader?.read();
    reader?.read().catch(() => {});
    await reader?.cancel();
    expect(wasCancelled()).toBe(true);
  });

  it.each(['HEAD', 'GET'])('are cancelled where the answer to %s has no body', async (method) => {
    const { stream, wasCancelled } = silent();
    const app = new App().get('/', (ctx) => {
      ctx.status(method === 'HEAD' ? 200 : 304);
      return new Response(stream);
    });
    await app.fetch(new Request('http://x/', { method }));
    expect(wasCancelled()).toBe(true);
  });
});
