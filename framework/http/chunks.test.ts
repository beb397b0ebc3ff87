// How a producer is read, and what stops it.
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readChunks } from './chunks.js';

/** An iterable whose iterator tells what is asked of it, on an object with these members. */
function watched(members: object = {}) {
  const asked: string[] = [];
  const iterable = Object.assign(members, {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        asked.push('next');
        return { done: false as const, value: 'x' };
      },
      return: async () => {
        asked.push('return');
        return { done: true as const, value: undefined };
      },
    }),
  });
  return { iterable, asked };
}

describe('readChunks', () => {
  it('ends an iterator by its return', async () => {
    const { iterable, asked } = watched();
    const chunks = readChunks(iterable);
    expect(await chunks.next()).toEqual({ done: false, value: 'x' });
    chunks.end();
    expect(asked).toEqual(['next', 'return']);
  });

  it.each([
    ['an emitter of events', new EventEmitter()],
    ['something that can be destroyed', { destroy: () => {} }],
  ])('does not take %s for a Node stream', async (_what, members) => {
    const { iterable, asked } = watched(members);
    readChunks(iterable).end();
    expect(asked).toEqual(['return']);
  });

  it('destroys a Node stream, which may fail while nobody reads it', async () => {
    const stream = new PassThrough();
    const chunks = readChunks(stream);
    expect(stream.listenerCount('error')).toBeGreaterThan(0);
    chunks.end();
    expect(stream.destroyed).toBe(true);
  });

  it('cancels a ReadableStream whose next chunk does not come', async () => {
    let reason: unknown = 'none';
    const stream = new ReadableStream({
      cancel(given) {
        reason = given;
      },
    });
    const chunks = readChunks(stream);
    const pending = chunks.next();
    chunks.end();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(reason).toBeUndefined();
  });

  it('fails at the first chunk of what cannot be read, and is ended without a word', async () => {
    const stream = new ReadableStream();
    stream.getReader();
    const chunks = readChunks(stream);
    await expect(chunks.next()).rejects.toBeInstanceOf(TypeError);
    expect(chunks.end()).toBeUndefined();
  });
});
