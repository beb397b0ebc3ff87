// Every middleware of the framework has the name of what makes it: the workbench and messages call it so.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as otel from '@opentelemetry/api';
import client from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiKey, apiKey, StaticKeys } from '../auth/api-key/index.js';
import { Jwt } from '../auth/jwt/index.js';
import { Jwt as OidcJwt, oidcSignIn, protectedResource } from '../auth/oidc/index.js';
import type { AnyMiddleware } from '../extract/context-middleware.js';
import { asMiddleware } from '../extract/with-middleware.js';
import {
  authenticate,
  ContextMiddleware,
  provide,
  Query,
  requireAllScopes,
  requireAnyScope,
  requireAuth,
  requireScope,
} from '../index.js';
import { Metrics, prometheus } from '../metrics/index.js';
import { Compression, compression } from '../middleware/compression/index.js';
import { Csrf, csrf } from '../middleware/csrf/index.js';
import {
  Cors,
  cors,
  fromConnect,
  IpFilter,
  logger,
  poweredBy,
  RateLimiter,
  RequestId,
  rateLimiter,
  requestId,
  SecurityHeaders,
  securityHeaders,
  serverHeaders,
} from '../middleware/index.js';
import { Traces } from '../opentelemetry/index.js';
import { MemoryStore, session } from '../session/index.js';
import * as drizzle from '../sql/drizzle/index.js';
import * as kysely from '../sql/kysely/index.js';
import { websocketTickets } from '../websocket/index.js';
import { TrialProvider } from './oidc/trial-provider.js';

const secret = 'x'.repeat(32);
const traces = new Traces(otel);
afterAll(() => traces.close());
const store = new StaticKeys();

/** What makes middleware, and the name that it gives. */
const made: Readonly<Record<string, readonly [name: string, make: () => AnyMiddleware]>> = {
  authenticate: ['authenticate', () => authenticate(apiKey({ store }), Jwt.hs256(secret).build())],
  apiKey: ['apiKey', () => apiKey({ store })],
  ApiKey: ['apiKey', () => new ApiKey(store).build()],
  Jwt: ['jwt', () => Jwt.hs256(secret).build()],
  OidcTokens: [
    'jwt',
    () => OidcJwt.jwks('https://a.example').issuer('https://a.example').audience('a').build(),
  ],
  protectedResource: [
    'protectedResource',
    () => protectedResource({ resource: 'https://a.example', authorizationServers: ['https://b.example'] }),
  ],
  OidcSignIn: ['redirectToSignIn', () => redirectToSignIn],
  provide: ['provide', () => provide({ page: Query(z.object({})) })],
  requireAuth: ['requireAuth', () => requireAuth()],
  requireScope: ['requireScope', () => requireScope('a')],
  requireAnyScope: ['requireAnyScope', () => requireAnyScope(['a'])],
  requireAllScopes: ['requireAllScopes', () => requireAllScopes(['a'])],
  compression: ['compression', () => compression()],
  Compression: ['compression', () => new Compression().build()],
  csrf: ['csrf', () => csrf({ secret })],
  Csrf: ['csrf', () => new Csrf(secret).build()],
  Metrics: ['metrics', () => metrics.middleware()],
  Traces: ['traces', () => traces.middleware()],
  cors: ['cors', () => cors()],
  Cors: ['cors', () => new Cors().build()],
  fromConnect: [
    'fromConnect(helmet)',
    () =>
      fromConnect(function helmet(_req, _res, next) {
        next();
      }),
  ],
  IpFilter: ['ipFilter', () => IpFilter.allow(['10.0.0.0/8']).build()],
  logger: ['logger', () => logger()],
  poweredBy: ['poweredBy', () => poweredBy()],
  rateLimiter: ['rateLimiter', () => rateLimiter()],
  RateLimiter: ['rateLimiter', () => new RateLimiter(1, 60).build()],
  requestId: ['requestId', () => requestId()],
  RequestId: ['requestId', () => new RequestId().build()],
  securityHeaders: ['securityHeaders', () => securityHeaders()],
  SecurityHeaders: ['securityHeaders', () => new SecurityHeaders().build()],
  serverHeaders: ['serverHeaders', () => serverHeaders('edge', false)],
  session: ['session', () => session(new MemoryStore())],
  websocketTickets: ['websocketTickets', () => websocketTickets({ secret })],
  transactional: ['transactional', () => kysely.transactional()],
  'transactional of Drizzle': ['transactional', () => drizzle.transactional()],
};

const metrics = new Metrics(prometheus(client, new client.Registry()));
const provider = new TrialProvider();
let redirectToSignIn: AnyMiddleware;

beforeAll(async () => {
  await provider.start();
  const redirectUri = 'https://app.example/callback';
  const oidc = await oidcSignIn({ issuer: provider.issuer, clientId: 'a', redirectUri });
  redirectToSignIn = oidc.redirectToSignIn('/sign-in');
});
afterAll(async () => {
  metrics.close();
  await provider.kill();
});

it.each(Object.entries(made))('%s makes middleware with that name', (_, [name, make]) => {
  const middleware = make();
  const step = middleware instanceof ContextMiddleware ? asMiddleware(middleware) : middleware;
  expect(step.name).toBe(name);
});

it('is so for all that the package offers', () => {
  const api = readFileSync(fileURLToPath(new URL('../../.ci/public-api.txt', import.meta.url)), 'utf8');
  const makers = api.split(/\n(?=\S)/).flatMap((declaration) => {
    const [, kind, name = ''] = /^(?:\w+: )?(function|class|interface) (\w+)/.exec(declaration) ?? [];
    const makes =
      kind === 'function'
        ? /\): (?:\w*Middleware\b|WebSocketTickets)/.test(declaration)
        : /^ {4}(?:build|middleware|readonly redirectToSignIn).*\b\w*Middleware\b/m.test(declaration);
    return makes ? [name] : [];
  });
  // The name of what it is given, or its place.
  const others = ['createMiddleware'];
  expect([...new Set(makers)].filter((one) => !others.includes(one)).sort()).toEqual(
    Object.keys(made)
      .filter((one) => !one.includes(' '))
      .sort(),
  );
});
