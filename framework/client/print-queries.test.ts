// The file of queries: what it types and does in the hands of TanStack Query, whose options are described here.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
import { check, libraries } from '../conformance/checked-client.js';
import { clientCode, form } from '../conformance/client-form.js';
import { Path } from '../extract/path.js';
import { Query } from '../extract/query.js';
import { route } from '../extract/route.js';
import { RpcMode, RpcRegistry } from '../rpc/index.js';
import { clientFromApp } from './app/client-from-app.js';

const directory = mkdtempSync(join(tmpdir(), 'fw-queries-'));
afterAll(() => rmSync(directory, { recursive: true }));

const User = z.object({ id: z.number() });

const registry = (mode: RpcMode = RpcMode.JsonRpc) =>
  RpcRegistry.withMode(mode)
    .queryWithTypes('count', () => 3, 'void', 'number')
    .queryWithTypes('ping', () => undefined, 'void', 'void')
    .queryWithTypes('users.search', () => ['ada'], '{ name?: string } | void', 'string[]')
    .queryWithTypes('users.one', ({ id }: { id: string }) => id, '{ id: string }', 'string')
    .queryWithTypes('odd-name', () => 1, 'void', 'number')
    .mutationWithTypes('users.roles.set', ({ id }: { id: string }) => id, '{ id: string }', 'string')
    .mutationWithTypes('reset', () => undefined, 'void', 'void')
    .subscriptionWithTypes('news.changes', async function* () {}, 'void', 'number');

function app(rpc: RpcRegistry): App {
  const made = new App()
    .get(
      route('/pets/:id', { operationId: 'pets.get', returns: User }),
      Path('id', z.coerce.number()),
      (id) => ({
        id,
      }),
    )
    .get(
      route('/pets', { operationId: 'pets.list', returns: z.array(User) }),
      Query(z.object({ most: z.coerce.number().optional() })),
      () => [{ id: 1 }],
    )
    .delete(route('/pets/:id', { operationId: 'pets.remove', returns: { 204: null } }), () => undefined);
  return rpc.mode === RpcMode.Rest ? made.mountRest('/rpc', rpc) : made.mountRpc('/rpc', rpc);
}

/** As TanStack Query 5 declares what it takes, without what is not used here. */
const use = `import { FwRpcClient } from './client.js';
import { queriesOf } from './client-queries.js';
interface QueryFunctionContext<Key> { queryKey: Key; signal: AbortSignal; meta: Record<string, unknown> | undefined }
interface UseQueryOptions<Data, Key extends readonly unknown[]> {
  queryKey: Key;
  queryFn?: (context: QueryFunctionContext<Key>) => Data | Promise<Data>;
  staleTime?: number;
}
interface UseMutationOptions<Data, Variables> {
  mutationKey?: readonly unknown[];
  mutationFn?: (variables: Variables) => Promise<Data>;
}
declare function useQuery<Data, const Key extends readonly unknown[]>(options: UseQueryOptions<Data, Key>): { data: Data | undefined; key: Key };
declare function useMutation<Data, Variables>(options: UseMutationOptions<Data, Variables>): { mutate(variables: Variables): Data };
declare function invalidateQueries(filters: { queryKey?: readonly unknown[] }): void;
const q = queriesOf(new FwRpcClient());
export const count: number | undefined = useQuery(q.count.queryOptions()).data;
export const key: readonly ['users', 'one', { id: string }] = useQuery(q.users.one.queryOptions({ id: '1' })).key;
export const names: string[] | undefined = useQuery({ ...q.users.search.queryOptions(), staleTime: 5 }).data;
useQuery(q.users.search.queryOptions({ name: 'a' }));
export const odd: number | undefined = useQuery(q['odd-name'].queryOptions()).data;
export const pet: { id: number } | undefined = useQuery(q.pets.get.queryOptions({ id: 1 })).data;
useQuery(q.pets.list.queryOptions());
export const nothing: null | undefined = useQuery(q.ping.queryOptions()).data;
invalidateQueries({ queryKey: q.users.queryKey() satisfies readonly ['users'] });
invalidateQueries({ queryKey: q.users.one.queryKey() });
invalidateQueries({ queryKey: q.users.one.queryKey({ id: '1' }) });
useMutation(q.users.roles.set.mutationOptions()).mutate({ id: '1' }) satisfies string;
useMutation(q.reset.mutationOptions()).mutate();
useMutation(q.pets.remove.mutationOptions()).mutate({ id: '1' });
// @ts-expect-error an input that is needed
q.users.one.queryOptions();
// @ts-expect-error a wrong input
q.users.one.queryOptions({ id: 1 });
// @ts-expect-error a wrong input of a key
q.users.one.queryKey({ id: 1 });
// @ts-expect-error a query without an input
q.count.queryOptions({});
// @ts-expect-error a mutation with an input
useMutation(q.users.roles.set.mutationOptions()).mutate();
// @ts-expect-error a subscription is not a query
q.news;
`;

