// Types of a caller, from those of a generated client.
import { expectTypeOf, test } from 'vitest';
import { RpcRegistry } from './registry.js';

interface CallOptions {
  headers?: Record<string, string> | undefined;
  timeoutMs?: number | undefined;
}

interface Client {
  count(options?: CallOptions): Promise<number>;
  add(input: { a: number }, options?: CallOptions): Promise<number>;
  list(input?: { page: number }, options?: CallOptions): Promise<string[]>;
  batch(calls: readonly unknown[], options?: CallOptions): Promise<unknown>;
  readonly users: { get(input: { id: string }, options?: CallOptions): Promise<{ name: string }> };
}

test('it has the methods of the client without their options', () => {
  const api = new RpcRegistry().caller<Client>();
  expectTypeOf(api.count).toEqualTypeOf<() => Promise<number>>();
  expectTypeOf(api.add).toEqualTypeOf<(input: { a: number }) => Promise<number>>();
  expectTypeOf(api.list).toEqualTypeOf<(input?: { page: number }) => Promise<string[]>>();
  expectTypeOf(api.users.get).toEqualTypeOf<(input: { id: string }) => Promise<{ name: string }>>();
  // @ts-expect-error: it is a method for requests.
  void api.batch;
});
