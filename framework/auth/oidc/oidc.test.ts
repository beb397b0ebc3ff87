import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, type JSONWebKeySet, type JWK } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App, ConfigError } from '../../index.js';
import { openApiFromApp } from '../../rpc/index.js';
import { Jwt } from './index.js';
import type { OidcTokens } from './provider-tokens.js';
import { RemoteKeys } from './remote-keys.js';

/** Collects the errors that are reported, until it is called again. */
function listen(reported: unknown[] = []): () => void {
  const collect = (event: unknown) => void reported.push((event as { error: unknown }).error);
  diagnostics.subscribe('fw:error', collect);
  return () => void diagnostics.unsubscribe('fw:error', collect);
}

const API = 'https://api.example.com';

class Key {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;

  constructor(kid: string, alg: 'RS256' | 'ES256', bits = 2048) {
    this.kid = kid;
    this.alg = alg;
    const pair =
      alg === 'RS256'
        ? generateKeyPairSync('rsa', { modulusLength: bits })
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.privateKey = pair.privateKey;
    this.publicKey = pair.publicKey;
  }

  get jwk(): JWK {
    return { ...(this.publicKey.export({ format: 'jwk' }) as JWK), kid: this.kid, alg: this.alg, use: 'sig' };
  }
}

const rsa = new Key('rsa-1', 'RS256');
const ec = new Key('ec-1', 'ES256');
const next = new Key('rsa-2', 'RS256');
const small = new Key('small', 'RS256', 1024);

function sign(key: Key, claims: object, header: object = {}): Promise<string> {
  const all = {
    iss: 'https://issuer',
    aud: API,
    exp: Math.floor(Date.now() / 1000) + 60,
    sub: 'u1',
    ...claims,
  };
  return new CompactSign(new TextEncoder().encode(JSON.stringify(all)))
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header } as never)
    .sign(key.privateKey);
}

/** An identity provider, whose answers a test changes. */
class Provider {
  readonly #server: Server;
  keys: JSONWebKeySet = { keys: [rsa.jwk, ec.jwk] };
  issuer = '';
  /** How often the keys were fetched. */
  fetches = 0;
  answer: ((response: ServerResponse) => void) | undefined;

