// Fuzzing: what a request has besides its values, and what that means for its header fields.
import type { RequestPlan } from '../../api-model/request-plan.js';
import type { ApiCsrf } from '../../rpc/api-description.js';
import type { SendOptions } from './caller.js';
import type { Extra } from './fuzz-case.js';
import type { FuzzOperation } from './fuzz-operation.js';
import { FOREIGN_HOST, ODD_HEADERS } from './hostile-values.js';

/** Those that an operation can have. */
export function extrasOf(
  { detail, isSafe }: FuzzOperation,
  csrf: ApiCsrf | null,
  hasIdentities: boolean,
): Extra[] {
  const { target } = detail;
  return [
    'nothing',
    'foreign origin',
    ...(target.kind === 'http' ? (['odd headers'] as const) : []),
    ...(target.kind === 'http' && target.method === 'GET' ? (['head'] as const) : []),
    ...(target.kind === 'rpc' && target.mode === 'jsonrpc' && target.procedure !== 'subscription'
      ? (['batch'] as const)
      : []),
    ...(csrf !== null && !isSafe && hasIdentities ? (['without token'] as const) : []),
  ];
}

export function sendOptions(extra: Extra, { method }: RequestPlan): SendOptions {
  if (extra === 'foreign origin') return { headers: { origin: `https://${FOREIGN_HOST}` } };
  if (extra === 'odd headers') return { headers: ODD_HEADERS };
  // Browsers send cookies, and no token, from everywhere.
  return extra === 'without token' ? { isTokenless: true, method } : {};
}
