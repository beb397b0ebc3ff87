// Types: the kinds of procedures, as contracts and clients name them.
import type { ProcedureKind } from './wire-type.js';

export const KINDS: readonly ProcedureKind[] = ['query', 'mutation', 'subscription'];

export function isKind(value: unknown): value is ProcedureKind {
  return KINDS.includes(value as ProcedureKind);
}
