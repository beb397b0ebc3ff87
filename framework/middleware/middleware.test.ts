import { describe, expect, it } from 'vitest';
import {
  Cors,
  cors,
  IpFilter,
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
    [() => serverHeaders('a b', true), "serverHeaders: the name is 'a b'"],
  ])('%#', (make, message) => {
    expect(make).toThrow(message);
  });
});
