// How the chunks of an iterable or a stream are read, and how reading is stopped.
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readChunks } from './chunks.js';

/** An iterable whose iterator records its calls, on an object with these members. */
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
  it('stops an iterator with its return()', async () => {
    const { iterable, asked } = watched();
    const chunks = readChunks(iterable);
    expect(await chunks.next()).toEqual({ done: false, value: 'x' });
    chunks.end();
    expect(asked).toEqual(['next', 'return']);
  });

  it.each([
    ['an emitter of events', new EventEmitter()],
    ['something that can be destroyed', { destroy: () => {} }],
  ])('does not treat %s as a Node stream', async (_what, members) => {
    const { iterable, asked } = watched(members);
    readChunks(iterable).end();
    expect(asked).toEqual(['return']);
  });

  it('destroys a Node stream, whose later errors are ignored', async () => {
    const stream = new PassThrough();
    const chunks = readChunks(stream);
    expect(stream.listenerCount('error')).toBeGreaterThan(0);
    chunks.end();
    expect(stream.destroyed).toBe(true);
  });

  it('cancels a ReadableStream while a read is pending', async () => {
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

  it('fails at the first chunk if the value cannot be read, and can be stopped without an error', async () => {
    const stream = new ReadableStream();
    stream.getReader();
    const chunks = readChunks(stream);
    await expect(chunks.next()).rejects.toThrow('a stream is already being read; return it unread');
    expect(await chunks.end()).toBeUndefined();
  });
});
