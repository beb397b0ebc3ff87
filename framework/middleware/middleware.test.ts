import { describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import type { Middleware } from '../context/handlers.js';
import { subscribe } from '../tracing/subscribe.js';
import {
  Cors,
  cors,
  IpFilter,
  logger,
  poweredBy,
  RequestId,
  requestId,
  SecurityHeaders,
  securityHeaders,
  serverHeaders,
} from './index.js';

const OPAQUE =
  "give the origin of a page, such as 'https://app.example', as sandboxed frames of any site have 'null'; " +
  "to allow that, give a function: (origin) => origin === 'null'";

describe('invalid options are refused when the App is set up', () => {
  it.each([
    [() => cors({ credentials: true }), "credentials cannot be combined with the origin '*'"],
    [() => new Cors().credentials(true).build(), "credentials cannot be combined with the origin '*'"],
    ...(['allowMethods', 'allowHeaders', 'exposeHeaders'] as const).map((name): [() => unknown, string] => [
      () => cors({ origin: 'https://a.example', credentials: true, [name]: ['*'] }),
      `credentials cannot be combined with '*' in ${name}`,
    ]),
    [
      () => cors({ origin: 'https://*.a.example' }),
      "origin is 'https://*.a.example'; give each origin without '*', such as 'https://app.example'",
    ],
    [
      () => cors({ origin: 'https://a.example/' }),
      "origin is 'https://a.example/'; give 'https://a.example'",
    ],
    [
      () => cors({ origin: ['https://a.example', 'a.example'] }),
      "origin[1] is 'a.example'; give an origin such as 'https://app.example'",
    ],
    [() => cors({ origin: 'null' }), `origin is 'null'; ${OPAQUE}`],
    [() => cors({ origin: ['null'] }), `origin[0] is 'null'; ${OPAQUE}`],
    [() => cors({ origin: 'none' }), "origin is 'none'; give '*', an origin such as 'https://app.example'"],
    [() => cors({ maxAge: -1 }), 'cors: maxAge is -1; give a whole number of seconds, 0 or more'],
    [() => cors({ maxAge: 1e21 }), 'maxAge is 1e+21'],
    [() => cors({ allowMethods: ['GET, PUT'] }), "allowMethods[0] is 'GET, PUT'; give one name"],
    [() => cors({ allowHeaders: ['X\r\nY'] }), 'allowHeaders[0] is'],
    [() => securityHeaders({ csp: 'a\r\nb' }), 'securityHeaders: csp is'],
    [() => new SecurityHeaders().frameOptions('\n').build(), 'securityHeaders: frameOptions is'],
    [() => securityHeaders({ CSP: 'x' } as never), "has no option 'CSP'"],
    [
      () => requestId({ headerName: 'X Id' }),
      "requestId: headerName is 'X Id'; give the name of a header field",
    ],
    [() => new RequestId().headerName('a:b'), "RequestId: headerName is 'a:b'"],
    [() => IpFilter.allow([]), 'IpFilter.allow got an empty list, which denies all clients'],
    [() => Reflect.construct(SecurityHeaders, [{ csp: 'x' }]), 'give options to securityHeaders(options)'],
    [() => Reflect.construct(Cors, [{ origin: 'x' }]), 'give options to cors(options)'],
    [() => (poweredBy as (one: unknown) => unknown)({}), 'write app.use(poweredBy())'],
    [() => serverHeaders('a b', true), "serverHeaders: the name is 'a b'"],
  ])('%#', (make, message) => {
    expect(make).toThrow(message);
  });
});

const fieldsOf = async (middleware: Middleware, headers: Record<string, string> = {}) => {
  const app = new App().use(middleware).get('/', () => 'x');
  return (await app.fetch(new Request('http://x/', { headers }))).headers;
};

it('securityHeaders sends what a builder was told, and leaves nothing else out', async () => {
  const built = new SecurityHeaders().csp("default-src 'self'").frameOptions('DENY').referrerPolicy('origin');
  const fields = await fieldsOf(built.build());
  expect(Object.fromEntries(fields)).toMatchObject({
    'content-security-policy': "default-src 'self'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'origin',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
});

it('securityHeaders leaves every field out that is false', async () => {
  const off = {
    csp: false,
    frameOptions: false,
    referrerPolicy: false,
    hsts: false,
    permissionsPolicy: false,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
  } as const;
  const fields = [...(await fieldsOf(securityHeaders(off))).keys()];
  expect(fields.filter((name) => /policy|frame|security|nosniff|options/.test(name))).toEqual([
    'x-content-type-options',
  ]);
});

it('requestId reads and sends the field that it was told, in whatever case', async () => {
  const fields = await fieldsOf(new RequestId().headerName('X-Own').build(), {
    'x-own': 'mine',
    'x-request-id': 'other',
  });
  expect([fields.get('x-own'), fields.get('x-request-id')]).toEqual(['mine', null]);
});

it('logger tells of a request and of its response, with the time between them', async () => {
  const events: unknown[] = [];
  const stop = subscribe(({ message, fields }) => void events.push([message, fields]));
  const now = vi.spyOn(performance, 'now').mockReturnValueOnce(1_000).mockReturnValueOnce(1_001.23456);
  await fieldsOf(logger());
  now.mockRestore();
  stop();
  expect(events).toEqual([
    ['--> GET /', { method: 'GET', path: '/' }],
    ['<-- GET / 200 (1.2ms)', { method: 'GET', path: '/', status: 200, durationMs: 1.235 }],
  ]);
});
