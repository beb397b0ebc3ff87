import { afterEach, expect, it } from 'vitest';
import { API, CLIENT, firstKey, signingKey, TrialProvider } from '../../conformance/oidc/trial-provider.js';
import { listen } from '../../conformance/oidc/trial-shop.js';
import { App } from '../../index.js';
import { Jwt } from './index.js';

const open: TrialProvider[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.kill();
});

async function provider(): Promise<TrialProvider> {
  const one = await new TrialProvider().start();
  open.push(one);
  return one;
}

/** An access token of a machine (RFC 6749, section 4.4), for an API (RFC 8707), as a JWT (RFC 9068). */
async function token({ issuer }: TrialProvider): Promise<string> {
  const basic = Buffer.from(`job:${new URLSearchParams({ '': CLIENT.secret }).toString().slice(1)}`);
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic.toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'orders:read', resource: API }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

const appFor = ({ issuer }: TrialProvider, audience = API) =>
  new App()
    .use(Jwt.oidc(issuer, { cooldownMs: 0 }).audience(audience).build())
    .get('/', (ctx) => `${ctx.requireScope('orders:read').id} ${ctx.jwtClaims()?.client_id}`);

async function answer(app: App, bearer: string): Promise<[number, string]> {
  const response = await app.fetch(
    new Request('http://x/', { headers: { authorization: `Bearer ${bearer}` } }),
  );
  return [response.status, await response.text()];
}

it('verifies the access tokens of a real provider, for the audience they are for', async () => {
  const one = await provider();
  const bearer = await token(one);
  expect(await answer(appFor(one), bearer)).toEqual([200, 'job job']);
  expect((await answer(appFor(one, 'https://other.example.com'), bearer))[0]).toBe(401);
  expect((await answer(appFor(await provider()), bearer))[0]).toBe(401);
});

it('refuses no good token while a real provider changes its keys under load', async () => {
  const one = await provider();
  const app = appFor(one);
  const second = signingKey('second');
  const statuses: number[] = [];
  for (const keys of [[firstKey], [second, firstKey], [signingKey('third'), second]]) {
    one.useKeys(keys);
    const load = Array.from({ length: 15 }, async () => {
      const bearer = await token(one);
      for (let i = 0; i < 3; i++) statuses.push((await answer(app, bearer))[0]);
    });
    await Promise.all(load);
  }
  expect(statuses).toEqual(Array.from({ length: 135 }, () => 200));
});

it('stops accepting a key that a real provider has withdrawn, once the keys are fetched', async () => {
  const one = await provider();
  const app = appFor(one);
  const old = await token(one);
  expect((await answer(app, old))[0]).toBe(200);
  one.useKeys([signingKey('second')]);
  expect((await answer(app, await token(one)))[0]).toBe(200);
  expect((await answer(app, old))[0]).toBe(401);
});

it('verifies tokens with known keys while a real provider is killed, and new ones when it is back', async () => {
  const one = await provider();
  const app = appFor(one);
  const bearer = await token(one);
  expect((await answer(app, bearer))[0]).toBe(200);
  await one.kill();
  const stop = listen();
  expect((await answer(app, bearer))[0]).toBe(200);
  expect((await answer(appFor(one), bearer))[0]).toBe(503);
  stop();
  await one.revive();
  one.useKeys([signingKey('second'), firstKey]);
  expect((await answer(app, await token(one)))[0]).toBe(200);
});

it('finds the metadata once, whether or not the issuer ends with a slash', async () => {
  for (const end of ['', '/']) {
    const one = await provider();
    const issuer = `${one.issuer}${end}`;
    one.answers.set('/.well-known/openid-configuration', (_, response) => {
      response.end(JSON.stringify({ issuer, jwks_uri: `${one.issuer}/jwks` }));
    });
    const app = new App()
      .use(Jwt.oidc(issuer, { cooldownMs: 0, cacheMaxAgeMs: 0 }).audience(API).build())
      .get('/', () => 'in');
    const bearer = await token(one);
    // A token names its issuer exactly as it is.
    expect((await answer(app, bearer))[0]).toBe(end === '' ? 200 : 401);
    await answer(app, bearer);
    await expect.poll(() => one.asked.filter((path) => path === '/jwks').length).toBe(2);
    expect(one.asked.filter((path) => path.startsWith('/.well-known'))).toEqual([
      '/.well-known/openid-configuration',
    ]);
  }
});

