// Gives procedures the `user` who is signed in; 401 if the account is gone.
import { CurrentUser, provide } from 'fw';

export const currentUser = provide({
  user: CurrentUser(({ id = '' }, ctx) =>
    ctx.db().selectFrom('users').select(['id', 'email']).where('id', '=', id).executeTakeFirst(),
  ),
});
