import { describe, expect, it } from 'vitest';
import { type FwBody, FwResponse } from './response.js';

async function* chunks(): AsyncGenerator<string> {
  yield 'x';
}

describe('FwResponse', () => {
  it.each([
    [undefined, 'undefined'],
    [() => 1, 'a function'],
    [Symbol('x'), 'a symbol'],
  ])('refuses %s, which has no JSON form', (value, type) => {
    expect(() => FwResponse.json(value)).toThrow(
      new Error(`${type} has no JSON form; return ctx.text() or an object`),
    );
  });

  it('is JSON with 200 by default', () => {
    expect(FwResponse.json(null)).toMatchObject({ status: 200, content: 'null', stream: undefined });
    expect(FwResponse.json({ a: 1 }, 201).status).toBe(201);
  });

  it('makes the text of a value when it is read, or of another value', () => {
    const held = FwResponse.ofValue({ a: 1 }, 201);
    expect(held.unwritten).toEqual({ value: { a: 1 } });
    expect(held.body).toEqual({ kind: 'full', bytes: new TextEncoder().encode('{"a":1}') });
    expect(held.unwritten).toBeUndefined();
    expect(FwResponse.ofValue({ a: 1, b: 2 }, 200).writeJson({ a: 1 }).content).toBe('{"a":1}');
    expect(() => FwResponse.ofValue(undefined, 200).content).toThrow('undefined has no JSON form');
    const replaced = FwResponse.ofValue({ a: 1 }, 200);
    replaced.body = { kind: 'full', bytes: new Uint8Array([50]) };
    expect(replaced.content).toEqual(new Uint8Array([50]));
  });

  it('returns the same bytes each time, for every kind of content', () => {
    const response = FwResponse.json('ä');
    const expected = { kind: 'full', bytes: new TextEncoder().encode('"ä"') };
    expect(response.body).toEqual(expected);
    expect(response.body).toEqual(expected);
  });

  it('drops the length, the entity tag, ranges and digests if the body is replaced', () => {
    const response = FwResponse.json(1);
    response.headers.set('Content-Length', 1);
    response.headers.set('ETag', '"1"');
    response.headers.set('Accept-Ranges', 'bytes');
    for (const name of ['Content-Digest', 'Repr-Digest', 'Digest', 'Content-MD5']) {
      response.headers.set(name, 'sha-256=:x:');
    }
    response.body = { kind: 'stream', stream: chunks() };
    const { stream } = response;
    expect(stream).toBeDefined();
    expect(response.body).toEqual({ kind: 'stream', stream });
    // The same stream, not one around it.
    const { body } = response;
    response.body = body;
    expect(response.stream).toBe(stream);
    expect([...response.headers]).toEqual([['Content-Type', 'application/json']]);
    const bytes = new Uint8Array([1]);
    response.body = { kind: 'full', bytes };
    expect(response.stream).toBeUndefined();
    expect(response.body).toEqual({ kind: 'full', bytes });
  });

  it('may get another body before its fields are read', () => {
    const response = FwResponse.json(1);
    response.body = { kind: 'full', bytes: new Uint8Array([1, 2]) };
    expect(response.onlyContentType).toBe('application/json');
    expect([...response.headers]).toEqual([['Content-Type', 'application/json']]);
    expect(response.onlyContentType).toBeUndefined();
    expect(response.wasSent).toBe(false);
    response.defaultHeaders = [['X-A', '1']];
    expect(response.wasSent).toBe(true);
  });

  it.each<[unknown, string]>([
    [{ kind: 'full', bytes: 'text' }, "kind 'full' takes a Uint8Array as bytes"],
    [{ kind: 'full' }, "kind 'full' takes a Uint8Array as bytes"],
    [{ kind: 'stream', stream: 'text' }, "kind 'stream' takes an async iterable as stream"],
    [{ kind: 'stream', stream: [] }, "kind 'stream' takes an async iterable as stream"],
    [{ kind: 'stream' }, "kind 'stream' takes an async iterable as stream"],
  ])('refuses the body %j', (body, why) => {
    const response = FwResponse.json(1);
    expect(() => {
      response.body = body as FwBody;
    }).toThrow(new Error(`a response body of ${why}`));
    expect(response.content).toBe('1');
  });
});
