// Types of what middleware adds to procedures.
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { App } from '../../app/app.js';
import { createMiddleware } from '../../extract/context-middleware.js';
import { RpcRegistry } from '../registry/registry.js';
import type { RpcMiddleware } from './middleware.js';

const authed = createMiddleware(async (_, next) => next({ user: { name: 'ada' } }));
const counted = createMiddleware(async (_, next) => next({ count: 1 }));
const plain: RpcMiddleware = (_, next) => next();

test('handlers get what the option use adds', () => {
  new RpcRegistry()
    .query('me', { use: [authed, plain, counted] }, (_, { user, count, ctx }) => {
      expectTypeOf(user).toEqualTypeOf<{ name: string }>();
      expectTypeOf(count).toEqualTypeOf<number>();
      return ctx.req.path;
    })
    .mutation('rename', { use: [authed], input: z.object({ name: z.string() }) }, ({ name }, { user }) => {
      expectTypeOf(name).toEqualTypeOf<string>();
      return user.name;
    })
    .mutation('timed', { use: [authed, async (call, next) => [call.name, await next()]] }, () => 1)
    .mutation('free', { use: [authed] }, (input: { id: string }, { user }) => `${input.id} ${user.name}`)
    // @ts-expect-error: no middleware adds it.
    .query('other', { use: [plain] }, (_, { user }) => user);
});

test('handlers of a registry get what its middleware adds', () => {
  const users = RpcRegistry.group('users').use(authed).use(plain);
  users.query('me', (_: undefined, { user }) => user.name);
  users.query('two', { use: [counted] }, (_, { user, count }) => user.name + count);
  users.queryWithTypes('three', (_, { user }) => user.name, 'void', 'string');
  // @ts-expect-error: no middleware adds it.
  users.query('four', (_: undefined, { count }) => count);
  expectTypeOf(users.prefix).toEqualTypeOf<'users'>();
});

test('registries with middleware are merged and mounted like others', () => {
  const users = RpcRegistry.group('users').use(authed);
  const rpc = new RpcRegistry().use(counted).merge(users);
  new App().mountRpc('/rpc', rpc);
});
