// The client: what it has, the parts of the run time that this needs, and its own names for their types.
import { hasFiles } from '../wire/files.js';
import { lookupIn } from '../wire/resolve.js';
import type { ClientTypes } from '../wire/wire-type.js';

/** The media type of the body of a route that takes a form. */
const FORM_TYPE = 'multipart/form-data';

/** What a client has. */
export interface ClientKind {
  readonly isRest: boolean;
  /** Whether a procedure declares errors. */
  readonly hasErrors: boolean;
  /** Whether there are queries or mutations. */
  readonly hasCalls: boolean;
  readonly hasSubscriptions: boolean;
  /** Whether there are routes of an App. */
  readonly hasRoutes: boolean;
  /** Whether there are sockets of an App. */
  readonly hasSockets: boolean;
  /** Whether a socket can carry subscriptions. */
  readonly hasCarriers: boolean;
  /** Whether the input of a procedure has files. */
  readonly hasFiles: boolean;
  /** Whether a route takes a form. */
  readonly hasForms: boolean;
}

export function clientKind(
  { procedures, routes, sockets = {}, named }: ClientTypes,
  mode: 'jsonrpc' | 'rest',
): ClientKind {
  const all = Object.values(procedures);
  const hasSubscriptions = all.some(({ kind }) => kind === 'subscription');
  return {
    isRest: mode === 'rest',
    hasErrors: all.some(({ errors }) => errors !== undefined),
    hasCalls: all.some(({ kind }) => kind !== 'subscription'),
    hasSubscriptions,
    hasRoutes: routes !== undefined,
    hasSockets: Object.keys(sockets).length > 0,
    hasCarriers: hasSubscriptions && Object.values(sockets).some(({ hasRpc }) => hasRpc),
    hasFiles: all.some(({ input }) => hasFiles(input, lookupIn(named))),
    hasForms: Object.values(routes ?? {}).some(({ body }) => body?.contentType === FORM_TYPE),
  };
}

/** False for a client of routes and sockets alone. */
export function hasProcedures({ hasCalls, hasSubscriptions, hasRoutes, hasSockets }: ClientKind): boolean {
  return hasCalls || hasSubscriptions || !(hasRoutes || hasSockets);
}

/** Whether it sends batches and notifications, which only JSON-RPC has. */
export function hasBatches(kind: ClientKind): boolean {
  return !kind.isRest && hasProcedures(kind);
}

/** False for a client of sockets alone, which sends no requests. */
export function sendsRequests(kind: ClientKind): boolean {
  return hasProcedures(kind) || kind.hasRoutes;
}

/** Whether the paths of routes do not belong to the URL of the constructor, which is that of procedures. */
function hasOwnUrl(kind: ClientKind): boolean {
  const { isRest, hasCalls, hasSubscriptions, hasRoutes, hasSockets } = kind;
  return (hasRoutes || hasSockets) && (hasCalls || hasSubscriptions || (!isRest && hasRoutes));
}

/** What makes the methods: a table, the function that returns its caller, and the arguments of that. */
export function methodMakers(kind: ClientKind): readonly (readonly [string, string, ...string[]])[] {
  const { isRest, hasErrors, hasCalls, hasSubscriptions, hasCarriers } = kind;
  const failure = hasErrors ? 'declaredFailure' : 'plainFailure';
  const encode = kind.hasFiles ? 'toJsonOrForm' : 'JSON.stringify';
  const base = hasOwnUrl(kind) ? 'besideProcedures' : 'belowBaseUrl';
  const streams = isRest ? `restStreams(${failure})` : 'jsonRpcStreams';
  const subscribe = hasCarriers ? 'carriedSubscriptionCaller' : 'subscriptionCaller';
  const all: (readonly [string, string, ...string[]] | false)[] = [
    hasCalls &&
      (isRest ? ['procedures', 'restCaller', encode, failure] : ['procedures', 'jsonRpcCaller', encode]),
    hasBatches(kind) && ['batchTable', 'batchCaller', encode],
    hasSubscriptions && ['subscriptions', subscribe, streams],
    kind.hasRoutes && ['routes', 'routeCaller', base, ...(kind.hasForms ? ['toForm'] : [])],
    kind.hasSockets && ['sockets', 'socketCaller', base, hasCarriers ? 'openCarrier' : 'openSocket'],
  ];
  return all.filter((one) => one !== false);
}

/** What is not of the run time. */
const OTHERS: readonly string[] = ['procedures', 'subscriptions', 'routes', 'sockets', 'JSON.stringify', ''];

/** The functions of the run time that the code of the client calls. */
export function runtimeFunctions(kind: ClientKind): string[] {
  const { isRest, hasErrors, hasRoutes } = kind;
  const names = [
    'defineClient',
    ...(sendsRequests(kind) ? ['contractField'] : []),
    ...methodMakers(kind).flatMap((parts) => parts.flatMap((part) => part.split(/[()]/))),
    ...(hasErrors ? [isRest ? 'isRestErrorOf' : 'isJsonRpcErrorOf'] : []),
    ...(hasProcedures(kind) ? [isRest ? 'isRestErrorNamed' : 'isJsonRpcErrorNamed'] : []),
    ...(hasRoutes ? ['isErrorOfRoute'] : []),
  ];
  return [...new Set(names)].filter((name) => !OTHERS.includes(name));
}

/** The types of the run time that its options consist of. */
function optionTypes(kind: ClientKind): string[] {
  const { hasCalls, hasRoutes } = kind;
  return [
    ...(sendsRequests(kind)
      ? [`FwRpcRequestOptions<${bodyType(kind)}${kind.hasSubscriptions ? `, ${responseType(kind)}` : ''}>`]
      : []),
    ...(hasCalls || hasRoutes ? ['FwRpcAroundCalls'] : []),
    ...(hasCalls && !kind.isRest ? ['FwRpcAutoBatch'] : []),
    ...((hasCalls || kind.hasSubscriptions) && !kind.isRest ? ['FwRpcNamedUrls'] : []),
    ...(hasOwnUrl(kind) ? ['FwRpcRoutesUrl'] : []),
    ...(kind.hasSockets ? ['FwRpcSocketsOptions'] : []),
    ...(kind.hasCarriers ? ['FwRpcCarrierOptions<FwRpcClient>'] : []),
  ];
}

/** What the `fetch` of a client gets as a body. */
function bodyType({ hasFiles, hasForms }: ClientKind): string {
  return hasFiles || hasForms ? 'string | FwRpcForm' : 'string';
}

/** What the `fetch` of a client returns. */
function responseType({ hasSubscriptions }: ClientKind): string {
  return hasSubscriptions ? 'FwRpcStreamResponse' : 'FwRpcTextResponse';
}

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
export const BATCH_MEMBERS: string = `
  /** Sends a notification: the server runs the procedure and does not return its result. */
  notify<Method extends FwRpcMethod>(method: Method, ...rest: FwRpcNotifyRest<Method>): Promise<void>;

  /** Sends several calls at once; the results are in the order of the calls. */
  batch<const Calls extends readonly FwRpcBatchCall[]>(
    calls: Calls,
    options?: FwRpcCallOptions,
  ): Promise<{ -readonly [Index in keyof Calls]: FwRpcBatchResult<Calls[Index]> }>;
`;
