// RPC: a caller: the procedures of a registry as functions that are called in process, typed by the generated client.

import type { RpcCallOptions } from '../procedure/call.js';
import { resultText } from '../procedure/result-text.js';
import { groupsOf } from '../protocol/procedure-name.js';

/** The arguments of a method of the client without its last one, the options of the request. */
type InputOf<Args extends readonly unknown[]> = Required<Args>['length'] extends 1
  ? []
  : Args extends readonly [infer Input, ...unknown[]]
    ? [input: Input]
    : [input?: Args[0]];

/**
 * The methods of a generated client, called in process. Results are what a client gets, such as a string for a Date;
 * errors are those that the procedure throws.
 */
export type RpcCaller<Client> = {
  readonly [Name in Exclude<keyof Client, 'batch' | 'notify'>]: Client[Name] extends (
    ...args: infer Args
  ) => infer Answer
    ? (...args: InputOf<Args>) => Answer
    : RpcCaller<Client[Name]>;
};

type Method = (input?: unknown) => Promise<unknown> | AsyncIterable<unknown>;
type Members = { [name: string]: Members | Method };

/** What a caller needs of a registry. */
export interface Callable {
  readonly procedures: ReadonlyMap<string, unknown>;
  readonly subscriptions: ReadonlyMap<string, unknown>;
  call(name: string, params: unknown, options: RpcCallOptions): Promise<unknown>;
}

/** An object with a function for each procedure, and an object for each group. */
export function caller(server: Callable, options: RpcCallOptions): unknown {
  const top: Members = Object.create(null);
  for (const name of server.procedures.keys()) {
    place(top, name, async (input) => asSent(name, await server.call(name, input ?? undefined, options)));
  }
  for (const name of server.subscriptions.keys()) {
    place(top, name, (input) => events(name, () => server.call(name, input ?? undefined, options)));
  }
  return top;
}

/** Makes the groups of the name as they are needed. */
function place(top: Members, name: string, method: Method): void {
  let at = top;
  const groups = groupsOf(name);
  for (const group of groups) {
    const part = lastPart(group);
    at[part] ??= Object.create(null) as Members;
    at = at[part] as Members;
  }
  at[groups.length === 0 ? name : lastPart(name)] = method;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

async function* events(name: string, open: () => Promise<unknown>): AsyncIterable<unknown> {
  for await (const event of (await open()) as AsyncIterable<unknown>) yield asSent(name, event);
}

/** The value as a client gets it. */
function asSent(name: string, value: unknown): unknown {
  return JSON.parse(resultText(name, value)) as unknown;
}
