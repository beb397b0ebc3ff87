// A registry with a procedure for every kind of type that travels, in the mode that is asked for.
import { type RpcMode, RpcRegistry } from 'fw/rpc';
import { z } from 'zod';

const User = z
  .object({
    id: z.string().meta({ description: 'Given once, never changed.' }),
    name: z.string().min(1).nullable(),
    email: z.email().optional(),
    role: z.enum(['admin', 'user', "it's"]),
    get boss() {
      return User.optional();
    },
  })
  .meta({ id: 'User', description: 'Somebody with an account.' });
const Cat = z.object({ kind: z.literal('cat'), lives: z.int() }).meta({ id: 'Cat' });
const Dog = z.object({ kind: z.literal('dog'), name: z.string() }).meta({ id: 'Dog' });
const Pet = z.discriminatedUnion('kind', [Cat, Dog]);
const Order = z
  .object({
    count: z.int().default(1),
    note: z.string().nullish(),
    pets: z.array(Pet),
    buyer: User.meta({ id: 'Buyer', description: 'Who pays.' }),
    for: z.union([User, z.null()]).optional(),
    codes: z.record(z.string(), z.union([z.literal(1), z.literal(2)])),
  })
  .meta({ id: 'Order' });

const nothing = (): null => null;

/** Kinds of types, each as the input of a mutation and the output of a query. */
const kinds: Readonly<Record<string, string>> = {
  strings: "{ text: string; literal: 'a' | 'b' | \"it's\"; nullable: string | null }",
  numbers: '{ any: number; literal: 1 | 2.5; optional?: number }',
  booleans: '{ any: boolean; yes: true; nullable: boolean | null }',
  mixed: "{ value: string | number | boolean; some: 'x' | 1 | null }",
  arrays: '{ list: string[]; nested: Array<Array<number>>; unions: Array<string | null> }',
  records: '{ counts: Record<string, number>; nested: Record<string, { a: string }> }',
  nested: '{ a: { b: { c?: { d: string } } } }',
  quotedKeys: "{ 'content-type': string; 'a b'?: number; 1: string }",
  references: '{ tree: Tree; trees: Array<Tree>; none: Tree | null; maybe?: Tree | null }',
  unknowns: '{ anything: unknown; list: Array<unknown> }',
  dates: '{ at: Date; maybe?: Date | null }',
  tuples: '{ pair: [string, number?]; rest: [string, ...number[]]; same: [number, number] }',
  openObjects: '{ id: string; [key: string]: string | number }',
  empty: '{}',
};

export function everyKind(mode: RpcMode): RpcRegistry {
  const rpc = RpcRegistry.withMode(mode)
    .defineType('Tree', '{ value: string; children: Array<Tree> }')
    .query(
      'users.get',
      { input: z.object({ id: z.string(), full: z.boolean().optional() }), output: User.nullable() },
      nothing,
    )
    .query(
      'users.list',
      {
        input: z.object({ roles: z.array(z.enum(['admin', 'user'])), limit: z.int().optional() }),
        output: z.array(User),
      },
      () => [],
    )
    .mutation('users.add', { input: User, output: User }, (user) => user)
    .query('pet', { output: Pet }, () => ({ kind: 'cat', lives: 9 }) as const)
    .mutation('orders.add', { input: Order, output: Order }, (order) => order)
    .mutation(
      'orders.pay',
      {
        input: z.object({ id: z.string() }),
        output: Order,
        description: 'Pays an order. */',
        deprecated: 'use pay',
        tags: ['orders'],
        errors: {
          declined: z.object({ reason: z.string(), at: z.date().optional(), pets: z.array(Pet) }),
          closed: { status: 409, description: 'The shop is closed.' },
          mayBe: { status: 409, data: z.union([User, z.null()]) },
        },
      },
      (_order, { errors }) => {
        throw errors.closed();
      },
    )
    .query(
      'orders-left',
      { input: z.object({ id: z.string() }), output: z.null(), errors: { gone: {} } },
      nothing,
    )
    .mutation('rename-user', { input: z.object({ id: z.string() }) }, nothing)
    .queryWithTypes('ping', nothing, 'void', 'string')
    .queryWithTypes('find', nothing, '{ text?: string } | void', 'Array<Tree>')
    .mutationWithTypes('forget', nothing, 'void', 'void')
    .mutationWithTypes('add', nothing, '[number, number]', 'number')
    .mutationWithTypes('maybe', nothing, '{ id: string }', 'string | void')
    .mutationWithTypes('never', nothing, '{ id: string }', 'null');
  for (const [name, type] of Object.entries(kinds)) {
    rpc.mutationWithTypes(`${name}.in`, nothing, type, 'boolean');
    rpc.queryWithTypes(`${name}.out`, nothing, 'void', type);
  }
  return rpc;
}
