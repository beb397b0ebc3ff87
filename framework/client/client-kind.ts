// The client: what its text depends on.
import { hasFiles } from '../wire/files.js';
import { lookupIn } from '../wire/resolve.js';
import type { ClientTypes } from '../wire/wire-type.js';

/** The media type of the body of a route that takes a form. */
export const FORM_TYPE = 'multipart/form-data';

/** What the text of a client depends on. */
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

/** True for a client that sends no requests. */
export function hasSocketsAlone({ hasCalls, hasSubscriptions, hasRoutes, hasSockets }: ClientKind): boolean {
  return hasSockets && !hasCalls && !hasSubscriptions && !hasRoutes;
}
