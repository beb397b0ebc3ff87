// The client: what it has, and the parts of the run time that this needs.
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
    ...(hasRoutes ? ['isErrorOfRoute'] : []),
  ];
  return [...new Set(names)].filter((name) => !OTHERS.includes(name));
}

/** The types of the run time that its options consist of. */
export function optionTypes(kind: ClientKind): string[] {
  const { hasCalls, hasRoutes } = kind;
  return [
    ...(sendsRequests(kind)
      ? [`FwRpcRequestOptions<${bodyType(kind)}${kind.hasSubscriptions ? `, ${responseType(kind)}` : ''}>`]
      : []),
    ...(hasCalls || hasRoutes ? ['FwRpcAroundCalls'] : []),
    ...(hasCalls && !kind.isRest ? ['FwRpcAutoBatch'] : []),
    ...(hasOwnUrl(kind) ? ['FwRpcRoutesUrl'] : []),
    ...(kind.hasSockets ? ['FwRpcSocketsOptions'] : []),
    ...(kind.hasCarriers ? ['FwRpcCarrierOptions<FwRpcClient>'] : []),
  ];
}

/** What the `fetch` of a client gets as a body. */
export function bodyType({ hasFiles, hasForms }: ClientKind): string {
  return hasFiles || hasForms ? 'string | FwRpcForm' : 'string';
}

/** What the `fetch` of a client returns. */
export function responseType({ hasSubscriptions }: ClientKind): string {
  return hasSubscriptions ? 'FwRpcStreamResponse' : 'FwRpcTextResponse';
}
