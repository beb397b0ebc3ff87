// Hostile dialogues: streams of every kind, whose producers may misbehave.
import { Readable } from 'node:stream';
import { SseEvent } from '../../index.js';
import { at } from './misbehaviour.js';

/** Chunks of which one misbehaves before, between or at the end. */
export async function* generated(point: string): AsyncGenerator<string> {
  try {
    yield 'first\n';
    yield await at(`${point} producer`, () => 'second\n');
    await new Promise((resolve) => setImmediate(resolve));
    yield 'third\n';
  } finally {
    await at(`${point} finally`, () => {});
  }
}

/** An iterable each of whose methods may misbehave; it gives the value three times. */
export function iterable<Value>(point: string, value: Value): AsyncIterable<Value> {
  let count = 0;
  const over: IteratorResult<Value> = { done: true, value: undefined };
  const iterator: AsyncIterator<Value> = {
    next: () =>
      at(`${point} next`, async () => {
        count += 1;
        return count > 3 ? over : { done: false, value };
      }),
    return: () => at(`${point} return`, async () => over),
  };
  return { [Symbol.asyncIterator]: () => at(`${point} iterator`, () => iterator) };
}

export function webStream(): ReadableStream<Uint8Array> {
  let count = 0;
  return new ReadableStream({
    pull: (controller) =>
      at('web stream pull', () => {
        count += 1;
        if (count > 3) controller.close();
        else controller.enqueue(new TextEncoder().encode(`chunk ${count}\n`));
      }),
    cancel: () => at('web stream cancel', () => {}),
  });
}

export function nodeStream(): Readable {
  let count = 0;
  return new Readable({
    read() {
      count += 1;
      const made = async () => at('node stream read', () => (count > 3 ? null : `chunk ${count}\n`));
      // Node takes errors alone, and asks again in the same turn for undefined.
      made()
        .then((chunk) => this.push(chunk ?? null))
        .catch((cause: unknown) => this.destroy(new Error('the stream cannot be read', { cause })));
    },
  });
}

export async function* events(): AsyncGenerator<SseEvent> {
  for (let id = 1; id < 4; id += 1) {
    yield SseEvent.new(await at('event producer', () => ({ id })));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export async function* keptAlive(): AsyncGenerator<SseEvent> {
  for await (const text of generated('kept alive')) yield SseEvent.data(text);
}
