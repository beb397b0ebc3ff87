// Connections: reports a connection that was lost while no query used it.
import { FwError } from '../http/errors.js';
import { reportError } from '../tracing/error-channel.js';

export function reportLost(cause: Error): void {
  const error = FwError.databaseError(`a connection to the database was lost: ${cause.message}`, { cause });
  reportError({ error, status: 500, method: 'database', path: '' });
}
