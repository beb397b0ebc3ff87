// Who sends a request.
import { type Extractor, FwError } from 'fw';
import type { Store, UserRow } from './store.ts';

/** The user of the token, or nobody. */
export function viewer(store: Store): Extractor<UserRow | undefined> {
  return {
    extract(ctx) {
      const token = ctx.req.header('authorization')?.replace(/^Bearer /, '');
      return token === undefined ? undefined : store.users.find((one) => one.token === token);
    },
    describes: {},
  };
}

/** The user of the token; refuses requests without one. */
export function currentUser(store: Store): Extractor<UserRow> {
  const anyone = viewer(store);
  return {
    async extract(ctx) {
      const user = await anyone.extract(ctx);
      if (user !== undefined) return user;
      throw FwError.unauthorized('sign in first', { headers: { 'WWW-Authenticate': 'Bearer' } });
    },
    describes: {
      security: { bearer: { type: 'http', scheme: 'bearer' } },
      errors: { 401: 'The token is missing or unknown.' },
    },
  };
}
