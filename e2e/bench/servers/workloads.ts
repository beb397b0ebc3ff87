// What every contender serves: the same values, the same schema.
import { z } from 'zod';

/** A small object, made anew for every answer. */
export function reply(): object {
  return {
    message: 'Hello, World!',
    at: 1_700_000_000,
    tags: ['a', 'b', 'c'],
    nested: { ok: true, count: 3 },
  };
}

export const order = z.object({
  customer: z.string().min(1),
  items: z.array(z.object({ sku: z.string(), quantity: z.number().int().positive() })).min(1),
  note: z.string().optional(),
});

export const orderBody = JSON.stringify({
  customer: 'Ada Lovelace',
  items: [
    { sku: 'abc-1', quantity: 2 },
    { sku: 'abc-2', quantity: 1 },
  ],
  note: 'leave it at the door',
});

/** What a page of users may show. */
export const userPage = z.object({
  total: z.number(),
  users: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      email: z.string(),
      tags: z.array(z.string()),
      isActive: z.boolean(),
    }),
  ),
});

/** The rows of that page, with a field that must not leave. */
export function userRows(): z.infer<typeof userPage> {
  const users = Array.from({ length: 10 }, (_, id) => ({
    id,
    name: `User ${id}`,
    email: `user${id}@example.org`,
    tags: ['a', 'b'],
    isActive: true,
    passwordHash: 'd41d8cd98f00b204',
  }));
  return { total: users.length, users };
}

/** What the files of the static workloads hold. */
export function fileOf(name: string): string {
  return 'a line of a text file\n'.repeat(name === '1k.txt' ? 46 : 4_650);
}

const call = (id: number) => ({ jsonrpc: '2.0', method: 'add', params: { a: id, b: 2 }, id });
const answer = (id: number) => ({ jsonrpc: '2.0', id, result: { sum: id + 2 } });
const ids = Array.from({ length: 50 }, (_, i) => i + 1);

/** The procedure of the JSON-RPC workloads. */
export function add({ a, b }: { a: number; b: number }): { sum: number } {
  return { sum: a + b };
}

/** The same calls in the form of a contender that does not speak JSON-RPC. */
export interface Form {
  readonly path: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: string;
}

export interface Workload {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** JSON, of a POST. */
  readonly body?: string;
  /** Compared as JSON, whose fields have no order. */
  readonly isJson?: boolean;
  /** All of them, where it is not said. */
  readonly contenders?: readonly string[];
  /** The answer that shows that a contender does the work. */
  readonly expected: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** By contender, where one has a form of its own. */
  readonly forms?: Readonly<Record<string, Form>>;
}

/** The workload as a contender takes it. */
export function formOf(workload: Workload, contender: string): Workload {
  return { ...workload, ...workload.forms?.[contender] };
}

const input = (id: number) => ({ a: id, b: 2 });
const sum = (id: number) => ({ sum: id + 2 });
const trpcAnswer = (id: number) => ({ result: { data: sum(id) } });

const singleForms: Record<string, Form> = {
  trpc: { path: '/trpc/add', body: JSON.stringify(input(1)), expected: JSON.stringify(trpcAnswer(1)) },
  orpc: {
    path: '/orpc/add',
    body: JSON.stringify({ json: input(1) }),
    expected: JSON.stringify({ json: sum(1) }),
  },
};

const batchForms: Record<string, Form> = {
  trpc: {
    path: `/trpc/${ids.map(() => 'add').join()}?batch=1`,
    body: JSON.stringify(Object.fromEntries(ids.map((id, i) => [i, input(id)]))),
    expected: JSON.stringify(ids.map(trpcAnswer)),
  },
  orpc: {
    path: '/orpc/__batch__',
    body: JSON.stringify(ids.map((id) => ({ url: 'http://127.0.0.1/orpc/add', body: { json: input(id) } }))),
    headers: { 'x-orpc-batch': 'buffered' },
    expected: JSON.stringify(ids.map((id, index) => ({ index, body: { json: sum(id) } }))),
  },
};

export const workloads: Record<string, Workload> = {
  hello: { method: 'GET', path: '/hello', expected: 'Hello, World!' },
  json: { method: 'GET', path: '/json', expected: JSON.stringify(reply()) },
  param: { method: 'GET', path: '/r57/users/42?verbose=1', expected: '{"id":"42","verbose":"1"}' },
  post: { method: 'POST', path: '/orders', body: orderBody, expected: '{"ok":true,"total":2}' },
  described: {
    method: 'GET',
    path: '/users',
    expected: JSON.stringify(userPage.parse(userRows())),
    isJson: true,
    contenders: ['node-http', 'fw', 'fastify', 'hono'],
  },
  chain: { method: 'GET', path: '/chain', expected: 'Hello, World!' },
  'rpc-single': {
    method: 'POST',
    path: '/rpc',
    body: JSON.stringify(call(1)),
    expected: JSON.stringify(answer(1)),
    isJson: true,
    contenders: ['node-http', 'fw', 'h3', 'jayson', 'trpc', 'orpc'],
    forms: singleForms,
  },
  'rpc-batch': {
    method: 'POST',
    path: '/rpc',
    body: JSON.stringify(ids.map(call)),
    expected: JSON.stringify(ids.map(answer)),
    isJson: true,
    contenders: ['node-http', 'fw', 'h3', 'jayson', 'trpc', 'orpc'],
    forms: batchForms,
  },
  'static-1k': { method: 'GET', path: '/files/1k.txt', expected: fileOf('1k.txt') },
  'static-100k': { method: 'GET', path: '/files/100k.txt', expected: fileOf('100k.txt') },
};
