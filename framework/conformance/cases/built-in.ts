// Cases: the middleware that comes with fw, on answers, errors and misses.
import { App } from '../../app/app.js';
import type { Middleware } from '../../context/handlers.js';
import { FwError } from '../../http/errors.js';
import {
  Cors,
  cors,
  poweredBy,
  SecurityHeaders,
  securityHeaders,
  serverHeaders,
} from '../../middleware/index.js';
import { VERSION } from '../../version.js';
import type { Case } from '../case.js';

const around = (middleware: Middleware) => () =>
  App.withoutDefaults()
    .use(middleware)
    .onError((error) => ({ mine: (error as Error).message }))
    .get('/', (ctx) => ctx.header('Vary', 'Accept').text('x'))
    .get('/own', (ctx) => ctx.header('X-Frame-Options', 'DENY').text('x'))
    .put('/', () => 'put')
    .get('/boom', () => {
      throw FwError.forbidden('boom');
    });

const here = 'https://app.example';

const asked = (
  name: string,
  middleware: Middleware,
  request: Case['request'],
  status: number,
  headers: Case['headers'] = {},
): Case => ({ name, app: around(middleware), request, status, headers });

const preflight = (origin: string, path = '/'): Case['request'] => ({
  method: 'OPTIONS',
  path,
  headers: {
    Origin: origin,
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'X-Evil',
  },
});
const from = (origin: string, path = '/'): Case['request'] => ({ path, headers: { Origin: origin } });

const listed = cors({
  origin: [here, 'https://b.example'],
  allowMethods: ['GET', 'PUT'],
  allowHeaders: ['X-One', 'X-Two'],
  exposeHeaders: ['X-Count'],
  credentials: true,
  maxAge: 600,
});

const none = { 'access-control-allow-origin': undefined, 'access-control-allow-credentials': undefined };

export const builtIn: Case[] = [
  asked('cors: any origin by default', cors(), from(here), 200, {
    'access-control-allow-origin': '*',
    vary: 'Accept',
  }),
  asked('cors: a preflight by default', cors(), preflight(here), 204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'Content-Type',
    'access-control-max-age': undefined,
  }),
  asked('cors: a listed origin', listed, from(here), 200, {
    'access-control-allow-origin': here,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'X-Count',
    vary: 'Accept, Origin',
  }),
  asked('cors: a preflight of a listed origin, whatever fields it asks for', listed, preflight(here), 204, {
    'access-control-allow-origin': here,
    'access-control-allow-methods': 'GET, PUT',
    'access-control-allow-headers': 'X-One, X-Two',
    'access-control-allow-credentials': 'true',
    'access-control-max-age': '600',
    vary: 'Origin',
  }),
  ...['https://evil.example', 'https://app.example.evil', 'http://app.example', 'null', `${here}:444`].map(
    (origin) =>
      asked(`cors: the origin ${origin} is not listed`, listed, from(origin), 200, {
        ...none,
        vary: 'Accept, Origin',
      }),
  ),
  asked('cors: a preflight of a foreign origin', listed, preflight('https://evil.example'), 204, {
    ...none,
    vary: 'Origin',
  }),
  asked('cors: without an Origin the answer still varies', listed, { path: '/' }, 200, {
    ...none,
    vary: 'Accept, Origin',
  }),
  asked('cors: a preflight of an unknown path is answered too', listed, preflight(here, '/nope'), 204, {
    'access-control-allow-origin': here,
  }),
  asked(
    "cors: OPTIONS without the preflight fields is the application's",
    listed,
    { path: '/', method: 'OPTIONS' },
    204,
    {
      allow: 'GET, HEAD, OPTIONS, PUT',
    },
  ),
  asked(
    'cors: a function decides',
    cors({ origin: async (origin) => origin.endsWith('.example') }),
    from(here),
    200,
    {
      'access-control-allow-origin': here,
      vary: 'Accept, Origin',
    },
  ),
  asked(
    'cors: a function may allow the opaque origin',
    cors({ origin: (origin) => origin === 'null' }),
    from('null'),
    200,
    { 'access-control-allow-origin': 'null', vary: 'Accept, Origin' },
  ),
  asked('cors: the builder', new Cors().allowOrigin(here).maxAge(5).build(), preflight(here), 204, {
    'access-control-allow-origin': here,
    'access-control-max-age': '5',
  }),
  {
    ...asked("cors: errors carry it and stay the application's", listed, from(here, '/boom'), 403, {
      'access-control-allow-origin': here,
    }),
    body: { mine: 'boom' },
  },
  asked('cors: misses carry it', listed, from(here, '/nope'), 404, { 'access-control-allow-origin': here }),
  asked('securityHeaders: the defaults', securityHeaders(), { path: '/' }, 200, {
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': undefined,
  }),
  asked(
    'securityHeaders: the builder',
    new SecurityHeaders().csp("default-src 'self'").frameOptions('DENY').referrerPolicy('origin').build(),
    { path: '/nope' },
    404,
    {
      'content-security-policy': "default-src 'self'",
      'x-frame-options': 'DENY',
      'referrer-policy': 'origin',
    },
  ),
  asked('securityHeaders: a field can be left out', securityHeaders({ hsts: false }), { path: '/' }, 200, {
    'strict-transport-security': undefined,
  }),
  asked("securityHeaders: a handler's own field stays", securityHeaders(), { path: '/own' }, 200, {
    'x-frame-options': 'DENY',
  }),
  asked('poweredBy', poweredBy(), { path: '/boom' }, 403, { 'x-powered-by': 'fw' }),
  asked('serverHeaders without the version', serverHeaders('edge', false), { path: '/' }, 200, {
    server: 'edge',
  }),
  asked('serverHeaders with the version', serverHeaders('edge', true), { path: '/nope' }, 404, {
    server: `edge/${VERSION}`,
  }),
];