describe.each([RpcMode.JsonRpc, RpcMode.Rest])('the queries of a client in mode %s', (mode) => {
  const requests: string[] = [];
  let signals: AbortSignal[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: its types are checked by the compiler.
  let queries: any;

  beforeAll(async () => {
    const rpc = registry(mode);
    const served = app(rpc);
    await clientFromApp(served, { rpc, client: form }).writeToFile(join(directory, 'client.ts'), {
      queryOptions: true,
    });
    const load = async (name: string) => {
      const code = await clientCode(readFileSync(join(directory, `${name}.ts`), 'utf8'));
      const file = join(directory, `${mode}-${name}.mjs`);
      writeFileSync(file, code);
      return await import(pathToFileURL(file).href);
    };
    const { FwRpcClient } = await load('client');
    const { queriesOf } = await load('client-queries');
    const fetch = (url: string, init: RequestInit) => {
      requests.push(url);
      signals = [init.signal as AbortSignal];
      return served.fetch(new Request(url, init));
    };
    queries = queriesOf(new FwRpcClient('http://app/rpc', { fetch }));
  });

  it('are typed, and compile under the strictest options', () => {
    const text = readFileSync(join(directory, 'client-queries.ts'), 'utf8');
    expect(text.match(/^import.*$/gm)).toEqual([
      'import type { FwRpcClient, FwRpcProcedures, FwRpcSignal, FwRoutes } from "./client.js";',
    ]);
    expect(check(directory, 'typescript', {}, use, libraries.browser)).toBe('');
    expect(check(directory, 'typescript-5.9', {}, use, libraries.browser)).toBe('');
  });

  it('have stable keys', () => {
    expect(queries.count.queryOptions().queryKey).toEqual(['count']);
    expect(queries.users.one.queryOptions({ id: '1' }).queryKey).toEqual(['users', 'one', { id: '1' }]);
    expect(queries.users.search.queryOptions().queryKey).toEqual(['users', 'search']);
    expect(queries.users.search.queryKey({ name: 'a' })).toEqual(['users', 'search', { name: 'a' }]);
    expect(queries.users.search.queryKey()).toEqual(['users', 'search']);
    expect([queries.users.queryKey(), queries.users.roles.queryKey()]).toEqual([
      ['users'],
      ['users', 'roles'],
    ]);
    expect(queries.users.roles.set.mutationOptions().mutationKey).toEqual(['users', 'roles', 'set']);
    expect(queries).not.toHaveProperty('news');
  });

  it('call the client with the signal', async () => {
    const controller = new AbortController();
    const run = (options: { queryFn: (context: object) => Promise<unknown> }) =>
      options.queryFn({ signal: controller.signal, meta: undefined });
    expect(await run(queries.users.one.queryOptions({ id: '1' }))).toBe('1');
    expect(await run(queries.count.queryOptions())).toBe(3);
    expect(await run(queries['odd-name'].queryOptions())).toBe(1);
    expect(await run(queries.ping.queryOptions())).toBeNull();
    expect(await run(queries.pets.get.queryOptions({ id: 5 }))).toEqual({ id: 5 });
    expect(await run(queries.pets.list.queryOptions())).toEqual([{ id: 1 }]);
    const left = run(queries.count.queryOptions());
    controller.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    expect(signals[0]?.aborted).toBe(true);
    expect(await queries.users.roles.set.mutationOptions().mutationFn({ id: '2' })).toBe('2');
    expect(await queries.reset.mutationOptions().mutationFn()).toBeUndefined();
    expect(await queries.pets.remove.mutationOptions().mutationFn({ id: 1 })).toBeUndefined();
  });
});

describe('the file of queries', () => {
  it.each([
    ['api.ts', 'api-queries.ts', './api.js'],
    ['api.mts', 'api-queries.mts', './api.mjs'],
  ])('of %s is %s, where it is asked for', async (client, queries, imported) => {
    const own = mkdtempSync(join(directory, 'own-'));
    await registry().generateClientFile(join(own, client));
    expect(readdirSync(own)).toEqual([client]);
    await registry().generateClientFile(join(own, client), { queryOptions: true });
    expect(readdirSync(own).sort()).toEqual([queries, client].sort());
    expect(readFileSync(join(own, queries), 'utf8')).toContain(`from "${imported}";`);
  });

  it.each(['client.js', 'client', 'client.d.ts'])('has no name for a client named %s', async (name) => {
    const own = mkdtempSync(join(directory, 'own-'));
    await expect(registry().generateClientFile(join(own, name), { queryOptions: true })).rejects.toThrow(
      `${name}' have no name; give the client one that ends in .ts or .mts`,
    );
    expect(readdirSync(own)).toEqual([]);
  });

  it('is refused if a procedure has the name of the method of its group', async () => {
    const rpc = registry().query('users.queryKey', () => 1);
    const file = join(mkdtempSync(join(directory, 'own-')), 'client.ts');
    await rpc.generateClientFile(file);
    await expect(rpc.generateClientFile(file, { queryOptions: true })).rejects.toThrow(
      "'users.queryKey' cannot be in the file of queries, because 'queryKey' returns the key of the group 'users' there; rename it",
    );
  });
});
