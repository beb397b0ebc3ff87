// Chunks of bytes as one.
import { expect, it } from 'vitest';
import { joinBytes } from './join-bytes.js';

it.each([
  [[], []],
  [[[1, 2]], [1, 2]],
  [
    [[1, 2], [], [3], [4, 5]],
    [1, 2, 3, 4, 5],
  ],
])('%j are %j', (chunks, bytes) => {
  expect([...joinBytes(chunks.map((chunk) => Uint8Array.from(chunk)))]).toEqual(bytes);
});

it('does not copy a chunk that is alone', () => {
  const chunk = Uint8Array.of(1);
  expect(joinBytes([chunk])).toBe(chunk);
});
