import { describe, expect, it, vi } from 'vitest';
import { defineClient, type FwRpcMethods } from './define-client.js';

const table = {
  count: { hasInput: false },
  get: {},
  'users.get': {},
  'users.roles.set': {},
  'hasOwnProperty.x': {},
  'odd.na-me': { isWhole: true },
} as const;

// biome-ignore lint/suspicious/noExplicitAny: a generated client has types.
function classOf(call: FwRpcMethods<object>[1]): new (baseUrl?: string, options?: object) => any {
  return defineClient('/default', [[table, call]]);
}

describe('a defined client', () => {
  it('has a method for each line, in groups by the dots of its name', () => {
    const call = vi.fn((_connection: unknown, named: readonly [string, unknown], ...args: unknown[]) => [
      named[0],
      ...args,
    ]);
    const client = new (classOf(call as never))();
    expect(client.get(1, { a: 1 })).toEqual(['get', 1, { a: 1 }]);
    expect(client.count({ a: 1 })).toEqual(['count', undefined, { a: 1 }]);
    expect(client.users.get(1)).toEqual(['users.get', 1]);
    expect(client.users.roles.set(2)).toEqual(['users.roles.set', 2]);
    expect(client['odd.na-me'](3)).toEqual(['odd.na-me', 3]);
    expect(client.hasOwnProperty.x(4)).toEqual(['hasOwnProperty.x', 4]);
    expect(Object.hasOwn(Object.prototype.hasOwnProperty, 'x')).toBe(false);
  });

  it('gives its URL and its options to its calls, and itself', () => {
    const call = vi.fn();
    const FwRpcClient = classOf(call as never);
    new FwRpcClient().get();
    const client = new FwRpcClient('/own', { a: 1 });
    client.users.get();
    expect(call.mock.calls[0]?.[0]).toMatchObject({ baseUrl: '/default', options: {} });
    expect(call.mock.calls[1]?.[0]).toMatchObject({ baseUrl: '/own', options: { a: 1 }, client });
  });

  it('has methods that can be called without it', () => {
    const { get } = new (classOf(((_connection: unknown, named: unknown[]) => named[0]) as never))();
    expect(get()).toBe('get');
  });

  it('leaves the methods of a class that extends it', () => {
    class Own extends classOf((() => 'theirs') as never) {
      get(): string {
        return 'own';
      }
    }
    const client = new Own();
    expect([client.get(), client.count()]).toEqual(['own', 'theirs']);
    expect(client).toBeInstanceOf(Own);
  });
});
