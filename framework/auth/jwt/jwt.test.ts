import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App, ConfigError, Cookie, Principal, toNodeHandler } from '../../index.js';
import { openApiFromApp } from '../../rpc/index.js';
import { Claims, Jwt } from './index.js';

const secret = 'a secret of at least 32 bytes, really';
const now = Math.floor(Date.now() / 1000);
const good = { sub: 'u1', exp: now + 600 };

function part(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

/** A token with a header and a payload of any kind, and a right signature. */
function signed(header: unknown, payload: unknown, key = secret, hash = 'sha256'): string {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`;
}

const hs256 = { alg: 'HS256', typ: 'JWT' };

function appWith(jwt: Jwt<Principal | undefined> = Jwt.hs256(secret)): App {
  return new App()
    .use(jwt.build())
    .get('/', (ctx) => ({ claims: ctx.jwtClaims() ?? null, who: ctx.principal() ?? null }));
}

async function ask(app: App, token: string, scheme = 'Bearer'): Promise<Response> {
  return app.fetch(new Request('http://x/', { headers: { authorization: `${scheme} ${token}` } }));
}

describe('Jwt.hs256', () => {
  it('signs tokens that it accepts, with claims and principal on the context', async () => {
    const jwt = Jwt.hs256(secret).issuer('shop').audience('web').expiresIn(60);
    const response = await ask(appWith(jwt), jwt.sign({ sub: 'u1', scope: 'a b' }));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      claims: {
        sub: 'u1',
        scope: 'a b',
        iss: 'shop',
        aud: 'web',
        iat: expect.any(Number),
        exp: expect.any(Number),
      },
      who: { id: 'u1', scopes: ['a', 'b'] },
    });
  });

  it('accepts the example of RFC 7515, appendix A.1, but for its expiry', async () => {
    const key = Buffer.from(
      'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
      'base64url',
    );
    const token =
      'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const response = await ask(appWith(Jwt.hs256(key)), token);
    expect(await response.json()).toMatchObject({ message: 'the token has expired' });
    const tampered = await ask(appWith(Jwt.hs256(key)), token.replace('dBjftJeZ4', 'dBjftJeZ5'));
    expect(await tampered.json()).toMatchObject({ message: 'the token is not valid' });
  });

  const rightly = signed(hs256, good);
  const [head = '', payload = '', mac = ''] = rightly.split('.');
  const pem = '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----';
  const rightlySigned = (text: string) =>
    `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  const none = (alg: string) => `${part({ alg, typ: 'JWT' })}.${payload}.`;
  const hostile: Record<string, string> = {
    'alg none': none('none'),
    'alg None': none('None'),
    'alg NONE': none('NONE'),
    'alg nOnE': none('nOnE'),
    'alg none with the old signature': `${part({ alg: 'none' })}.${payload}.${mac}`,
    'alg none, rightly signed': signed({ alg: 'none' }, good),
    'alg hs256': signed({ alg: 'hs256' }, good),
    'alg HS512': signed({ alg: 'HS512' }, good, secret, 'sha512'),
    'alg HS384': signed({ alg: 'HS384' }, good, secret, 'sha384'),
    'alg RS256 with an HMAC': signed({ alg: 'RS256' }, good),
    'alg ES256 with an HMAC': signed({ alg: 'ES256' }, good),
    'no alg': signed({ typ: 'JWT' }, good),
    'alg as a list': signed({ alg: ['HS256'] }, good),
    'alg in another case': signed({ ALG: 'HS256' }, good),
    'two algs, the last one none': signed('{"alg":"HS256","alg":"none"}', good),
    'an HMAC with a public key': signed(hs256, good, pem),
    'another secret': signed(hs256, good, 'another secret of at least 32 bytes!'),
    'an empty secret': signed(hs256, good, ''),
    'crit of an unknown extension': signed({ ...hs256, crit: ['exp'], exp: 1 }, good),
    'an empty crit': signed({ ...hs256, crit: [] }, good),
    'b64 false': signed({ ...hs256, b64: false, crit: ['b64'] }, good),
    'b64 true': signed({ ...hs256, b64: true }, good),
    zip: signed({ ...hs256, zip: 'DEF' }, good),
    'a token in a token': signed({ ...hs256, cty: 'JWT' }, rightly),
    'typ of another kind': signed({ ...hs256, typ: 'dpop+jwt' }, good),
    'typ that is not a string': signed({ ...hs256, typ: 1 }, good),
    'typ as a list': signed({ ...hs256, typ: ['JWT'] }, good),
    'typ that begins like a good one': signed({ ...hs256, typ: 'JWTS' }, good),
    'typ that ends like a good one': signed({ ...hs256, typ: 'x-JWT' }, good),
    'a header of other characters': rightlySigned(`${part({ alg: 'HS256' })}~.${payload}`),
    'a header of a length that bytes cannot have': rightlySigned(
      `${part({ alg: 'HS256', a: 1 })}A.${payload}`,
    ),
    'claims of other characters': rightlySigned(`${head}.~${payload}`),
    'two parts': `${head}.${payload}`,
    'one part': head,
    'four parts': `${rightly}.${mac}`,
    'five parts, as of JWE': `${rightly}.${mac}.${mac}`,
    'an empty signature': `${head}.${payload}.`,
    'a cut signature': rightly.slice(0, -1),
    'a signature with padding': `${rightly}=`,
    'a signature in base64': `${head}.${payload}.${Buffer.from(mac, 'base64url').toString('base64')}`,
    'a signature of other spelling': `${rightly.slice(0, -1)}${String.fromCharCode(rightly.charCodeAt(rightly.length - 1) + 1)}`,
    'another payload': `${head}.${part({ ...good, sub: 'admin' })}.${mac}`,
    'an empty payload': `${head}..${mac}`,
    'an empty header': `.${payload}.${mac}`,
    'a header that is a list': signed(['HS256'], good),
    'a header that is null': signed('null', good),
    'a header that is not JSON': signed('{alg:HS256}', good),
    'claims that are a list': signed(hs256, [good]),
    'claims that are a string': signed(hs256, '"claims"'),
    'claims that are null': signed(hs256, 'null'),
    'claims that are not JSON': signed(hs256, '{'),
    'claims that are not UTF-8': (() => {
      const text = `${head}.${Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    })(),
    'claims after a byte order mark': signed(hs256, `\uFEFF${JSON.stringify(good)}`),
    'no exp': signed(hs256, { sub: 'u1' }),
    'exp now': signed(hs256, { exp: now }),
    'exp long ago': signed(hs256, { exp: 0 }),
    'a negative exp': signed(hs256, { exp: -1e300 }),
    'exp as a string': signed(hs256, { exp: String(now + 600) }),
    'exp null': signed(hs256, { exp: null }),
    'exp true': signed(hs256, { exp: true }),
    'exp as a list': signed(hs256, { exp: [now + 600] }),
    'an infinite exp': signed(hs256, '{"exp":1e999}'),
    'two exps, the last one in the past': signed(hs256, `{"exp":${now + 600},"exp":1}`),
    'exp in another case': signed(hs256, { EXP: now + 600 }),
    'exp of the prototype': signed(hs256, `{"__proto__":{"exp":${now + 600}}}`),
    'nbf in the future': signed(hs256, { ...good, nbf: now + 300 }),
    'nbf as a string': signed(hs256, { ...good, nbf: '0' }),
    'iat as a string': signed(hs256, { ...good, iat: '0' }),
    'iss as a list': signed(hs256, { ...good, iss: ['shop'] }),
    'sub as a number': signed(hs256, { ...good, sub: 1 }),
    'sub as an object': signed(hs256, { ...good, sub: { toString: 'u1' } }),
    'an audience without one that is set': signed(hs256, { ...good, aud: 'elsewhere' }),
    'aud as an object': signed(hs256, { ...good, aud: {} }),
    'aud as a list of numbers': signed(hs256, { ...good, aud: [1] }),
    '100 KB': signed(hs256, { ...good, more: 'a'.repeat(100_000) }),
    '5,000 nested lists': signed(hs256, `{"exp":1,"a":${'['.repeat(3000)}${']'.repeat(3000)}}`),
    'a space inside': `${head} .${payload}.${mac}`,
    'a line feed in base64url': `${head}.${payload}%0a.${mac}`,
  };
  it.each(Object.entries(hostile))('refuses %s', async (_, token) => {
    const response = await ask(appWith(), token);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(await response.json()).toMatchObject({ error: 'Unauthorized' });
    const optional = await ask(appWith(Jwt.hs256(secret).optional()), token);
    expect(await optional.json()).toEqual({ claims: null, who: null });
  });

  it.each<[string, unknown, string]>([
    ['has no expiry', { sub: 'u1' }, 'the token has no expiry'],
    ['has an expiry of another type', { exp: '9' }, 'the expiry is not a number'],
    ['has expired', { exp: 1 }, 'the token has expired'],
    ['has claims that are a text', '"claims"', 'the token is not valid'],
    ['has claims that are a number', '7', 'the token is not valid'],
  ])('says that a token %s', async (_, claims, message) => {
    expect(await (await ask(appWith(), signed(hs256, claims))).json()).toMatchObject({ message });
  });

  it('is not taken any more at the second of its expiry, and is at that of its beginning', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 });
    try {
      const status = async (claims: object) => (await ask(appWith(), signed(hs256, claims))).status;
      expect(await status({ exp: now })).toBe(401);
      expect(await status({ exp: now + 0.001 })).toBe(200);
      expect(await status({ ...good, nbf: now })).toBe(200);
      expect(await status({ ...good, nbf: now + 0.001 })).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each<[string, unknown, unknown]>([
    ['no typ', { alg: 'HS256' }, good],
    ['typ at+jwt', { alg: 'HS256', typ: 'at+jwt' }, good],
    ['typ application/jwt', { alg: 'HS256', typ: 'application/JWT' }, good],
    [
      'a kid, which names no file and no address',
      { ...hs256, kid: '../../dev/null', jku: 'http://evil/' },
      good,
    ],
    ['a fraction of a second', hs256, { ...good, exp: now + 600.5 }],
    ['nbf in the past', hs256, { ...good, nbf: now - 1 }],
    ['iat in the future', hs256, { ...good, iat: now + 300 }],
    ['the end of time', hs256, { ...good, exp: Number.MAX_VALUE }],
    ['no sub', hs256, { exp: now + 600 }],
  ])('accepts %s', async (_, header, claims) => {
    const response = await ask(appWith(), signed(header, claims));
    expect(await response.json()).toMatchObject({ claims: claims as object });
  });

  it('allows clocks that differ by the leeway, and no more', async () => {
    const app = appWith(Jwt.hs256(secret).leeway(60));
    expect((await ask(app, signed(hs256, { exp: now - 30 }))).status).toBe(200);
    expect((await ask(app, signed(hs256, { exp: now - 90 }))).status).toBe(401);
    expect((await ask(app, signed(hs256, { ...good, nbf: now + 30 }))).status).toBe(200);
    expect((await ask(app, signed(hs256, { ...good, nbf: now + 90 }))).status).toBe(401);
  });

  it('lets what a request has opened live as long as the leeway lets its token in', async () => {
    const expiries = async (jwt: Jwt) => {
      const app = new App()
        .use(jwt.build())
        .get('/', (ctx) => ctx.credentials.map(({ expiresAtMs }) => expiresAtMs));
      return (await ask(app, signed(hs256, good))).json();
    };
    expect(await expiries(Jwt.hs256(secret))).toEqual([good.exp * 1000]);
    expect(await expiries(Jwt.hs256(secret).leeway(60))).toEqual([(good.exp + 60) * 1000]);
  });

  it('says how a token ends, and whether a browser sends it by itself', async () => {
    const app = new App()
      .use(Jwt.hs256(secret).fromBearer().fromCookie('token').build())
      .get('/', (ctx) => [...ctx.credentials])
      .get('/admin', (ctx) => ctx.requireScope('admin').id);
    const token = signed(hs256, good);
    const asked = (path: string, headers: Record<string, string>) =>
      app.fetch(new Request(`http://x${path}`, { headers }));
    const inField = { authorization: `Bearer ${token}` };
    const inCookie = { cookie: `token=${token}` };
    const common = { expiresAtMs: good.exp * 1000, ending: 'the token has expired' };
    expect(await (await asked('/', inField)).json()).toEqual([
      { ...common, scheme: 'Bearer', isCookie: false },
    ]);
    expect(await (await asked('/', inCookie)).json()).toEqual([{ ...common, isCookie: true }]);
    // The challenge says how to send a better one, which a cookie is not.
    const challenge = async (headers: Record<string, string>) => {
      const response = await asked('/admin', headers);
      return [response.status, response.headers.get('www-authenticate')];
    };
    expect(await challenge(inField)).toEqual([403, 'Bearer error="insufficient_scope", scope="admin"']);
    expect(await challenge(inCookie)).toEqual([403, null]);
  });

  it('takes tokens of up to 8,192 characters, in whatever place', async () => {
    const tokenOf = (length: number) => {
      const room = length - part(hs256).length - '..'.length - 43;
      const pad = Math.floor((room * 3) / 4) - JSON.stringify({ ...good, pad: '' }).length;
      return signed(hs256, { ...good, pad: 'x'.repeat(pad) });
    };
    const app = appWith(Jwt.hs256(secret).fromBearer().fromCookie('token'));
    for (const [length, status] of [
      [8_192, 200],
      [8_193, 401],
    ] as const) {
      const token = tokenOf(length);
      expect(token).toHaveLength(length);
      expect((await ask(app, token)).status).toBe(status);
      const cookie = await app.fetch(new Request('http://x/', { headers: { cookie: `token=${token}` } }));
      expect(cookie.status).toBe(status);
    }
  });

  it('holds tokens to issuer and audience', async () => {
    const app = appWith(Jwt.hs256(secret).issuer('shop').audience(['web', 'app']));
    const status = async (claims: object) => (await ask(app, signed(hs256, { ...good, ...claims }))).status;
    expect(await status({ iss: 'shop', aud: 'web' })).toBe(200);
    expect(await status({ iss: 'shop', aud: ['x', 'app'] })).toBe(200);
    expect(await status({ iss: 'shop' })).toBe(401);
    expect(await status({ aud: 'web' })).toBe(401);
    expect(await status({ iss: 'Shop', aud: 'web' })).toBe(401);
    expect(await status({ iss: 'shop', aud: 'we' })).toBe(401);
    expect(await status({ iss: 'shop', aud: ['web', 1] })).toBe(401);
    expect(await status({ iss: 'shop', aud: [] })).toBe(401);
  });

  it.each<[unknown, string[]]>([
    [{ scope: 'a b' }, ['a', 'b']],
    [{ scope: ' a  b ' }, ['a', 'b']],
    [{ scopes: ['a', 'b'] }, ['a', 'b']],
    [{ scp: 'a b' }, ['a', 'b']],
    [{ scope: 'a', scopes: ['b'], scp: ['c', 'a'] }, ['a', 'b', 'c']],
    [{ scope: ['a'] }, []],
    [{ scope: ['a'], scp: 'b' }, ['b']],
    [{ scope: 'a\tb' }, ['a\tb']],
    [{ scopes: [1, null, 'b', ''] }, ['b']],
    [{ scopes: { a: true } }, []],
  ])('reads the scopes of %j', async (claims, scopes) => {
    const response = await ask(appWith(), signed(hs256, { ...good, ...(claims as object) }));
    expect(await response.json()).toMatchObject({ who: { id: 'u1', scopes } });
  });

  it('keeps what it was given, also if the lists change later', async () => {
    const [issuers, audiences] = [['shop'], ['web']];
    const app = appWith(Jwt.hs256(secret).issuer(issuers).audience(audiences));
    issuers.push('evil');
    audiences.push('evil');
    const status = async (claims: object) => (await ask(app, signed(hs256, { ...good, ...claims }))).status;
    expect(await status({ iss: 'shop', aud: 'web' })).toBe(200);
    expect(await status({ iss: 'evil', aud: 'web' })).toBe(401);
    expect(await status({ iss: 'shop', aud: 'evil' })).toBe(401);
  });

  it('signs what it is given, and adds the rest in whatever order it was set', async () => {
    const claimsOf = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
    const jwt = Jwt.hs256(secret).expiresIn(60).issuer(['shop', 'old shop']).audience(['web', 'app']);
    const made = claimsOf(jwt.sign({ sub: 'u1' }));
    expect(made).toMatchObject({ sub: 'u1', iss: 'shop', aud: 'web' });
    // In seconds.
    expect(Number(made.iat)).toBeGreaterThanOrEqual(now);
    expect(Number(made.iat)).toBeLessThan(now + 3_600);
    expect(Number(made.exp) - Number(made.iat)).toBe(60);
    const own = { iss: 'old shop', aud: ['app'], iat: now - 5, exp: now + 900 };
    expect(claimsOf(jwt.sign(own))).toEqual(own);
    expect((await ask(appWith(jwt), jwt.sign(own))).status).toBe(200);
  });

  it('signs with the first secret, and accepts the others too', async () => {
    const old = 'an older secret of at least 32 bytes!!';
    const both = appWith(Jwt.hs256([secret, old]));
    expect((await ask(both, signed(hs256, good, old))).status).toBe(200);
    expect((await ask(appWith(), Jwt.hs256([secret, old]).sign(good))).status).toBe(200);
  });
});

describe('where tokens come from', () => {
  const token = signed(hs256, good);

  it.each(['Basic', 'Digest', 'Bearerx', 'ApiKey'])('is not the scheme %s', async (scheme) => {
    const response = await ask(appWith(), token, scheme);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('takes the scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer '])
      expect((await ask(appWith(), token, scheme)).status).toBe(200);
  });

  it.each([
    'Bearer',
    'Bearer ',
    `Bearer\t${token}`,
    `Bearer ${token} x`,
    `Bearer x ${token}`,
    `Bearer ${token},`,
    `Bearer "${token}"`,
  ])('refuses %j', async (authorization) => {
    const response = await appWith().fetch(new Request('http://x/', { headers: { authorization } }));
    expect(response.status).toBe(401);
  });

  it('reads a cookie, or both, the field first', async () => {
    const cookie = new Cookie('token', token).toString().split(';')[0] as string;
    const fromCookie = appWith(Jwt.hs256(secret).fromCookie('token'));
    const send = (app: App, headers: Record<string, string>) =>
      app.fetch(new Request('http://x/', { headers }));
    expect((await send(fromCookie, { cookie })).status).toBe(200);
    expect((await send(fromCookie, { authorization: `Bearer ${token}` })).status).toBe(401);
    const both = appWith(Jwt.hs256(secret).fromCookie('token').fromBearer());
    expect((await send(both, { cookie })).status).toBe(200);
    expect((await send(both, { cookie, authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await send(both, { cookie: 'token=wrong', authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await send(both, { cookie: 'Token=wrong; __Host-token=x' })).status).toBe(401);
    // An empty cookie is none.
    const cookieFirst = appWith(Jwt.hs256(secret).fromCookie('other').fromCookie('token'));
    expect((await send(cookieFirst, { cookie: `other=; ${cookie}` })).status).toBe(200);
    expect((await send(cookieFirst, { cookie: `other=x; ${cookie}` })).status).toBe(401);
  });

  it('takes neither of two cookies, one of which another site of the domain may have planted', async () => {
    const app = appWith(Jwt.hs256(secret).fromCookie('token'));
    const status = async (cookie: string) =>
      (await app.fetch(new Request('http://x/', { headers: { cookie } }))).status;
    const other = signed(hs256, { ...good, sub: 'eve' });
    expect(await status(`token=${token}; token=${token}`)).toBe(200);
    for (const cookie of [`token=${token}; token=${other}`, `token=${other}; token=${token}`]) {
      expect(await status(cookie)).toBe(401);
    }
  });

  it('is a scheme of documents, for each place', () => {
    const schemesOf = (jwt: Jwt) =>
      openApiFromApp(
        new App().get('/', jwt.build(), () => 'x'),
        { title: 'T', version: '1' },
      ).toJSON();
    const bearer = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' };
    const tokenCookie = { type: 'apiKey', in: 'cookie', name: 'token' };
    const jwt = Jwt.hs256(secret);
    expect(schemesOf(jwt).components?.securitySchemes).toEqual({ bearer });
    expect(schemesOf(jwt.fromCookie('token')).components?.securitySchemes).toEqual({ tokenCookie });
    const both = schemesOf(jwt.fromCookie('token').fromBearer());
    expect(both.components?.securitySchemes).toEqual({ bearer, tokenCookie });
    expect(both.paths['/']?.get?.security).toEqual([{ bearer: [] }, { tokenCookie: [] }]);
  });

  it.each<[string, (app: App) => Promise<{ port: number; close(): unknown }>]>([
    ['listen', (app) => app.listen(0)],
    [
      // If a request has the field twice, such a server takes the first one.
      'a server of its own',
      async (app) => {
        const server = createServer(toNodeHandler(app)).listen(0);
        await once(server, 'listening');
        return { port: (server.address() as AddressInfo).port, close: () => server.close() };
      },
    ],
  ])('refuses two Authorization fields, over a socket of %s', async (_, open) => {
    const server = await open(appWith());
    try {
      const send = async (fields: readonly string[]): Promise<string> => {
        const socket = connect(server.port, '127.0.0.1');
        socket.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${fields.join('\r\n')}\r\n\r\n`);
        let text = '';
        socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        await once(socket, 'close');
        return text.slice(0, 12);
      };
      expect(await send([`Authorization: Bearer ${token}`])).toBe('HTTP/1.1 200');
      expect(await send([`Authorization: Bearer ${token}`, 'Authorization: Bearer x'])).toBe('HTTP/1.1 401');
      expect(await send([`Authorization: Bearer ${token}`, 'authorization: Basic x'])).toBe('HTTP/1.1 401');
      expect(await send(['Authorization: Basic x', `AUTHORIZATION: Bearer ${token}`])).toBe('HTTP/1.1 401');
    } finally {
      await server.close();
    }
  });
});

describe('ctx.jwt', () => {
  const User = z.object({ sub: z.string(), tenant: z.string() });
  const app = new App()
    .use(Jwt.hs256(secret).optional().build())
    .get('/', Claims(User), ({ tenant }) => ({ tenant }))
    .get('/me', Principal, ({ id }) => ({ id }));

  it('parses the claims by a schema', async () => {
    expect(await (await ask(app, signed(hs256, { ...good, tenant: 't1' }))).json()).toEqual({ tenant: 't1' });
  });

  it('is 401 without a token, and for claims of another shape', async () => {
    const without = await app.fetch(new Request('http://x/'));
    expect(without.status).toBe(401);
    expect(await without.json()).toEqual({ error: 'Unauthorized', message: 'authentication is required' });
    const other = await ask(app, signed(hs256, good));
    expect(other.status).toBe(401);
    expect(await other.json()).toMatchObject({ message: expect.stringContaining('claim tenant') });
  });
});

describe('a wrong configuration', () => {
  it.each([
    [() => Jwt.hs256(undefined), /is missing.*randomBytes/],
    [() => Jwt.hs256(''), /has 0 bytes; it needs at least 32/],
    [() => Jwt.hs256('a'.repeat(31)), /has 31 bytes/],
    [() => Jwt.hs256(new Uint8Array(31)), /has 31 bytes/],
    [() => Jwt.hs256([]), /is missing/],
    [() => Jwt.hs256(null as never), /is missing/],
    [() => Jwt.hs256([secret, 'old']), /has 3 bytes/],
    [() => Jwt.hs256(7 as never), /of type number/],
    [() => Jwt.hs256(secret).leeway(-1), /leeway is -1; give a number of seconds from 0 to 3600/],
    [() => Jwt.hs256(secret).leeway(3_601), /leeway is 3601; give/],
    [() => Jwt.hs256(secret).leeway(Number.NaN), /leeway is NaN; give/],
    [() => Jwt.hs256(secret).expiresIn(0), /lifetime is 0; give a number of seconds above 0/],
    [() => Jwt.hs256(secret).expiresIn(Number.POSITIVE_INFINITY), /lifetime is Infinity; give/],
    [() => Jwt.hs256(secret).issuer(''), /the issuer is ''/],
    [() => Jwt.hs256(secret).issuer([]), /the issuer/],
    [() => Jwt.hs256(secret).audience(['web', '']), /the audience/],
    [() => Jwt.hs256(secret).fromCookie('a b'), /the name of the cookie is 'a b'/],
    [() => (Jwt.hs256 as (...args: unknown[]) => Jwt)(secret, 'old'), /give several secrets as a list/],
  ])('is refused with the remedy', (make, message) => {
    expect(make).toThrow(message);
    expect(make).toThrow(ConfigError);
  });

  it('takes the largest leeway, the least lifetime and the shortest secret', () => {
    const jwt = Jwt.hs256('a'.repeat(32)).leeway(3_600).leeway(0).expiresIn(Number.MIN_VALUE);
    expect(jwt.build()).toBeTypeOf('function');
    expect(Jwt.hs256(new Uint8Array(32)).build()).toBeTypeOf('function');
  });

  it('never shows the secret', () => {
    expect(() => Jwt.hs256('the short secret')).toThrow(/^(?!.*the short).*$/s);
  });

  it('does not sign a token without an expiry', () => {
    expect(() => Jwt.hs256(secret).sign({ sub: 'u1' })).toThrow(
      /'exp' is undefined; call expiresIn\(seconds\)/,
    );
    expect(() => Jwt.hs256(secret).sign({ exp: '9' })).toThrow(/'exp' is 9/);
    expect(() => Jwt.hs256(secret).sign({ exp: Number.NaN })).toThrow(/'exp' is NaN/);
  });
});
