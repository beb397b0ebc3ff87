import { describe, expect, it } from 'vitest';
import {
  Cors,
  cors,
  RequestId,
  requestId,
  SecurityHeaders,
  securityHeaders,
  serverHeaders,
} from './index.js';

describe('invalid options are refused when the App is set up', () => {
  it.each([
    [() => cors({ credentials: true }), "credentials cannot be combined with the origin '*'"],
    [() => new Cors().credentials(true).build(), "credentials cannot be combined with the origin '*'"],
    [() => cors({ origin: 'https://a.example/' }), "write 'https://a.example'"],
    [() => cors({ origin: ['https://a.example', 'a.example'] }), 'invalid origin "a.example"'],
    [() => cors({ origin: 'null' }), "write it like 'https://app.example'"],
    [() => cors({ maxAge: -1 }), 'invalid maxAge -1'],
    [() => cors({ maxAge: 1e21 }), 'invalid maxAge 1e+21'],
    [() => cors({ allowMethods: ['GET, PUT'] }), 'invalid allowMethods entry "GET, PUT"'],
    [() => cors({ allowHeaders: ['X\r\nY'] }), 'invalid allowHeaders entry'],
    [() => securityHeaders({ csp: 'a\r\nb' }), "invalid value of header 'Content-Security-Policy'"],
    [() => new SecurityHeaders().frameOptions('\n').build(), "invalid value of header 'X-Frame-Options'"],
    [() => securityHeaders({ CSP: 'x' } as never), "has no option 'CSP'"],
    [() => requestId({ header: 'X Id' }), 'invalid header name "X Id"'],
    [() => new RequestId().header('a:b'), 'invalid header name "a:b"'],
    [() => serverHeaders('a b', true), 'invalid server name "a b"'],
  ])('%#', (make, message) => {
    expect(make).toThrow(message);
  });
});
