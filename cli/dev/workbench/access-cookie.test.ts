// The cookie with which a browser sees the page about the app again, request by request.
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { OWNER_FIELD, SCHEME_FIELD } from '../worker/workbench-proxy.js';
import { Access } from './access.js';

const TOKEN = 'a-token';
const admitted = (
  url: string,
  headers: Record<string, string> = {},
  { method = 'GET', isTokenRequired = false } = {},
) => {
  const access = new Access({ token: () => TOKEN, isTokenRequired: () => isTokenRequired });
  return access.admit({ url, method, headers } as unknown as IncomingMessage, '/_fw/');
};
const cookieOf = (scheme: string) =>
  admitted(`/_fw/?token=${TOKEN}`, { [SCHEME_FIELD]: scheme })?.cookie ?? '';

describe('a browser that comes with the token', () => {
  it.each([
    [`/_fw/?token=${TOKEN}`, '/_fw/'],
    [`/_fw/?a=1&token=${TOKEN}&b=%202`, '/_fw/?a=1&b=+2'],
  ])('%s goes to %s', (url, location) => {
    expect(admitted(url)?.location).toBe(location);
  });

  it('has it in a cookie of the page alone, which is for HTTPS if that is used', () => {
    const attributes = /^fw-page-[0-9a-f]{8}=a-token; Path=\/_fw; Max-Age=2592000; HttpOnly; SameSite=Strict/;
    expect(cookieOf('https')).toMatch(new RegExp(`${attributes.source}; Secure$`));
    expect(cookieOf('http')).toMatch(new RegExp(`${attributes.source}$`));
  });

  it('is admitted by it among others, and by no other', () => {
    const [pair = ''] = cookieOf('http').split(';');
    for (const cookie of [pair, `a=1; ${pair}`, `a=1;${pair}; b=2`, `${pair}x; ${pair}`]) {
      expect(admitted('/_fw/', { cookie })).toBeUndefined();
    }
    for (const cookie of ['', `${pair}x`, `x${pair}`, pair.slice(0, -1), pair.replace('=', '_=')]) {
      expect(() => admitted('/_fw/', { cookie })).toThrow('the page about the app is for its developer');
    }
  });
});

describe('the owner', () => {
  it('needs no token unless the settings say so', () => {
    const headers = { [OWNER_FIELD]: 'yes' };
    expect(admitted('/_fw/', headers)).toBeUndefined();
    expect(() => admitted('/_fw/', headers, { isTokenRequired: true })).toThrow('workbench_token = true');
    expect(() => admitted('/_fw/', { [OWNER_FIELD]: 'no' })).toThrow();
  });

  it('may send a token with a request that is not for a page, which gets no cookie', () => {
    expect(admitted(`/_fw/send?token=${TOKEN}`, {}, { method: 'POST' })).toBeUndefined();
    expect(() => admitted('/_fw/send?token=other', {}, { method: 'POST' })).toThrow();
  });
});
