// Authentication by several methods: their order, and what is said if none of them succeeds.
import { describe, expect, it } from 'vitest';
import { App } from '../index.js';
import { openApiFromApp } from '../rpc/index.js';
import { MemoryStore, session } from '../session/index.js';
import { apiKey, StaticKeys } from './api-key/index.js';
import { authenticate } from './authenticate.js';
import { Jwt } from './jwt/index.js';

const secret = 'a secret of at least 32 bytes, really';
const store = new StaticKeys().insert('the key', 'machine');
const token = Jwt.hs256(secret).expiresIn(60).sign({ sub: 'ada' });
const jwt = Jwt.hs256(secret);
const key = apiKey({ store });

async function ask(middleware: ReturnType<typeof authenticate>, headers: Record<string, string> = {}) {
  const app = new App().use(middleware).get('/', (ctx) => ctx.principal()?.id ?? 'nobody');
  const response = await app.fetch(new Request('http://x/', { headers }));
  const text = await response.text();
  const said = response.status === 200 ? text : (JSON.parse(text) as { message: string }).message;
  return [response.status, said, response.headers.get('www-authenticate')];
}

const right = { authorization: `Bearer ${token}`, 'x-api-key': 'the key' };
const wrong = { authorization: 'Bearer x', 'x-api-key': 'another key' };

describe('authenticate', () => {
  it('takes the first method that succeeds, whatever was wrong for those before', async () => {
    expect(await ask(authenticate(jwt.build(), key), right)).toEqual([200, 'ada', null]);
    expect(await ask(authenticate(key, jwt.build()), right)).toEqual([200, 'machine', null]);
    const { authorization } = wrong;
    expect(await ask(authenticate(jwt.build(), key), { ...right, authorization })).toEqual([
      200,
      'machine',
      null,
    ]);
  });

  it('says what is wrong for the first method that had credentials, and how all of them are sent', async () => {
    const [status, said, challenges] = await ask(authenticate(jwt.build(), key), wrong);
    expect([status, said]).toEqual([401, 'the token is not valid']);
    expect(challenges).toContain('Bearer');
    expect((await ask(authenticate(key, jwt.build()), wrong)).slice(0, 2)).toEqual([
      401,
      'the API key is not valid',
    ]);
    const { 'x-api-key': other } = wrong;
    expect((await ask(authenticate(jwt.build(), key), { 'x-api-key': other })).slice(0, 2)).toEqual([
      401,
      'the API key is not valid',
    ]);
    expect(await ask(authenticate(jwt.build(), key))).toEqual([
      401,
      'authentication is required',
      expect.stringMatching(/Bearer.*ApiKey/),
    ]);
  });

  it('lets everybody pass only if all of the methods are optional', async () => {
    const optional = apiKey({ store, optional: true });
    expect(await ask(authenticate(jwt.optional().build(), optional))).toEqual([200, 'nobody', null]);
    expect((await ask(authenticate(jwt.build(), optional)))[0]).toBe(401);
    expect((await ask(authenticate(jwt.optional().build(), key)))[0]).toBe(401);
  });

  it('accepts the session before it, and asks no method then', async () => {
    let asked = 0;
    const counted = {
      validate: () => {
        asked += 1;
        return undefined;
      },
    };
    const app = new App()
      .use(session(new MemoryStore()))
      .post('/in', (ctx) => ctx.session().signIn('eve'))
      .route(
        '/inner',
        new App().use(authenticate(apiKey({ store: counted }))).get('/', () => 'in'),
      );
    const signedIn = await app.fetch(new Request('http://x/in', { method: 'POST' }));
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const ask = async (headers: Record<string, string>) =>
      (await app.fetch(new Request('http://x/inner', { headers: { 'x-api-key': 'any', ...headers } })))
        .status;
    expect(await ask({ cookie })).toBe(200);
    expect(asked).toBe(0);
    expect(await ask({})).toBe(401);
    expect(asked).toBe(1);
  });

  it('takes methods, one at least', () => {
    expect(() => authenticate()).toThrow('authenticate() takes at least one method');
    expect(() => authenticate(key, (() => {}) as never)).toThrow(
      'argument 2 of authenticate() does not authenticate',
    );
    expect(() => authenticate(undefined as never)).toThrow('argument 1 of authenticate()');
  });
});

it('says what was wrong with optional credentials where somebody is needed after all', async () => {
  const optional = apiKey({ store, optional: true });
  for (const [middleware, message] of [
    [jwt.optional().build(), 'the token is not valid'],
    [optional, 'the API key is not valid'],
    [authenticate(jwt.optional().build(), optional), 'the token is not valid'],
  ] as const) {
    const app = new App()
      .use(middleware)
      .get('/', () => 'open')
      .get('/me', (ctx) => ctx.requireAuth().id);
    const get = (path: string, headers: Record<string, string>) =>
      app.fetch(new Request(`http://x${path}`, { headers }));
    expect((await get('/', wrong)).status).toBe(200);
    const refused = await get('/me', wrong);
    expect([refused.status, await refused.json()]).toEqual([401, expect.objectContaining({ message })]);
    expect(await (await get('/me', {})).json()).toMatchObject({ message: 'authentication is required' });
  }
});

it('keeps what was wrong for the first of several middleware', async () => {
  const app = new App()
    .use(jwt.optional().build())
    .use(apiKey({ store, optional: true }))
    .get('/me', (ctx) => ctx.requireAuth().id);
  const { authorization } = wrong;
  const refused = await app.fetch(new Request('http://x/me', { headers: { authorization } }));
  expect(await refused.json()).toMatchObject({ message: 'the token is not valid' });
});

it('is said to accept who was authenticated before it, which a single method does not', () => {
  const accessOf = (middleware: ReturnType<typeof authenticate>) =>
    new App()
      .use(session(new MemoryStore()))
      .get('/', middleware, () => 'x')
      .accessList().routes[0]?.methods;
  expect(accessOf(authenticate(jwt.build(), key))).toEqual(['session', 'bearer', 'apiKey']);
  expect(accessOf(key)).toEqual(['apiKey']);
});

it('has a name in stacks', () => {
  expect([jwt.build(), key, authenticate(key)].map(({ name }) => name)).toEqual([
    'jwt',
    'apiKey',
    'authenticate',
  ]);
});

it('is in documents with all of its methods, and whether they are needed', () => {
  const securityOf = (middleware: ReturnType<typeof authenticate>) => {
    const app = new App().get('/', middleware, () => 'x');
    const { components, paths } = openApiFromApp(app, { title: 'T', version: '1' }).toJSON();
    const { security, responses } = paths['/']?.get ?? {};
    return [
      Object.keys(components?.securitySchemes ?? {}),
      security,
      Object.keys(responses ?? {}).includes('401'),
    ];
  };
  expect(securityOf(authenticate(jwt.build(), key))).toEqual([
    ['apiKey', 'bearer'],
    [{ bearer: [] }, { apiKey: [] }],
    true,
  ]);
  const optional = apiKey({ store, optional: true });
  expect(securityOf(authenticate(jwt.optional().build(), optional) as never)).toEqual([
    ['apiKey', 'bearer'],
    [{ bearer: [] }, { apiKey: [] }, {}],
    false,
  ]);
});
