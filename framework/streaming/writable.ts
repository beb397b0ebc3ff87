// Streaming: back-pressure; waits while the consumer of a stream is slower than the producer.
import type { Writable } from 'node:stream';

/** Resolves when the stream can take more, or is closed. */
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
