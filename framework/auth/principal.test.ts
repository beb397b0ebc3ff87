// Who may call a route: the extractors and the middleware that need somebody who is authenticated.
import { describe, expect, it } from 'vitest';
import {
  App,
  ConfigError,
  CurrentUser,
  Principal,
  requireAllScopes,
  requireAnyScope,
  requireAuth,
  requireScope,
  route,
} from '../index.js';
import { openApiFromApp } from '../rpc/index.js';
import { Jwt } from './jwt/index.js';

const jwt = Jwt.hs256('a secret of at least 32 bytes, really').expiresIn(60);
const users = new Map([['ada', 'Ada Lovelace']]);

const app = new App()
  .use(jwt.optional().build())
  .get('/principal', Principal, ({ id, scopes }) => `${id} ${scopes}`)
  .get(
    '/user',
    CurrentUser(({ id }, ctx) => users.get(id ?? '') && `${users.get(id ?? '')} ${ctx.req.path}`),
    (name) => name,
  )
  .get(
    '/late',
    CurrentUser(async ({ id }) => users.get(id ?? '')),
    (name) => name,
  )
  .get(route('/auth', { use: [requireAuth()] }), (_, { principal }) => principal.id ?? '')
  .get(route('/one', { use: [requireScope('a')] }), (_, { principal }) => principal.id ?? '')
  .get(route('/any', { use: [requireAnyScope(['a', 'b'])] }), (_, { principal }) => principal.id ?? '')
  .get(route('/all', { use: [requireAllScopes(['a', 'b'])] }), (_, { principal }) => principal.id ?? '');

async function ask(path: string, sub?: string, scope = ''): Promise<[number, string]> {
  const headers = sub === undefined ? {} : { authorization: `Bearer ${jwt.sign({ sub, scope })}` };
  const response = await app.fetch(new Request(`http://x${path}`, { headers }));
  return [response.status, await response.text()];
}

describe('a route that needs somebody', () => {
  it.each(['/principal', '/user', '/late', '/auth', '/one', '/any', '/all'])(
    'is 401 for nobody: %s',
    async (path) => {
      expect((await ask(path))[0]).toBe(401);
    },
  );

  it('gets who it is, or the record of the application', async () => {
    expect(await ask('/principal', 'ada', 'x y')).toEqual([200, 'ada x,y']);
    expect(await ask('/auth', 'ada')).toEqual([200, 'ada']);
    expect(await ask('/user', 'ada')).toEqual([200, 'Ada Lovelace /user']);
    expect(await ask('/late', 'ada')).toEqual([200, 'Ada Lovelace']);
    for (const path of ['/user', '/late']) {
      expect(await ask(path, 'removed')).toEqual([
        401,
        expect.stringContaining('this account does not exist'),
      ]);
    }
  });

  it.each([
    ['', 403, 403, 403],
    ['a', 200, 200, 403],
    ['b', 403, 200, 403],
    ['b a', 200, 200, 200],
    ['ab', 403, 403, 403],
  ])('lets in who has the scopes %j: one %i, any %i, all %i', async (scope, one, any, all) => {
    expect((await ask('/one', 'ada', scope))[0]).toBe(one);
    expect((await ask('/any', 'ada', scope))[0]).toBe(any);
    expect((await ask('/all', 'ada', scope))[0]).toBe(all);
  });

  it('says in documents whom it refuses', () => {
    const { paths } = openApiFromApp(app, { title: 'T', version: '1' }).toJSON();
    const refused = (path: string) => {
      const { responses = {} } = paths[path]?.get ?? {};
      return Object.fromEntries(
        ['401', '403'].map((status) => [
          status,
          (responses as Record<string, { description: string }>)[status]?.description,
        ]),
      );
    };
    const unknown = 'The request is not authenticated.';
    for (const path of ['/principal', '/user', '/auth'])
      expect(refused(path)).toMatchObject({ 401: unknown });
    expect(refused('/one')).toEqual({ 401: unknown, 403: "The caller lacks the scope 'a'." });
    expect(refused('/any')).toEqual({ 401: unknown, 403: "The caller lacks one of the scopes 'a', 'b'." });
    expect(refused('/all')).toEqual({ 401: unknown, 403: "The caller lacks the scopes 'a', 'b'." });
  });
});

it.each<[string, () => unknown, RegExp]>([
  [
    'CurrentUser without a function',
    () => CurrentUser(undefined as never),
    /a function \(principal\) => user/,
  ],
  ['a scope for requireAuth', () => (requireAuth as (...all: unknown[]) => unknown)('a'), /requireAllScopes/],
  [
    'two scopes for requireScope',
    () => (requireScope as (...all: unknown[]) => unknown)('a', 'b'),
    /requireAllScopes/,
  ],
  ['an empty scope', () => requireScope(''), /the scope is ''/],
  ['an empty scope of several', () => requireAnyScope(['a', '']), /requireAnyScope: scopes\[1\]/],
  ['a text of scopes', () => requireAllScopes('a b' as never), /requireAllScopes: scopes/],
  [
    'no scope of all',
    () => requireAllScopes([]),
    /requireAllScopes: scopes is an empty array; give a list of at least one/,
  ],
  [
    'no scope of any',
    () => requireAnyScope([]),
    /requireAnyScope: scopes is an empty array; give a list of at least one/,
  ],
])('refuses %s', (_, make, message) => {
  expect(make).toThrow(message);
  expect(make).toThrow(ConfigError);
});