it('asks for the metadata again when the keys are no longer where they were', async () => {
  const one = await provider();
  const app = new App()
    .use(Jwt.oidc(one.issuer, { cooldownMs: 0 }).audience(API).build())
    .get('/', () => 'in');
  expect((await answer(app, await token(one)))[0]).toBe(200);
  const second = signingKey('second');
  one.useKeys([second, firstKey]);
  const [bearer, keys] = [await token(one), await goodKeys(one)];
  one.answers.set('/jwks', (_, response) => void response.writeHead(404).end());
  one.answers.set('/moved', (_, response) => void response.end(keys));
  one.answers.set('/.well-known/openid-configuration', (_, response) => {
    response.end(JSON.stringify({ issuer: one.issuer, jwks_uri: `${one.issuer}/moved` }));
  });
  const stop = listen();
  expect((await answer(app, bearer))[0]).toBe(401);
  stop();
  expect((await answer(app, bearer))[0]).toBe(200);
});

/** Keys that would be good but for where they are. */
const goodKeys = async ({ issuer }: TrialProvider) => (await fetch(`${issuer}/jwks`)).text();

it('refuses keys that are larger than any provider has', async () => {
  const one = await provider();
  const [bearer, keys] = [await token(one), await goodKeys(one)];
  const stop = listen();
  let padding = 600 * 1024;
  one.answers.set('/jwks', (_, response) => void response.end(keys + ' '.repeat(padding)));
  expect((await answer(appFor(one), bearer))[0]).toBe(503);
  stop();
  padding = 400 * 1024;
  expect((await answer(appFor(one), bearer))[0]).toBe(200);
});

it('lets go of the connection of an answer that it does not read', async () => {
  const one = await provider();
  const bearer = await token(one);
  let isClosed = false;
  one.answers.set('/jwks', (_, response) => {
    response.on('close', () => {
      isClosed = true;
    });
    response.writeHead(500).write('the beginning of a long text');
  });
  const stop = listen();
  const keys = Jwt.oidc(one.issuer, { timeoutMs: 3_600_000 });
  const app = new App().use(keys.audience(API).build()).get('/', () => 'in');
  expect((await answer(app, bearer))[0]).toBe(503);
  stop();
  await expect.poll(() => isClosed).toBe(true);
});

it('does not follow a redirect to other keys', async () => {
  const one = await provider();
  const [bearer, keys] = [await token(one), await goodKeys(one)];
  one.answers.set('/jwks', (_, response) => void response.writeHead(302, { location: '/moved' }).end());
  one.answers.set('/moved', (_, response) => void response.end(keys));
  const stop = listen();
  expect((await answer(appFor(one), bearer))[0]).toBe(503);
  stop();
  expect(one.asked).not.toContain('/moved');
});

it.each([
  'http://keys.example/jwks',
  'http://localhost.evil.example/jwks',
  'http://127.0.0.1.evil.example/jwks',
  'https://user:pass@keys.example/jwks',
  'file:///etc/keys',
  '/jwks',
  7,
  undefined,
])('does not fetch keys from the address %j of the metadata', async (address) => {
  const one = await provider();
  const bearer = await token(one);
  const metadata = JSON.stringify({ issuer: one.issuer, jwks_uri: address });
  one.answers.set('/.well-known/openid-configuration', (_, response) => void response.end(metadata));
  const reported: unknown[] = [];
  const stop = listen(reported);
  expect((await answer(appFor(one), bearer))[0]).toBe(503);
  stop();
  expect(String((reported[0] as Error).cause)).toContain('has no https address as jwks_uri');
});
