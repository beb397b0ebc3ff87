// SQL: the tokens of users in a table, of either toolkit.
import type { StoredToken, TokenKind, TokenSelection, TokenStore } from '../../auth/accounts/token-store.js';
import { isOfUser, quoted, Sql, type SqlDatabase, type Statement, statement, sweep } from './statement.js';

/** How many expired tokens a new one removes at most: more than one, so that their number falls. */
const SWEPT = 10;
/** The most tokens of a user that are listed. */
const MOST_LISTED = new Sql('1000');

const columns = new Sql('kind, user_id, family, data, created_at_ms, used_at_ms, expires_at_ms');

interface Row {
  readonly token_key: string;
  readonly kind: TokenKind;
  readonly user_id: string;
  readonly family: string;
  readonly data: string;
  readonly created_at_ms: number;
  readonly used_at_ms: number | null;
  readonly expires_at_ms: number | null;
}

export class SqlTokens implements TokenStore {
  readonly #db: SqlDatabase;
  readonly #table: Sql;
  readonly #key: Sql;

  constructor(db: SqlDatabase, table: string) {
    this.#db = db;
    this.#table = quoted(db.engine, table);
    this.#key = quoted(db.engine, 'key');
  }

  /** Stores a new token, and removes up to ten that have expired. */
  async add({
    key,
    kind,
    userId,
    family,
    data,
    createdAtMs,
    usedAtMs,
    expiresAtMs,
  }: StoredToken): Promise<void> {
    await this.#db.run(
      statement`insert into ${this.#table} (${this.#key}, ${columns}) values (${key}, ${kind}, ${userId}, ${family}, ${data}, ${createdAtMs}, ${usedAtMs ?? null}, ${expiresAtMs ?? null})`,
    );
    const names = { table: this.#table, key: this.#key, time: new Sql('expires_at_ms') };
    await sweep(this.#db, names, statement`expires_at_ms <= ${Date.now()}`, SWEPT);
  }

  /** The token of a key, used or not; undefined if there is none or it has expired. */
  async find(key: string): Promise<StoredToken | undefined> {
    const [found] = await this.#select(statement`${this.#key} = ${key} and ${living()}`);
    return found;
  }

  /** Marks a token as used: of two calls at once, one does. */
  async use(key: string, usedAtMs: number): Promise<boolean> {
    const { changed } = await this.#db.run(
      statement`update ${this.#table} set used_at_ms = ${usedAtMs} where ${this.#key} = ${key} and used_at_ms is null and ${living()}`,
    );
    return changed > 0;
  }

  /** The tokens of a user that were not used, up to 1,000 of them, the newest first. */
  list(kind: TokenKind, userId: string): Promise<StoredToken[]> {
    return this.#select(
      statement`${this.#isOf(kind, userId)} and used_at_ms is null and ${living()} order by created_at_ms desc limit ${MOST_LISTED}`,
    );
  }

  /** Removes a token, or those of a user, and returns how many there were. */
  async remove(selection: TokenSelection): Promise<number> {
    const { changed } = await this.#db.run(
      statement`delete from ${this.#table} where ${this.#isSelected(selection)} and ${living()}`,
    );
    return changed;
  }

  async #select(condition: Statement): Promise<StoredToken[]> {
    const { rows } = await this.#db.run(
      statement`select ${this.#key} as token_key, ${columns} from ${this.#table} where ${condition}`,
    );
    return (rows as unknown as Row[]).map(tokenOf);
  }

  #isSelected(selection: TokenSelection): Statement {
    if ('key' in selection) return statement`${this.#key} = ${selection.key}`;
    const { kind, userId, family } = selection;
    const isOf = this.#isOf(kind, userId);
    return family === undefined ? isOf : statement`${isOf} and family = ${family}`;
  }

  #isOf(kind: TokenKind, userId: string): Statement {
    return statement`${isOfUser(this.#db.engine, userId)} and kind = ${kind}`;
  }
}

function living(): Statement {
  return statement`(expires_at_ms is null or expires_at_ms > ${Date.now()})`;
}

function tokenOf({ token_key, kind, user_id, family, data, ...times }: Row): StoredToken {
  return {
    key: token_key,
    kind,
    userId: user_id,
    family,
    data,
    createdAtMs: times.created_at_ms,
    usedAtMs: times.used_at_ms ?? undefined,
    expiresAtMs: times.expires_at_ms ?? undefined,
  };
}
