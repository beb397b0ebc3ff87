// Who may call: users with a token, and machines with an API key of a user.
import { authenticate, CurrentUser, type Middleware, provide } from 'fw';
import { ApiKeys } from 'fw/accounts';
import { apiKey } from 'fw/api-key';
import { Jwt, type JwtSecret } from 'fw/jwt';
import { SqlTokenStore } from 'fw/kysely';
import type { Db } from '../database/database.ts';

/** The scopes that an API key can have. Users have them all. */
export const keyScopes = ['tasks:read', 'tasks:write'] as const;

/** What only users may do with their account, such as making API keys. */
export const accountScope = 'account';

/** What a user may do who has signed in. */
const userScopes: readonly string[] = [accountScope, ...keyScopes];

/** A token cannot be taken back, so it expires soon. */
const tokenSeconds = 15 * 60;

/** Signs the tokens of users and verifies them. Of a list of secrets the first one signs, and all are accepted. */
export function tokens(secret: JwtSecret | readonly JwtSecret[]): Jwt {
  return Jwt.hs256(secret).expiresIn(tokenSeconds);
}

export function tokenFor(jwt: Jwt, userId: string): { token: string; expiresInSeconds: number } {
  const token = jwt.sign({ sub: userId, scope: userScopes.join(' ') });
  return { token, expiresInSeconds: tokenSeconds };
}

/** Finds out who makes a request. It lets everybody pass; `app.requireAuth()` and the scopes of routes decide. */
export function authentication(jwt: Jwt, db: Db): Middleware {
  return authenticate(jwt.optional().build(), apiKey({ store: keysOf(db), optional: true }));
}

/** A key acts for the user that made it, with the key's scopes. */
export function keysOf(db: Db): ApiKeys {
  return new ApiKeys({ store: new SqlTokenStore(db), prefix: 'tasks' });
}

/** Gives handlers the `user` of the request; 401 if the account is gone. For the option `use` of routes. */
export const currentUser = provide({
  user: CurrentUser(({ id = '' }, ctx) =>
    ctx.db().selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),
  ),
});
