import { describe, expect, it, vi } from 'vitest';
import { chained, isPromise, MappedPromise, synchronous, toChainable } from './promises.js';

const double = (value: number): number => value * 2;
const failing = (value: number): never => {
  throw new Error(`no ${value}`);
};

describe('a mapped promise', () => {
  it.each([
    ['a value', double],
    ['a promise', async (value: number) => double(value)],
    ['a mapped promise', (value: number) => new MappedPromise(Promise.resolve(value), double)],
  ])('gives %s that its function makes', async (_, mapping) => {
    const mapped = new MappedPromise(Promise.resolve(2), mapping as typeof double);
    expect(await mapped).toBe(4);
    expect(await mapped.then((value) => value + 1)).toBe(5);
    expect(await toChainable(mapped as never).then(String)).toBe('4');
    expect(await chained(mapped as never, String)).toBe('4');
  });

  it('does not call its function before it is read', async () => {
    const mapping = vi.fn(double);
    const mapped = new MappedPromise(Promise.resolve(2), mapping);
    await Promise.resolve();
    expect(mapping).not.toHaveBeenCalled();
    await mapped;
    expect(mapping).toHaveBeenCalledExactlyOnceWith(2);
  });

  it('calls what reads it in the turn of its function', async () => {
    const order: string[] = [];
    const source = Promise.resolve(2);
    const read = new MappedPromise(source, (value: number) => order.push(`mapped ${value}`)).then(() =>
      order.push('read'),
    );
    const plain = source.then(() => order.push('another turn'));
    await Promise.all([read, plain]);
    expect(order).toEqual(['mapped 2', 'read', 'another turn']);
  });

  it.each([
    ['its source', async () => failing(2), double],
    ['its function', async () => 2, failing],
    ['what its function promises', async () => 2, async (value: number) => failing(value)],
  ])('rejects like %s, once', async (_, source, mapping) => {
    const mapped = new MappedPromise(source(), mapping as typeof double);
    await expect(mapped.then()).rejects.toThrow('no 2');
    await expect(mapped.then(String)).rejects.toThrow('no 2');
    const fulfilled = vi.fn();
    const rejected = vi.fn((error: unknown) => (error as Error).message);
    expect(await mapped.then(fulfilled, rejected)).toBe('no 2');
    expect(fulfilled).not.toHaveBeenCalled();
    expect(rejected).toHaveBeenCalledOnce();
  });

  it.each([
    ['fulfilled', double],
    ['rejected', failing],
  ])('rejects with what the callback throws when it is %s', async (_, mapping) => {
    const rejected = vi.fn(() => {
      throw new Error('late');
    });
    const read = new MappedPromise(Promise.resolve(2), mapping).then(rejected, rejected);
    await expect(read).rejects.toThrow('late');
    expect(rejected).toHaveBeenCalledOnce();
  });
});

describe('a value that may be anything', () => {
  const refuse = (): never => {
    throw new TypeError('hands off');
  };
  it.each([
    ['a Proxy', new Proxy({}, { get: refuse })],
    ['a Proxy without a prototype to ask for', new Proxy({}, { getPrototypeOf: refuse })],
    ['an object with a getter of then', Object.defineProperty({}, 'then', { get: refuse })],
    ['undefined', undefined],
  ])('%s is not a promise, and asking does not throw', (_, value) => {
    expect(isPromise(value)).toBe(false);
    expect(synchronous(value, 'no promise')).toBe(value);
  });

  it('is refused if it is a promise that rejects, which nothing else handles', async () => {
    // biome-ignore lint/suspicious/noThenProperty: that is the case
    for (const value of [Promise.reject(new Error('mine')), { then: refuse }]) {
      expect(() => synchronous(value, 'this one is not')).toThrow('this one is not');
    }
    await new Promise(setImmediate);
  });
});
