// Errors for values that a handler returned, but that cannot be converted to a response.
import { describe, expect, it } from 'vitest';
import { toResponse } from './to-response.js';

class Money extends Map<string, number> {
  toJSON() {
    return [...this];
  }
}

const stream = async function* () {
  yield 'x';
};

async function used(): Promise<Response> {
  const response = new Response('x');
  await response.text();
  return response;
}

function locked(): Response {
  const response = new Response('x');
  response.body?.getReader();
  return response;
}

describe('toResponse', () => {
  it.each([
    [null, 'null'],
    [7, '7'],
    [false, 'false'],
    [[undefined], '[null]'],
    [new Money([['EUR', 1]]), '[["EUR",1]]'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ])('converts %o to JSON', (value, json) => {
    expect(toResponse(value)).toMatchObject({ status: 200, content: json });
  });

  it.each([
    [stream(), 'a handler returned a stream; return new Response(stream)'],
    [new ReadableStream(), 'a handler returned a stream; return new Response(stream)'],
    [{ [Symbol.asyncIterator]: stream }, 'a handler returned a stream; return new Response(stream)'],
    [
      new Map(),
      'a Map has no JSON form, it would be sent as {}; convert it first, as with Object.fromEntries()',
    ],
    [new Set(), 'a Set has no JSON form, it would be sent as {}; convert it first, as with Array.from()'],
    [new ArrayBuffer(1), 'an ArrayBuffer has no JSON form, it would be sent as {}; convert it first'],
    [new Headers(), 'a Headers has no JSON form, it would be sent as {}; convert it first'],
    [new WeakMap(), 'a WeakMap has no JSON form, it would be sent as {}; convert it first'],
    [[1].values(), 'an Array Iterator has no JSON form, it would be sent as {}; convert it first'],
    [Response.error(), 'a handler returned Response.error(), which has no status'],
    [locked(), 'a handler returned a Response whose body was already read; return a clone'],
  ])('refuses %o', (value, message) => {
    expect(() => toResponse(value)).toThrow(new Error(message));
  });

  it('refuses a Response whose body was already read', async () => {
    const response = await used();
    expect(() => toResponse(response)).toThrow(
      new Error('a handler returned a Response whose body was already read; return a clone'),
    );
  });
});
