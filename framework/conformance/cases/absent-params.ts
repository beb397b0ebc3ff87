// Cases: calls without params, whose input is what the schema makes of `undefined`.
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import type { StandardSchemaV1 } from '../../index.js';
import { App } from '../../index.js';
import { RpcMode, RpcRegistry } from '../../rpc/index.js';
import type { Case, SentRequest } from '../case.js';

/** By the name of a procedure: its schema, and the input of a call without params. */
export const ABSENT: Readonly<Record<string, readonly [schema: StandardSchemaV1, input: unknown]>> = {
  byDefault: [z.object({ page: z.number().default(1) }).default({ page: 7 }), { page: 7 }],
  prefault: [z.object({ page: z.number().default(1) }).prefault({ page: 7 }), { page: 7 }],
  optional: [z.object({ page: z.number().optional() }).optional(), 'undefined'],
  nullish: [z.object({ page: z.number().optional() }).nullish(), 'undefined'],
  nullable: [z.object({ page: z.number() }).nullable(), null],
  late: [
    z
      .object({ page: z.number().optional() })
      .optional()
      .refine(async () => true),
    'undefined',
  ],
  unions: [v.optional(v.object({ page: v.optional(v.number(), 1) }), { page: 7 }), { page: 7 }],
  maybe: [v.optional(v.object({ page: v.optional(v.number()) })), 'undefined'],
  arktype: [type({ 'page?': 'number' }).or('undefined'), 'undefined'],
  fields: [z.object({ page: z.number().default(1) }), { page: 1 }],
  read: [
    z.preprocess(
      (value) => ({ page: (value as { page?: number }).page ?? 3 }),
      z.object({ page: z.number() }),
    ),
    { page: 3 },
  ],
};

/** Lists, which only JSON has. */
export const ABSENT_LISTS: typeof ABSENT = {
  list: [z.array(z.string()).default(['all']), ['all']],
  optionalList: [z.array(z.string()).optional(), 'undefined'],
  valibotList: [v.optional(v.array(v.string()), ['all']), ['all']],
  plainList: [z.array(z.string()), []],
};

/** What a handler answers, so that JSON tells what its input was. */
export const shownInput = (input: unknown): unknown => (input === undefined ? 'undefined' : input);

const ALL = Object.entries({ ...ABSENT, ...ABSENT_LISTS });

function procedures(registry: RpcRegistry, kinds: typeof ALL): RpcRegistry {
  for (const [name, [input]] of kinds) {
    registry
      .query(name, { input }, shownInput)
      .subscription(`${name}Events`, { input }, async function* (given) {
        yield shownInput(given);
      });
  }
  for (const [name, [input]] of ALL) registry.mutation(`${name}Changed`, { input }, shownInput);
  return registry;
}

const app = (): App =>
  new App()
    .mountRpc('/rpc', procedures(new RpcRegistry(), ALL))
    .mountRest('/api', procedures(RpcRegistry.withMode(RpcMode.Rest), Object.entries(ABSENT)));

const json = { 'Content-Type': 'application/json' };
const sends = (name: string, request: SentRequest, body: unknown): Case => ({
  name,
  app,
  request,
  status: 200,
  body,
});
const posts = (name: string, message: unknown, body: unknown): Case =>
  sends(name, { method: 'POST', path: '/rpc', headers: json, body: JSON.stringify(message) }, body);
const call = (method: string, id: number) => ({ jsonrpc: '2.0', method, id });
const result = (value: unknown, id: number) => ({ jsonrpc: '2.0', result: value, id });
const events = (value: unknown): string =>
  `event: ready\ndata: {"heartbeatMs":15000}\n\ndata: ${JSON.stringify(value)}\n\nevent: done\ndata: \n\n`;

export const absentParams: Case[] = [
  ...ALL.map(([name, [, input]]) => posts(`${name} without params`, call(name, 1), result(input, 1))),
  posts(
    'a batch without params',
    ALL.map(([name], id) => call(name, id)),
    ALL.map(([, [, input]], id) => result(input, id)),
  ),
  ...ALL.map(([name, [, input]]) =>
    posts(`${name} of a subscription without params`, call(`${name}Events`, 1), events(input)),
  ),
  ...Object.entries(ABSENT).flatMap(([name, [, input]]) => [
    sends(`${name} without a query`, { path: `/api/${name}` }, JSON.stringify(input)),
    sends(`${name} of a subscription without a query`, { path: `/api/${name}Events` }, events(input)),
  ]),
  ...ALL.map(([name, [, input]]) =>
    sends(`${name} without a body`, { method: 'POST', path: `/api/${name}Changed` }, JSON.stringify(input)),
  ),
  ...['unions', 'optional', 'byDefault'].map((name) =>
    posts(`${name} with params`, { ...call(name, 1), params: { page: 2 } }, result({ page: 2 }, 1)),
  ),
];
