// Parameters of statements as people may see them, in development only: they are values of users.
import type { Statement } from '../../../framework/sql/database-errors.js';
import { isSecretName, MASKED } from '../../process/secret-names.js';

/** Characters. */
const LONGEST_PARAMETER = 200;
const MOST_PARAMETERS = 50;

/** Names that are secrets in a database, such as those of stored sessions, and harmless elsewhere. */
const SECRET_COLUMN = /session|hash|cookie|verifier|nonce|salt|^key$|^code$/i;

/** Where a column or a table is named like a secret, none is shown: which parameter belongs to it cannot be told of all SQL. */
export function shownParameters({ sql, parameters = [] }: Statement): unknown[] {
  const names = sql.match(/[A-Za-z_][\w-]*/g) ?? [];
  const isSecret = names.some((name) => isSecretName(name) || SECRET_COLUMN.test(name));
  const shown = parameters.slice(0, MOST_PARAMETERS).map((value) => (isSecret ? MASKED : shortened(value)));
  if (parameters.length > MOST_PARAMETERS) shown.push(`… ${parameters.length - MOST_PARAMETERS} more`);
  return shown;
}

function shortened(value: unknown): unknown {
  if (typeof value !== 'string') return value instanceof Uint8Array ? `${value.length} bytes` : value;
  return value.length > LONGEST_PARAMETER ? `${value.slice(0, LONGEST_PARAMETER)}…` : value;
}
