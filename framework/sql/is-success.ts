// Transactions: whether what a handler answers is a success, so that its transaction is committed.
import { FwResponse } from '../http/response.js';

/** Routes answer with a response, procedures with the plain result. An error that is returned counts as thrown. */
export function isSuccess(result: unknown): boolean {
  if (result instanceof FwResponse) return result.status < 400;
  return !(result instanceof Error);
}
