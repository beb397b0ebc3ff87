// The client: the names that its own types give to those of the run time.
import {
  bodyType,
  type ClientKind,
  hasBatches,
  optionTypes,
  responseType,
  sendsRequests,
} from './client-kind.js';

/** One type by another name. */
interface Alias {
  /** With its parameters. */
  readonly name: string;
  readonly type: string;
  readonly comment?: string;
}

function aliases(kind: ClientKind): Alias[] {
  const body = bodyType(kind);
  const response = responseType(kind);
  const all: Alias[] = [{ name: 'FwRpcClientOptions', type: optionTypes(kind).join(' & ') }];
  if (sendsRequests(kind)) {
    all.push(
      { name: 'FwRpcRequest', type: `FwRpcRequestOf<${body}>` },
      { name: 'FwRpcResponse', type: response },
      { name: 'FwRpcFetch', type: `FwRpcFetchOf<${body}, ${response}>` },
    );
  }
  if (kind.hasSubscriptions) {
    const type = kind.hasCarriers ? 'FwRpcCarriedOptions' : 'FwRpcStreamedOptions';
    all.push({ name: 'FwRpcSubscriptionOptions', type });
  }
  return hasBatches(kind) ? [...all, ...batchAliases(kind)] : all;
}

function batchAliases({ hasErrors, hasSubscriptions }: ClientKind): Alias[] {
  const errors = hasErrors ? 'FwRpcErrors' : 'object';
  return [
    hasSubscriptions
      ? {
          name: 'FwRpcMethod',
          type: 'FwRpcMethodOf<FwRpcProcedures>',
          comment: 'The procedures that a batch may call; a subscription is called alone.',
        }
      : { name: 'FwRpcMethod', type: 'keyof FwRpcProcedures' },
    {
      name: 'FwRpcBatchCall',
      type: 'FwRpcBatchCallOf<FwRpcProcedures, FwRpcMethod>',
      comment: 'One call of a batch; `params` is the input of the procedure.',
    },
    {
      name: 'FwRpcBatchResult<Call>',
      type: `FwRpcBatchResultOf<FwRpcProcedures, ${errors}, Call>`,
      comment: 'The outcome of a call of a batch: its result (null if there is none) or its error.',
    },
    ...(hasErrors
      ? [
          {
            name: 'FwRpcBatchError<Method>',
            type: 'FwRpcBatchErrorOf<FwRpcErrors, Method>',
            comment: 'An error that the procedure declares, or another one, which has no name.',
          },
        ]
      : []),
    {
      name: 'FwRpcNotifyRest<Method extends FwRpcMethod>',
      type: 'FwRpcNotifyRestOf<FwRpcProcedures[Method]>',
      comment:
        'The arguments of a notification after the method; params may be left out if the procedure takes none.',
    },
  ];
}

/** In the client and in its declarations. */
export function printAliases(kind: ClientKind): string {
  return aliases(kind)
    .map(({ name, type, comment }) => {
      const line = `export type ${name} = ${type};`;
      return comment === undefined ? line : `/** ${comment} */\n${line}`;
    })
    .join('\n');
}

/** Of the client's interface, if it sends batches. */
export const batchMembers: string = `
  /** Sends a notification: the server runs the procedure and does not return its result. */
  notify<Method extends FwRpcMethod>(method: Method, ...rest: FwRpcNotifyRest<Method>): Promise<void>;

  /** Sends several calls at once; the results are in the order of the calls. */
  batch<const Calls extends readonly FwRpcBatchCall[]>(
    calls: Calls,
    options?: FwRpcCallOptions,
  ): Promise<{ -readonly [Index in keyof Calls]: FwRpcBatchResult<Calls[Index]> }>;
`;
