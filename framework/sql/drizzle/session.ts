// Drizzle: the parts of its sessions that are used here, which are the same in 0.45 for all three databases.

/** A statement that was prepared in a session. */
export type Prepared = object;

export interface Session {
  readonly client: object;
  readonly dialect: unknown;
  readonly schema: unknown;
  readonly options: unknown;
  /** The transaction of libsql's client, in a session of one. */
  tx?: object;
  prepareQuery(query: { sql: string; params?: readonly unknown[] }, ...rest: unknown[]): Prepared;
  transaction(work: (tx: Transaction) => unknown, config?: unknown): unknown;
  batch?(queries: unknown): unknown;
  all?(query: unknown): unknown;
}

export interface Transaction {
  readonly session: Session;
}

export type SessionClass = new (
  client: object,
  dialect: unknown,
  schema: unknown,
  options: unknown,
) => Session;

export function sessionOf(db: object): Session {
  return (db as { session: Session }).session;
}
