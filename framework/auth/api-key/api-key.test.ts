import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { App, ConfigError, type Middleware, route } from '../../index.js';
import { openApiFromApp } from '../../rpc/index.js';
import { ApiKey, type ApiKeyIdentity, apiKey, generateApiKey, hashApiKey, StaticKeys } from './index.js';

const key = generateApiKey('shop');
const keys = new StaticKeys().insert(key, 'billing').withScopes('second-key', 'reports', ['reports:read']);

function appWith(middleware: Middleware = apiKey({ store: keys })): App {
  return new App()
    .use(middleware)
    .get('/', (ctx) => ({ key: ctx.apiKey() ?? null, who: ctx.principal() ?? null }));
}

async function answer(
  app: App,
  headers: Record<string, string> = {},
  path = '/',
): Promise<[number, unknown]> {
  const response = await app.fetch(new Request(`http://x${path}`, { headers }));
  return [response.status, await response.json()];
}

const billing = { id: 'billing', scopes: [] };

describe('ApiKey', () => {
  it('gives the identity and the principal of a valid key', async () => {
    expect(await answer(appWith(), { 'X-Api-Key': key })).toEqual([200, { key: billing, who: billing }]);
    expect(await answer(appWith(), { 'x-api-key': 'second-key' })).toEqual([
      200,
      expect.objectContaining({ who: { id: 'reports', scopes: ['reports:read'] } }),
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ['no key', {}],
    ['an empty key', { 'x-api-key': '' }],
    ['an unknown key', { 'x-api-key': `${key}x` }],
    ['a prefix of a key', { 'x-api-key': key.slice(0, -1) }],
    ['a key in other case', { 'x-api-key': key.toUpperCase() }],
    ['the digest of a key', { 'x-api-key': hashApiKey(key) }],
    ['two keys', { 'x-api-key': `${key}, second-key` }],
    ['a key of 1,025 characters', { 'x-api-key': 'a'.repeat(1025) }],
    ['a name of Object.prototype', { 'x-api-key': '__proto__' }],
    ['a key in another field', { authorization: `ApiKey ${key}` }],
  ])('refuses %s with 401 and a challenge', async (_, headers) => {
    const response = await appWith().fetch(new Request('http://x/', { headers }));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('ApiKey');
    const body = await response.text();
    expect(body).toContain('"error":"Unauthorized"');
    expect(body).not.toContain(key);
  });

  it('asks the store for keys of up to 1,024 characters alone, which it hashes', async () => {
    const asked: number[] = [];
    const store = {
      validate: ({ length }: string) => {
        asked.push(length);
        return { id: 'anybody', scopes: [] };
      },
    };
    const app = appWith(apiKey({ store }));
    for (const [length, status] of [
      [1_024, 200],
      [1_025, 401],
    ] as const) {
      expect((await answer(app, { 'x-api-key': 'a'.repeat(length) }))[0]).toBe(status);
    }
    // Nor for an empty one.
    expect((await answer(app, { 'x-api-key': '' }))[0]).toBe(401);
    expect(asked).toEqual([1_024]);
  });

  it('lets requests pass without an identity if it is optional', async () => {
    const app = appWith(new ApiKey(keys).optional().build());
    expect(await answer(app)).toEqual([200, { key: null, who: null }]);
    expect(await answer(app, { 'x-api-key': 'wrong' })).toEqual([200, { key: null, who: null }]);
    expect(await answer(app, { 'x-api-key': key })).toEqual([200, { key: billing, who: billing }]);
  });

  it('reads another header field, or a query parameter instead', async () => {
    const named = appWith(new ApiKey(keys).headerName('X-Machine').build());
    expect((await answer(named, { 'x-machine': key }))[0]).toBe(200);
    expect((await answer(named, { 'x-api-key': key }))[0]).toBe(401);
    const inQuery = appWith(new ApiKey(keys).fromQuery('key').build());
    expect((await answer(inQuery, {}, `/?key=${key}`))[0]).toBe(200);
    expect((await answer(inQuery, { 'x-api-key': key }))[0]).toBe(401);
    expect((await answer(inQuery, {}, `/?key=${key}&key=second-key`))[0]).toBe(401);
  });

  it('keeps what was set before with each call of the builder', async () => {
    const app = appWith(new ApiKey(keys).headerName('X-Machine').optional().build());
    expect(await answer(app)).toEqual([200, { key: null, who: null }]);
    expect(await answer(app, { 'x-machine': key })).toEqual([200, { key: billing, who: billing }]);
    expect(await answer(app, { 'x-api-key': key })).toEqual([200, { key: null, who: null }]);
    const made = new ApiKey(keys, { optional: true });
    expect((await answer(appWith(made.build())))[0]).toBe(200);
    // A builder never changes.
    made.fromQuery('key');
    expect(await answer(appWith(made.build()), { 'x-api-key': key })).toEqual([
      200,
      { key: billing, who: billing },
    ]);
  });

  it.each<[string, ApiKeyIdentity | undefined, boolean]>([
    ['is as it was', { id: 'machine', scopes: ['b', 'a'] }, true],
    ['has got another scope', { id: 'machine', scopes: ['a', 'b', 'c'] }, true],
    ['has lost a scope', { id: 'machine', scopes: ['a'] }, false],
    ['belongs to somebody else', { id: 'other', scopes: ['a', 'b'] }, false],
    ['was revoked', undefined, false],
  ])('says whether what it has opened may stay open, when it %s: %j', async (_, now, isValid) => {
    for (const isLate of [false, true]) {
      let identity: ApiKeyIdentity | undefined = { id: 'machine', scopes: ['a', 'b'] };
      const validate = () => (isLate ? Promise.resolve(identity) : identity);
      const app = new App().use(apiKey({ store: { validate } })).get('/', async (ctx) => {
        identity = now;
        const [credential] = ctx.credentials;
        const watched = credential?.watch?.(() => {});
        const isStill = await watched?.check(true);
        watched?.stop();
        return { isStill, ending: credential?.ending ?? '' };
      });
      expect(await answer(app, { 'x-api-key': 'k' })).toEqual([
        200,
        { isStill: isValid, ending: 'the API key is not valid any more' },
      ]);
    }
  });

  it('says in documents where the key is', () => {
    const schemeOf = (middleware: ReturnType<typeof apiKey>) =>
      openApiFromApp(
        new App().get('/', middleware, () => 'x'),
        { title: 'T', version: '1' },
      ).toJSON().components?.securitySchemes?.apiKey;
    const common = { type: 'apiKey', description: 'An API key, for machines.' };
    expect(schemeOf(apiKey({ store: keys, headerName: 'X-Machine' }))).toEqual({
      ...common,
      in: 'header',
      name: 'X-Machine',
    });
    expect(schemeOf(apiKey({ store: keys, queryName: 'key' }))).toEqual({
      ...common,
      in: 'query',
      name: 'key',
    });
  });

  it('waits for a store that is asynchronous, and answers with its failure', async () => {
    const stored = new Map<string, ApiKeyIdentity>([[hashApiKey('k1'), { id: 'late', scopes: ['a'] }]]);
    const store = { validate: async (presented: string) => stored.get(hashApiKey(presented)) };
    expect(await answer(appWith(apiKey({ store })), { 'x-api-key': 'k1' })).toEqual([
      200,
      expect.objectContaining({ key: { id: 'late', scopes: ['a'] } }),
    ]);
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const failing = { validate: () => Promise.reject(new Error('the store is away: secret')) };
    for (const optional of [true, false]) {
      const [status, body] = await answer(appWith(apiKey({ store: failing, optional })), {
        'x-api-key': 'k1',
      });
      expect([status, body]).toEqual([500, { error: 'Internal', message: 'internal server error' }]);
    }
  });

  it.each([undefined, null, false])('refuses the key if the store answers %s', async (nothing) => {
    for (const validate of [() => nothing, async () => nothing]) {
      const store = { validate } as never;
      const app = new App()
        .use(apiKey({ store }))
        .requireAuth()
        .get('/', () => 'in');
      expect((await answer(app, { 'x-api-key': 'k' }))[0]).toBe(401);
      const route = new App().get('/', apiKey({ store }), () => 'in');
      expect((await answer(route, { 'x-api-key': 'k' }))[0]).toBe(401);
      const open = appWith(apiKey({ store, optional: true }));
      expect(await answer(open, { 'x-api-key': 'k' })).toEqual([200, { key: null, who: null }]);
    }
  });

  it.each([
    true,
    0,
    '',
    'ada',
    {},
    [],
    { id: 'ada' },
    { id: 7, scopes: [] },
    { id: 'ada', scopes: 'not-admin' },
  ])('lets nobody in if the store answers %j', async (wrong) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = new App()
      .use(apiKey({ store: { validate: () => wrong } as never }))
      .get('/', (ctx) => ctx.requireScope('admin'));
    expect((await answer(app, { 'x-api-key': 'k' }))[0]).toBe(500);
    expect(String(error.mock.calls.at(-1))).toContain('return { id, scopes }');
  });

  it('is an extractor of the identity, which asks for a key', async () => {
    const app = new App()
      .use(apiKey({ store: keys, optional: true }))
      .get(route('/usage', { returns: undefined }), ApiKey, ({ id }) => ({ id }));
    expect(await answer(app, { 'x-api-key': key }, '/usage')).toEqual([200, { id: 'billing' }]);
    expect((await answer(app, {}, '/usage'))[0]).toBe(401);
    const document = openApiFromApp(app, { title: 'T', version: '1' }).toJSON();
    expect(document.paths['/usage']?.get).toMatchObject({
      security: [{ apiKey: [] }],
      responses: { 401: { description: 'The request is not authenticated.' } },
    });
    expect(document.components?.securitySchemes).toMatchObject({
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    });
  });

  it('guards one route as an extractor, without middleware', async () => {
    const app = new App()
      .get('/one', apiKey({ store: keys }), ({ id }) => ({ id }))
      .get('/two', () => 'open');
    expect(await answer(app, { 'x-api-key': key }, '/one')).toEqual([200, { id: 'billing' }]);
    expect((await app.fetch(new Request('http://x/two'))).status).toBe(200);
    const challenge = async (app: App, headers: Record<string, string> = {}) => {
      const response = await app.fetch(new Request('http://x/one', { headers }));
      return [response.status, response.headers.get('www-authenticate')];
    };
    expect(await challenge(app)).toEqual([401, 'ApiKey']);
    expect(await challenge(app, { 'x-api-key': 'wrong' })).toEqual([401, 'ApiKey']);
    const without = new App().get('/one', ApiKey, ({ id }) => ({ id }));
    expect(await challenge(without, { 'x-api-key': key })).toEqual([401, 'ApiKey']);
  });
});

describe('StaticKeys', () => {
  it('keeps digests, and never the key', () => {
    const shown = JSON.stringify(keys) + Object.values(keys).join();
    expect(shown).not.toContain(key);
    expect(hashApiKey('a')).toBe(createHash('sha256').update('a').digest('hex'));
  });

  it('finds each of 1,000 keys', () => {
    const many = new StaticKeys();
    for (let i = 0; i < 1000; i++) many.insert(`key ${i}`, `id ${i}`);
    for (let i = 0; i < 1000; i++) expect(many.validate(`key ${i}`)?.id).toBe(`id ${i}`);
    expect(many.validate('key 1000')).toBeUndefined();
  });

  it('refuses an empty key, and one that another caller has', () => {
    expect(() => new StaticKeys().insert('', 'a')).toThrow(ConfigError);
    expect(() => new StaticKeys().insert(undefined as never, 'a')).toThrow(
      /the API key of 'a' is missing; give/,
    );
    expect(() => new StaticKeys().insert('same', 'a').insert('same', 'b')).toThrow(
      /'b' has the same API key as 'a'/,
    );
  });

  it('takes the scopes with the key, and refuses those that are none', () => {
    const store = new StaticKeys().insert('one', 'a', ['read']).insert('other', 'b');
    expect(store.validate('one')).toEqual({ id: 'a', scopes: ['read'] });
    expect(store.validate('other')).toEqual({ id: 'b', scopes: [] });
    expect(() => new StaticKeys().insert('key', '')).toThrow(/the id of an API key is ''/);
    expect(() => new StaticKeys().insert('key', 'a', ['read', ''])).toThrow(/scopes of 'a'/);
    expect(() => new StaticKeys().insert('key', 'a', 'read' as never)).toThrow(/scopes of 'a'/);
    expect(() => new (StaticKeys as new (...all: unknown[]) => StaticKeys)('key')).toThrow(
      /add each key by insert/,
    );
  });

  it('gives identities that nobody can change', () => {
    const { scopes } = keys.validate('second-key') as ApiKeyIdentity;
    expect(() => (scopes as string[]).push('admin')).toThrow(TypeError);
  });
});

describe('generateApiKey', () => {
  it('has a prefix and 256 random bits', () => {
    expect(key).toMatch(/^shop_[\w-]{43}$/);
    expect(generateApiKey('shop')).not.toBe(key);
    for (const prefix of ['a b', '', 'a'.repeat(33), 'ü']) {
      expect(() => generateApiKey(prefix)).toThrow(ConfigError);
    }
    expect(generateApiKey('a'.repeat(32))).toMatch(/^a{32}_/);
  });
});

describe('wrong options', () => {
  it.each([
    [() => apiKey({ store: undefined as never }), /store with validate/],
    [() => apiKey({ store: keys, header: 'a b' }), /a b/],
  ])('are refused at once', (make, message) => {
    expect(make).toThrow(message);
  });
});
