// The client: batches and notifications, which only JSON-RPC has.
import type { FwRpcTable } from './calls.js';
import type { FwRpcCaller, FwRpcEntry } from './define-client.js';
import {
  answersOf,
  type FwRpcAnswer,
  JsonRpcClientError,
  type JsonRpcError,
  jsonRpcError,
  jsonRpcRequest,
  outcomeOf,
  postJsonRpc,
} from './json-rpc.js';
import type { FwRpcCallOptions, FwRpcRequestOptions } from './requests.js';

/** The procedures that a batch may call; a subscription is called alone. */
export type FwRpcMethodOf<Procedures> = {
  [Method in keyof Procedures]: Procedures[Method] extends { kind: 'subscription' } ? never : Method;
}[keyof Procedures];

/** What a procedure takes and gives. */
export interface FwRpcTypes {
  readonly input: unknown;
  readonly output: unknown;
}

/** One call of a batch; `params` is the input of the procedure. */
export type FwRpcBatchCallOf<
  Procedures extends Record<keyof Procedures, FwRpcTypes>,
  Methods extends keyof Procedures,
> = {
  [Method in Methods]: undefined extends Procedures[Method]['input']
    ? { method: Method; params?: Procedures[Method]['input'] }
    : { method: Method; params: Procedures[Method]['input'] };
}[Methods];

/** The outcome of a call of a batch: its result (null if there is none) or its error. */
export type FwRpcBatchResultOf<
  Procedures extends Record<keyof Procedures, FwRpcTypes>,
  Errors,
  Call,
> = Call extends {
  method: infer Method extends keyof Procedures;
}
  ?
      | {
          result: [Procedures[Method]['output']] extends [undefined] ? null : Procedures[Method]['output'];
          error?: undefined;
        }
      | { result?: undefined; error: FwRpcBatchErrorOf<Errors, Method> }
  : never;

/** An error that the procedure declares, or another one, which has no name. */
export type FwRpcBatchErrorOf<Errors, Method> = Method extends keyof Errors
  ? Errors[Method] | (JsonRpcError & { name?: undefined })
  : JsonRpcError;

/** The arguments of a notification after the method; params may be left out if the procedure takes none. */
export type FwRpcNotifyRestOf<Procedure extends FwRpcTypes> = undefined extends Procedure['input']
  ? [params?: Procedure['input'], options?: FwRpcCallOptions]
  : [params: Procedure['input'], options?: FwRpcCallOptions];

/** The methods of `batchCaller`. */
export const batchTable: FwRpcTable<FwRpcEntry> = { batch: {}, notify: {} };

/** `notify` and `batch`. @param encode makes the body of a request */
export function batchCaller<Body>(
  encode: (value: unknown) => Body,
): FwRpcCaller<FwRpcEntry, readonly unknown[], FwRpcRequestOptions<Body>> {
  return async (connection, [name], ...args) => {
    if (name === 'notify') {
      const [method, params, options = {}] = args as [string, unknown, FwRpcCallOptions?];
      const body = encode({ jsonrpc: '2.0', method, params: params ?? undefined });
      const answer = await postJsonRpc(connection, body, [method], options);
      const { error } = (answer ?? {}) as FwRpcAnswer;
      // There is an error only if the server could not read the request.
      if (error !== undefined && error !== null) throw new JsonRpcClientError(jsonRpcError(error));
      return undefined;
    }
    const [calls, options = {}] = args as [
      readonly { readonly method: string; readonly params?: unknown }[],
      FwRpcCallOptions?,
    ];
    if (calls.length === 0) return [];
    const requests = calls.map(({ method, params }) => jsonRpcRequest(connection, method, params));
    const names = calls.map(({ method }) => method);
    const answers = answersOf(await postJsonRpc(connection, encode(requests), names, options));
    return requests.map(({ id }) => outcomeOf(answers.get(id)));
  };
}
