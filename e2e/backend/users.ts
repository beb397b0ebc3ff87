import { randomUUID } from 'node:crypto';
import { App, Context, describeRoute, FwError, Path, Valid } from 'fw';
import { z } from 'zod';
import { Login, NewUser, Profile, User, UserChange, Username } from './schemas.ts';
import { currentUser, viewer } from './sign-in.ts';
import type { Store } from './store.ts';

const noUser = { 404: 'There is no such user.' };
const Taken = z.object({ taken: z.enum(['username', 'email']) }).meta({ id: 'Taken' });

export function users(store: Store): App {
  const isTaken = (email: string) => store.users.some((one) => one.email === email);
  return new App()
    .post(
      describeRoute('/users', {
        tags: ['users'],
        operationId: 'users.register',
        returns: { 201: User, 409: Taken },
      }),
      Valid(NewUser),
      Context,
      (user, ctx) => {
        if (store.users.some(({ username }) => username === user.username))
          return ctx.json({ taken: 'username' }, 409);
        if (isTaken(user.email)) return ctx.json({ taken: 'email' }, 409);
        const row = { ...user, bio: null, token: randomUUID(), follows: new Set<string>() };
        store.users.push(row);
        return row;
      },
    )
    .post(
      describeRoute('/users/login', {
        tags: ['users'],
        operationId: 'users.login',
        returns: User,
        errors: { 401: 'E-mail or password are wrong.' },
      }),
      Valid(Login),
      ({ email, password }) => {
        const user = store.users.find((one) => one.email === email && one.password === password);
        if (user === undefined) throw FwError.unauthorized('e-mail or password are wrong');
        return user;
      },
    )
    .get(
      describeRoute('/user', { tags: ['users'], returns: User }),
      currentUser(store),
      function showUser(user) {
        return user;
      },
    )
    .put(
      describeRoute('/user', {
        tags: ['users'],
        operationId: 'users.change',
        returns: { 200: User, 409: Taken },
      }),
      currentUser(store),
      Valid(UserChange),
      Context,
      (user, { email, bio }, ctx) => {
        if (email !== undefined && email !== user.email && isTaken(email))
          return ctx.json({ taken: 'email' }, 409);
        if (email !== undefined) user.email = email;
        if (bio !== undefined) user.bio = bio;
        return user;
      },
    );
}

export function profiles(store: Store): App {
  const following = (path: '/:username/follow', operationId: string) =>
    describeRoute(path, { tags: ['profiles'], operationId, returns: Profile, errors: noUser });
  return new App()
    .get(
      describeRoute('/:username', {
        tags: ['profiles'],
        operationId: 'profiles.get',
        returns: Profile,
        errors: noUser,
      }),
      Path('username', Username),
      viewer(store),
      (username, user) => store.profile(store.user(username), user),
    )
    .post(
      following('/:username/follow', 'profiles.follow'),
      currentUser(store),
      Path('username', Username),
      (user, username) => {
        const other = store.user(username);
        user.follows.add(username);
        return store.profile(other, user);
      },
    )
    .delete(
      following('/:username/follow', 'profiles.unfollow'),
      currentUser(store),
      Path('username', Username),
      (user, username) => {
        user.follows.delete(username);
        return store.profile(store.user(username), user);
      },
    );
}
