// RPC: a caller: the procedures of a registry as functions that are called in process, typed by the generated client.
import { RpcCall } from './call.js';
import type { RunnableProcedure } from './procedure.js';
import { groupsOf } from './procedure-name.js';
import type { RpcCallOptions } from './registry-options.js';
import { resultText } from './result-text.js';

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

type Members = { [name: string]: Members | ((input?: unknown) => Promise<unknown>) };

/** An object with a function for each procedure, and an object for each group. */
export function caller(
  procedures: ReadonlyMap<string, RunnableProcedure>,
  { ctx, signal }: RpcCallOptions,
): unknown {
  const members: Members = Object.create(null);
  for (const [name, procedure] of procedures) {
    let at = members;
    const groups = groupsOf(name);
    for (const group of groups) {
      const part = group.slice(group.lastIndexOf('.') + 1);
      at[part] ??= Object.create(null) as Members;
      at = at[part] as Members;
    }
    at[groups.length === 0 ? name : name.slice(name.lastIndexOf('.') + 1)] = async (input) => {
      const result = resultText(name, await procedure.run(input ?? undefined, new RpcCall(ctx, signal)));
      return result === 'null' ? null : (JSON.parse(result) as unknown);
    };
  }
  return members;
}
