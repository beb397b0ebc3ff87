// The client: what its text depends on.
import { hasFiles } from '../types/files.js';
import type { ClientTypes } from '../types/wire-type.js';

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
  /** Whether an input has files. */
  readonly hasFiles: boolean;
}

export function clientKind({ procedures, routes, named }: ClientTypes, mode: 'jsonrpc' | 'rest'): ClientKind {
  const all = Object.values(procedures);
  return {
    isRest: mode === 'rest',
    hasErrors: all.some(({ errors }) => errors !== undefined),
    hasCalls: all.some(({ kind }) => kind !== 'subscription'),
    hasSubscriptions: all.some(({ kind }) => kind === 'subscription'),
    hasRoutes: routes !== undefined,
    hasFiles: all.some(({ input }) => hasFiles(input, named)),
  };
}

/** False for a client of routes alone. */
export function hasProcedures({ hasCalls, hasSubscriptions, hasRoutes }: ClientKind): boolean {
  return hasCalls || hasSubscriptions || !hasRoutes;
}
