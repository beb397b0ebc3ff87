// The calls of a request to other servers that failed.
import type { TraceStep } from './protocol.js';

type Call = Pick<TraceStep, 'kind' | 'fields' | 'error'>;

/** Undefined of other steps, and without a response. */
export function statusOfCall({ kind, fields }: Call): number | undefined {
  const status = kind === 'outgoing' ? Number(fields?.status) : Number.NaN;
  return Number.isInteger(status) ? status : undefined;
}

/** Whether a call to another server was answered with an error, or not at all. */
export function isFailedCall(step: Call): boolean {
  return step.kind === 'outgoing' && (step.error !== undefined || (statusOfCall(step) ?? 0) >= 400);
}
