// Streaming: waits while whoever takes a stream's bytes is slower than their producer.
import type { Writable } from 'node:stream';

/** Resolves when the stream takes more, or will take no more. */
export function writable(stream: Pick<Writable, 'once' | 'off'>): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      stream.off('drain', settle);
      stream.off('close', settle);
      resolve();
    };
    stream.once('drain', settle);
    stream.once('close', settle);
  });
}
