// The types of `ctx.platform` and of scopes, declared and not.
import { expectTypeOf, it } from 'vitest';
import { App } from '../app/app.js';
import type { PlatformOf, ScopeOf } from './register.js';

interface Workers {
  env: { GREETING: string };
}

it('is what is declared, with the Request', () => {
  type Platform = PlatformOf<{ platform: Workers }>;
  expectTypeOf<Platform['request']>().toEqualTypeOf<Request>();
  expectTypeOf<Platform['env']>().toEqualTypeOf<{ GREETING: string }>();
});

it('is undefined too if that is declared, for an App that app.listen serves', () => {
  type Platform = PlatformOf<{ platform: Workers | undefined }>;
  expectTypeOf<undefined>().toExtend<Platform>();
  expectTypeOf<NonNullable<Platform>['request']>().toEqualTypeOf<Request>();
  expectTypeOf<NonNullable<Platform>['env']>().toEqualTypeOf<{ GREETING: string }>();
});

it('may be undefined if nothing is declared', () => {
  new App().get('/', (ctx) => {
    // @ts-expect-error: under app.listen there is no platform
    void ctx.platform.request;
    expectTypeOf(ctx.platform?.request).toEqualTypeOf<Request | undefined>();
    return '';
  });
});

it('are the scopes that are declared, and any text if none are', () => {
  expectTypeOf<ScopeOf<{ scopes: 'orders:read' | 'role:admin' }>>().toEqualTypeOf<
    'orders:read' | 'role:admin'
  >();
  expectTypeOf<ScopeOf<{ scopes: `orders:${'read' | 'write'}` }>>().toEqualTypeOf<
    'orders:read' | 'orders:write'
  >();
  expectTypeOf<ScopeOf<{ db: object }>>().toEqualTypeOf<string>();
});
