// Types: what extractors and guards give to handlers of routes and procedures.
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { App, CurrentUser, Principal, provide, requireScope, route } from '../index.js';
import { RpcRegistry } from '../rpc/index.js';
import { ApiKey, type ApiKeyIdentity, apiKey, StaticKeys } from './api-key/index.js';
import { Claims, Jwt } from './jwt/index.js';

const Me = CurrentUser(({ id }) => (id === 'ada' ? { name: 'Ada' } : undefined));
const Tenant = Claims(z.object({ tenant: z.string() }));
const app = new App();
const rpc = new RpcRegistry();

test('extractors type the arguments of handlers', () => {
  app.get('/', Principal, Me, ApiKey, Tenant, (who, user, key, claims) => {
    expectTypeOf(who).toEqualTypeOf<Principal>();
    expectTypeOf(user).toEqualTypeOf<{ name: string }>();
    expectTypeOf(key).toEqualTypeOf<ApiKeyIdentity>();
    expectTypeOf(claims).toEqualTypeOf<{ tenant: string }>();
  });
  app.get('/own', apiKey({ store: new StaticKeys() }), Jwt.hs256('').build(), (one, other) => {
    expectTypeOf(one).toEqualTypeOf<Principal>();
    expectTypeOf(other).toEqualTypeOf<Principal>();
  });
});

test('middleware types the context of routes and procedures', () => {
  app.get(route('/a', { use: [requireScope('a'), provide({ user: Me })] }), (_, { principal, user }) => {
    expectTypeOf(principal).toEqualTypeOf<Principal>();
    expectTypeOf(user).toEqualTypeOf<{ name: string }>();
  });
  rpc.query('a', { use: [requireScope('a'), provide({ user: Me, key: ApiKey })] }, (_, call) => {
    expectTypeOf(call.principal.scopes).toEqualTypeOf<readonly string[]>();
    expectTypeOf(call.user.name).toEqualTypeOf<string>();
    expectTypeOf(call.key).toEqualTypeOf<ApiKeyIdentity>();
    // @ts-expect-error nobody has added it
    call.session;
  });
});

test('what does not authenticate is not a method', () => {
  // @ts-expect-error middleware of any other kind
  app.use(authenticateWith((_ctx, next) => next()));
});

declare function authenticateWith(method: ReturnType<typeof apiKey>): ReturnType<typeof apiKey>;