  constructor() {
    this.#server = createServer((request, response) => {
      if (request.url === '/.well-known/openid-configuration') {
        response.end(JSON.stringify({ issuer: this.issuer, jwks_uri: `${this.url}/keys` }));
        return;
      }
      this.fetches += 1;
      if (this.answer !== undefined) this.answer(response);
      else response.end(JSON.stringify(this.keys));
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.issuer = this.url;
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

const open: Provider[] = [];
async function provider(): Promise<Provider> {
  const one = await new Provider().start();
  open.push(one);
  return one;
}

afterEach(async () => {
  vi.useRealTimers();
  for (const one of open.splice(0)) await one.close();
});

function appWith(jwt: OidcTokens): App {
  return new App().use(jwt.build()).get('/', (ctx) => ctx.principal()?.id ?? 'nobody');
}

async function status(app: App, token: string | Promise<string>): Promise<number> {
  const headers = { authorization: `Bearer ${await token}` };
  return (await app.fetch(new Request('http://x/', { headers }))).status;
}

function given(...keys: Key[]): App {
  return appWith(
    Jwt.jwksFromSet({ keys: keys.map(({ jwk }) => jwk) })
      .issuer('https://issuer')
      .audience(API),
  );
}

describe('Jwt.jwksFromSet', () => {
  it('accepts RS256 and ES256', async () => {
    const app = given(rsa, ec);
    expect(await status(app, sign(rsa, {}))).toBe(200);
    expect(await status(app, sign(ec, {}))).toBe(200);
  });

  const hmacWithPublicKey = async (): Promise<string> =>
    new CompactSign(new TextEncoder().encode(JSON.stringify({ exp: 9e9 })))
      .setProtectedHeader({ alg: 'HS256', kid: rsa.kid })
      .sign(new TextEncoder().encode(rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string));
  const hostile: Record<string, () => string | Promise<string>> = {
    'an HMAC with the public key': hmacWithPublicKey,
    'alg none': async () =>
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await sign(rsa, {})).split('.')[1]}.`,
    'an algorithm of the same key that is not accepted': () => sign(rsa, {}, { alg: 'PS256' }),
    'a key that is not in the set': () => sign(next, {}),
    'a key of another name': () => sign(next, {}, { kid: 'rsa-1' }),
    'a kid that is a path': () => sign(rsa, {}, { kid: '../../etc/passwd' }),
    'a kid that is an object': () => sign(rsa, {}, { kid: { a: 1 } }),
    'the kid of a key of another type': () => sign(rsa, {}, { kid: 'ec-1' }),
    'a jwk in the header': () => sign(next, {}, { jwk: next.jwk, kid: undefined }),
    'a jku in the header': () => sign(next, {}, { jku: 'http://127.0.0.1:1/keys' }),
    crit: () => sign(rsa, {}, { crit: ['b64'], b64: true }),
    'another issuer': () => sign(rsa, { iss: 'https://issuer/' }),
    'another audience': () => sign(rsa, { aud: 'https://other' }),
    'no audience': () => sign(rsa, { aud: undefined }),
    'an expired token': () => sign(rsa, { exp: 1 }),
    'an ID token for a client': () => sign(rsa, { aud: 'client-id' }),
    'no dots': () => 'abc',
    garbage: () => 'a.b.c',
  };
  it.each(Object.entries(hostile))('refuses %s', async (_, token) => {
    expect(await status(given(rsa, ec), token())).toBe(401);
  });

  it('refuses a key of 1,024 bits, and one for encryption', async () => {
    const key = await new CompactSign(new TextEncoder().encode('{}'))
      .setProtectedHeader({ alg: 'RS256' })
      .sign(rsa.privateKey);
    expect(await status(given(small), key)).toBe(401);
    const encryption = appWith(
      Jwt.jwksFromSet({ keys: [{ ...rsa.jwk, use: 'enc' }] })
        .issuer('https://issuer')
        .audience(API),
    );
    expect(await status(encryption, sign(rsa, {}))).toBe(401);
  });

  it.each<[string, object]>([
    ['without a part', { ...rsa.jwk, n: undefined }],
    ['with a part that is empty', { ...rsa.jwk, n: '' }],
    ['with half of a private key', { ...rsa.jwk, d: 'AA' }],
    ['of a point that is not on the curve', { ...ec.jwk, x: ec.jwk.y }],
    ['of a curve that is not that of its length', { ...ec.jwk, x: 'AA' }],
  ])('refuses a token for a key %s, which is not an error of this server', async (_, jwk) => {
    const set = { keys: [jwk] } as unknown as JSONWebKeySet;
    const app = appWith(Jwt.jwksFromSet(set).issuer('https://issuer').audience(API));
    expect(await status(app, sign('n' in jwk ? rsa : ec, {}))).toBe(401);
  });

  it('accepts the algorithms that are set, in whatever order, and only RS256 and ES256 otherwise', async () => {
    // A key that says nothing of its algorithm.
    const { alg: _, ...jwk } = rsa.jwk;
    const tokens = Jwt.jwksFromSet({ keys: [jwk] });
    const accepted = async (made: OidcTokens) => [
      await status(appWith(made), sign(rsa, {})),
      await status(appWith(made), sign(rsa, {}, { alg: 'PS256' })),
    ];
    const bound = tokens.issuer('https://issuer').audience(API);
    expect(await accepted(bound)).toEqual([200, 401]);
    expect(await accepted(bound.algorithms(['PS256']))).toEqual([401, 200]);
    const set = tokens.algorithms(['PS256', 'RS256']).issuer('https://issuer').audience(API);
    expect(await accepted(set)).toEqual([200, 200]);
    for (const name of ['RS384', 'RS512', 'PS384', 'PS512', 'ES384', 'ES512', 'EdDSA', 'Ed25519']) {
      expect(() => tokens.algorithms([name])).not.toThrow();
    }
    for (const name of ['HS256', 'none', 'rs256', '']) {
      expect(() => tokens.algorithms([name])).toThrow(ConfigError);
    }
  });

  it('lets everybody pass if it is optional, as nobody without a valid token', async () => {
    const bound = Jwt.jwksFromSet({ keys: [rsa.jwk] })
      .issuer('https://issuer')
      .audience(API);
    const app = new App().use(bound.optional().build()).get('/', (ctx) => ctx.principal()?.id ?? 'nobody');
    const who = async (headers: Record<string, string>) =>
      (await app.fetch(new Request('http://x/', { headers }))).text();
    expect(await who({})).toBe('nobody');
    expect(await who({ authorization: 'Bearer x' })).toBe('nobody');
    expect(await who({ authorization: `Bearer ${await sign(rsa, { exp: 1 })}` })).toBe('nobody');
    expect(await who({ authorization: `Bearer ${await sign(rsa, {})}` })).toBe('u1');
  });

  it('needs issuer and audience, and algorithms with public keys', () => {
    const set = { keys: [rsa.jwk] };
    expect(() => Jwt.jwksFromSet(set).audience(API).build()).toThrow(/need an issuer: call \.issuer/);
    expect(() => Jwt.jwksFromSet(set).issuer('x').build()).toThrow(/need an audience: call \.audience/);
    expect(() => Jwt.jwksFromSet(set).algorithms(['RS256', 'HS256'])).toThrow(
      "Jwt: the algorithms[1] is 'HS256'; give 'RS256' or",
    );
    expect(() => Jwt.jwksFromSet(set).algorithms([])).toThrow(ConfigError);
    for (const wrong of [{}, { keys: 1 }, undefined]) {
      const make = () => Jwt.jwksFromSet(wrong as never);
      expect(make).toThrow('takes a JSON Web Key Set');
      expect(make).toThrow(ConfigError);
    }
  });
});

describe('Jwt.oidc and Jwt.jwks', () => {
  it('finds the keys by discovery, and tells documents where', async () => {
    const one = await provider();
    const app = appWith(Jwt.oidc(one.url).audience(API));
    expect(await status(app, sign(rsa, { iss: one.url }))).toBe(200);
    expect(await status(app, sign(rsa, { iss: 'https://issuer' }))).toBe(401);
    expect(one.fetches).toBe(1);
    const { components } = openApiFromApp(
      new App().get('/', Jwt.oidc(one.url).audience(API).build(), () => 'x'),
      { title: 'T', version: '1' },
    ).toJSON();
    expect(components?.securitySchemes).toEqual({
      oidc: { type: 'openIdConnect', openIdConnectUrl: `${one.url}/.well-known/openid-configuration` },
    });
  });

  it('refuses metadata of another issuer', async () => {
    const reported: unknown[] = [];
    const stop = listen(reported);
    const one = await provider();
    one.issuer = 'https://issuer';
    expect(await status(appWith(Jwt.oidc(one.url).audience(API)), sign(rsa, { iss: one.url }))).toBe(503);
    expect(one.fetches).toBe(0);
    stop();
    expect(String((reported[0] as Error).cause)).toContain(`names the issuer "https://issuer"`);
  });

  it.each([
    'http://issuer.example',
    'ftp://x',
    'issuer',
    'https://user:pass@issuer',
    '',
    'http://localhost.evil.example',
    'http://evil-localhost',
    'http://127.0.0.1.evil.example',
    'http://evil127.0.0.1.example',
    'http://128.0.0.1',
    'http://[::2]',
    'ftp://localhost',
    'http://user@localhost',
    'http://:pass@localhost',
  ])('refuses the address %j', (address) => {
    expect(() => Jwt.oidc(address)).toThrow(/takes an https address/);
    expect(() => Jwt.jwks(address)).toThrow(ConfigError);
  });

  it.each([
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://127.8.9.10:1',
    'http://[::1]:1',
    'https://x',
  ])('takes the address %j', (address) => {
    expect(() => Jwt.oidc(address)).not.toThrow();
    expect(() => Jwt.jwks(address)).not.toThrow();
  });

  it('refuses unknown options', () => {
    expect(() => Jwt.jwks('https://x', { cooldown: 1 } as never)).toThrow(
      "Jwt has no option 'cooldown'; did you mean 'cooldownMs'?",
    );
    for (const name of ['cacheMaxAgeMs', 'cooldownMs', 'timeoutMs', 'maxStaleMs']) {
      const isTimer = name === 'timeoutMs';
      // A timer is whole, and of 32 bits.
      const takes = isTimer
        ? 'a whole number of milliseconds from 0 to 2147483647'
        : 'milliseconds, 0 or more';
      for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY, ...(isTimer ? [0.5, 2 ** 31] : [])]) {
        for (const make of [Jwt.jwks, Jwt.oidc]) {
          expect(() => make('https://x', { [name]: ms })).toThrow(`Jwt: ${name} is ${ms}; give ${takes}`);
        }
      }
      for (const ms of [0, 2 ** 31 - 1]) {
        expect(() => Jwt.jwks('https://x', { [name]: ms })).not.toThrow();
      }
    }
  });

  function tokens(one: Provider, options = {}): App {
    return appWith(Jwt.jwks(`${one.url}/keys`, options).issuer('https://issuer').audience(API));
  }

  it('fetches once for many requests at a time', async () => {
    const one = await provider();
    const app = tokens(one);
    const token = await sign(rsa, {});
    const all = await Promise.all(Array.from({ length: 50 }, () => status(app, token)));
    expect(new Set(all)).toEqual(new Set([200]));
    expect(one.fetches).toBe(1);
  });

  it('follows a change of keys under load, without a refusal of good tokens', async () => {
    const one = await provider();
    const app = tokens(one, { cooldownMs: 0 });
    const [before, after] = [await sign(rsa, {}), await sign(next, {})];
    expect(await status(app, before)).toBe(200);
    one.keys = { keys: [next.jwk, rsa.jwk] };
    const load = Array.from({ length: 40 }, (_, i) => status(app, i % 2 === 0 ? before : after));
    expect(new Set(await Promise.all(load))).toEqual(new Set([200]));
    expect(one.fetches).toBe(2);
  });

  it('does not fetch for made-up keys more often than the cooldown allows', async () => {
    const one = await provider();
    const app = tokens(one);
    expect(await status(app, sign(rsa, {}))).toBe(200);
    for (let i = 0; i < 20; i++) expect(await status(app, sign(next, {}, { kid: `made-up ${i}` }))).toBe(401);
    expect(one.fetches).toBe(1);
  });

  it('fetches again for a key that is not known alone, and says that its token is not valid', async () => {
    const one = await provider();
    const app = tokens(one, { cooldownMs: 0 });
    const good = await sign(rsa, {});
    expect(await status(app, good)).toBe(200);
    const [head = '', payload = ''] = good.split('.');
    // A wrong signature, another algorithm, and what cannot be a token.
    for (const token of [`${head}.${payload}.AAAA`, await sign(rsa, {}, { alg: 'PS256' }), 'a.b.c']) {
      expect(await status(app, token)).toBe(401);
    }
    expect(one.fetches).toBe(1);
    const headers = { authorization: `Bearer ${await sign(next, {})}` };
    const refused = await app.fetch(new Request('http://x/', { headers }));
    expect([refused.status, await refused.json()]).toEqual([
      401,
      expect.objectContaining({ message: 'the token is not valid' }),
    ]);
    expect(one.fetches).toBe(2);
  });

  it.each(['[]', 'null', '7', '"keys"'])(
    'reports a provider that answers %s instead of an object',
    async (text) => {
      const one = await provider();
      one.answer = (response) => void response.end(text);
      const reported: unknown[] = [];
      const stop = listen(reported);
      expect(await status(tokens(one), sign(rsa, {}))).toBe(503);
      stop();
      expect(String((reported[0] as Error).cause)).toContain('did not answer a JSON object');
    },
  );

  it('keeps the last keys while the provider is away', async () => {
    const one = await provider();
    const app = tokens(one, { cacheMaxAgeMs: 0, cooldownMs: 0 });
    const token = await sign(rsa, {});
    expect(await status(app, token)).toBe(200);
    const stop = listen();
    await one.close();
    for (let i = 0; i < 5; i++) expect(await status(app, token)).toBe(200);
    expect(await status(app, sign(next, {}))).toBe(401);
    stop();
  });

  it('fetches no keys for a token of an algorithm that it does not take', async () => {
    const one = await provider();
    const app = tokens(one);
    expect(await status(app, sign(rsa, {}, { alg: 'PS256' }))).toBe(401);
    expect(one.fetches).toBe(0);
  });

  it('asks to wait for whole seconds', async () => {
    const one = await provider();
    one.answer = (response) => response.writeHead(500).end();
    const stop = listen();
    const headers = { authorization: `Bearer ${await sign(rsa, {})}` };
    const response = await tokens(one, { cooldownMs: 1_001 }).fetch(new Request('http://x/', { headers }));
    stop();
    expect(response.headers.get('retry-after')).toBe('2');
  });

  it('is 503 with Retry-After while there are no keys, and recovers', async () => {
    const one = await provider();
    one.answer = (response) => response.writeHead(500).end();
    const stop = listen();
    const app = tokens(one, { cooldownMs: 0 });
    const token = await sign(rsa, {});
    const response = await app.fetch(
      new Request('http://x/', { headers: { authorization: `Bearer ${token}` } }),
    );
    expect([response.status, response.headers.has('retry-after')]).toEqual([503, true]);
    stop();
    one.answer = undefined;
    expect(await status(app, token)).toBe(200);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['never answers', () => {}],
    ['never ends its answer', (response) => void response.write('{"keys":[')],
    [
      'answers without end',
      function pour(response) {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', () => pour(response));
      },
    ],
    ['answers something else', (response) => void response.end('<html>')],
    ['answers a list', (response) => void response.end('[]')],
    ['answers no keys', (response) => void response.end('{"keys":1}')],
    ['redirects', (response) => void response.writeHead(302, { location: '/keys' }).end()],
  ])('is 503 if the provider %s', async (_, answer) => {
    const one = await provider();
    one.answer = answer;
    const stop = listen();
    expect(await status(tokens(one, { timeoutMs: 200 }), sign(rsa, {}))).toBe(503);
    stop();
  });

  it('delays nobody whose key is known while the provider is slow', async () => {
    const one = await provider();
    const app = tokens(one, { cacheMaxAgeMs: 0, cooldownMs: 0 });
    const token = await sign(rsa, {});
    expect(await status(app, token)).toBe(200);
    const held: ServerResponse[] = [];
    one.answer = (response) => void held.push(response);
    expect(await Promise.all([status(app, token), status(app, token)])).toEqual([200, 200]);
    const unknown = status(app, sign(next, {}));
    expect(await status(app, token)).toBe(200);
    await vi.waitFor(() => expect(held.length).toBe(1));
    one.answer = undefined;
    held[0]?.end(JSON.stringify({ keys: [next.jwk, rsa.jwk] }));
    expect(await unknown).toBe(200);
  });
});

describe('RemoteKeys', () => {
  const set = { keys: [rsa.jwk] };

  it('keeps keys for ten minutes and a day, and fetches at most twice a minute, if nothing else is said', async () => {
    let nowMs = 0;
    let isAway = false;
    const fetches: number[] = [];
    const timeouts = vi.spyOn(AbortSignal, 'timeout');
    const stop = listen();
    const keys = new RemoteKeys(
      async () => {
        fetches.push(nowMs);
        if (isAway) throw new Error('away');
        return set;
      },
      {},
      () => nowMs,
    );
    const first = await keys.present();
    expect(timeouts.mock.calls).toEqual([[5_000]]);
    nowMs = 29_999;
    expect(await keys.newerThan(first)).toBeUndefined();
    nowMs = 30_000;
    const second = await keys.newerThan(first);
    expect(second).toBeDefined();
    // Those that are newer already are given at once.
    expect(await keys.newerThan(first)).toBe(second);
    nowMs = 60_000;
    expect(await keys.newerThan(first)).toBe(second);
    nowMs = 30_000 + 599_999;
    expect(await keys.present()).toBe(second);
    isAway = true;
    nowMs = 30_000 + 600_000;
    expect(await keys.present()).toBe(second);
    await vi.waitFor(() => expect(fetches).toEqual([0, 30_000, 630_000]));
    nowMs = 30_000 + 600_000 + 86_400_000 - 1;
    expect(await keys.present()).toBe(second);
    nowMs += 1;
    await expect(keys.present()).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '30' } });
    stop();
    timeouts.mockRestore();
  });

  it('fetches again when the keys are old, and gives them up after the longest time', async () => {
    let nowMs = 0;
    let isAway = false;
    let fetches = 0;
    const stop = listen();
    const keys = new RemoteKeys(
      async () => {
        fetches += 1;
        if (isAway) throw new Error('away');
        return set;
      },
      { cacheMaxAgeMs: 1000, cooldownMs: 100, maxStaleMs: 5000 },
      () => nowMs,
    );
    const first = await keys.present();
    nowMs = 999;
    expect(await keys.present()).toBe(first);
    expect(fetches).toBe(1);
    nowMs = 1000;
    expect(await keys.present()).toBe(first);
    await vi.waitFor(async () => expect(await keys.present()).not.toBe(first));
    expect(fetches).toBe(2);
    isAway = true;
    nowMs = 6999;
    const last = await keys.present();
    nowMs = 7000;
    await expect(keys.present()).rejects.toMatchObject({ status: 503 });
    isAway = false;
    await expect(keys.present()).rejects.toMatchObject({ status: 503 });
    nowMs = 7100;
    expect(await keys.present()).not.toBe(last);
    stop();
  });
});
