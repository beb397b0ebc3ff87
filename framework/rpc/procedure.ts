// RPC: a procedure as it is registered, and as it runs: middleware → check of the input → handler → check of the result.
import { isPromise } from '../chain.js';
import type { StandardSchemaV1 } from '../extract/standard-schema.js';
import type { RpcCall } from './call.js';
import { type RpcMiddleware, RpcMiddlewareCall, runSteps } from './middleware.js';
import type { NamedTypes, WireType } from './types/wire-type.js';

/** A type, and what the names in it mean. */
export interface ToldType {
  readonly type: WireType;
  readonly named: NamedTypes;
}

/** Where the type of an input or a result comes from. */
export type TypeSource =
  | {
      readonly from: 'schema';
      readonly schema: StandardSchemaV1;
      /** Of an input; undefined where the schema does not tell, which is enough to run: it checks itself. */
      readonly told?: ToldType | undefined;
    }
  | { readonly from: 'text'; readonly type: WireType }
  | { readonly from: 'signature' };

/** A handler as the registry sees it: what it takes was checked by the types. */
export type AnyHandler = (input: unknown, call: RpcCall) => unknown;

export interface Procedure {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly input: TypeSource;
  readonly output: TypeSource;
  readonly steps: readonly RpcMiddleware[];
  readonly handler: AnyHandler;
  /** Of the call that registered it. */
  readonly place: () => string;
}

/** Gives what the procedure takes for what was sent. Throws the error to answer with. */
export type Check = (value: unknown) => unknown;

/** A procedure that is ready to run; `undefined` stands for params that were not sent. */
export interface RunnableProcedure {
  readonly name: string;
  /** Gives the result, or a promise of it, and throws or rejects with what the call failed of. */
  run(params: unknown, call: RpcCall): unknown;
}

/** @param checkOutput where the result has a schema. */
export function runnable(
  { name, kind, handler }: Procedure,
  steps: readonly RpcMiddleware[],
  checkInput: Check,
  checkOutput: Check | undefined,
): RunnableProcedure {
  const handle = (input: unknown, call: RpcCall): unknown => {
    const result = handler(input, call);
    if (checkOutput === undefined) return result;
    return isPromise(result) ? result.then(checkOutput) : checkOutput(result);
  };
  const checkAndHandle = (params: unknown, call: RpcCall): unknown => {
    const input = checkInput(params);
    return isPromise(input) ? input.then((value) => handle(value, call)) : handle(input, call);
  };
  if (steps.length === 0) return { name, run: checkAndHandle };
  return {
    name,
    run: (params, call) =>
      runSteps(steps, 0, new RpcMiddlewareCall(name, kind, params, call), () => checkAndHandle(params, call)),
  };
}
