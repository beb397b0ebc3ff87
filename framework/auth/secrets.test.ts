// What the mechanisms of authentication say is secret, so that `fw dev` shows none of it.
import diagnostics from 'node:diagnostics_channel';
import { afterEach, describe, expect, it } from 'vitest';
import { TrialBrowser } from '../conformance/oidc/trial-browser.js';
import { TrialProvider } from '../conformance/oidc/trial-provider.js';
import { closeShops, shop } from '../conformance/oidc/trial-shop.js';
import { App } from '../index.js';
import { MemoryStore, session } from '../session/index.js';
import { ApiKeys, MemoryTokenStore, OneTimeTokens, RefreshTokens } from './accounts/index.js';
import { ApiKey, apiKey, generateApiKey, StaticKeys } from './api-key/index.js';
import { authenticate } from './authenticate.js';
import { Jwt } from './jwt/index.js';
import { oidcSignIn, type SignedIn } from './oidc/index.js';
import { hashPassword, verifyPassword } from './password/index.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Hears what is secret: places at registration, and values. */
function heard() {
  const places: unknown[] = [];
  const values: string[] = [];
  const onPlace = (place: unknown) => void places.push(place);
  const onTrace = (message: unknown) => {
    const { type, value } = message as { type: string; value?: string };
    if (type === 'secret' && value !== undefined) values.push(value);
  };
  diagnostics.subscribe('fw:secret', onPlace);
  diagnostics.subscribe('fw:trace', onTrace);
  cleanups.push(
    () => diagnostics.unsubscribe('fw:secret', onPlace),
    () => diagnostics.unsubscribe('fw:trace', onTrace),
  );
  return { places, values };
}

const jwt = Jwt.hs256('a secret of at least 32 bytes, really');
const keys = new StaticKeys();
const authorization = { in: 'header', name: 'authorization' };

describe('the places of secrets', () => {
  it.each<[string, () => unknown, unknown[]]>([
    ['a token', () => jwt.build(), [authorization]],
    // Cookies are all secrets.
    ['a token in a cookie', () => jwt.fromCookie('token').build(), []],
    ['a key', () => apiKey({ store: keys }), [{ in: 'header', name: 'x-api-key' }]],
    ['a key in a query', () => new ApiKey(keys).fromQuery('key').build(), [{ in: 'query', name: 'key' }]],
    [
      'one of several',
      () => authenticate(jwt.build(), apiKey({ store: keys })),
      [authorization, { in: 'header', name: 'x-api-key' }],
    ],
  ])('are those of %s', (_, make, places) => {
    const { places: found } = heard();
    make();
    expect(new Set(found.map((one) => JSON.stringify(one)))).toEqual(
      new Set(places.map((one) => JSON.stringify(one))),
    );
  });
});

describe('a value that is secret', () => {
  it('is a token that is signed, and a key that is made', () => {
    const { values } = heard();
    const made = [jwt.expiresIn(60).sign({ sub: 'ada' }), generateApiKey('shop')];
    expect(values).toEqual(made);
  });

  it('is a token of an account that is made or presented', async () => {
    const store = new MemoryTokenStore();
    const links = new OneTimeTokens({ store, purpose: 'reset-password' });
    const sessions = new RefreshTokens({ store });
    const { values } = heard();
    const token = await links.issue('ada');
    const { refreshToken } = await sessions.issue('ada');
    const { key } = await new ApiKeys({ store, prefix: 'shop' }).create('ada');
    expect(values.splice(0)).toEqual([token, refreshToken, key]);
    const presented = ['a'.repeat(43), 'b'.repeat(43), 'c'.repeat(43)] as const;
    await links.find(presented[0]);
    await links.redeem(presented[1]);
    await expect(sessions.rotate(presented[2])).rejects.toThrow('does not work');
    expect(values).toEqual(presented);
  });

  it('is a password that is hashed or verified', async () => {
    const { values } = heard();
    await hashPassword('correct horse');
    await verifyPassword('battery staple', undefined);
    expect(values).toEqual(['correct horse', 'battery staple']);
  });

  it('is what a sign-in with a provider begins with and gets back', async () => {
    const provider = await new TrialProvider().start();
    cleanups.push(() => provider.kill());
    const { places, values } = heard();
    const redirectUri = 'https://shop.example/auth/callback';
    const oidc = await oidcSignIn({ issuer: provider.issuer, clientId: 'shop', redirectUri });
    expect(places).toEqual(['code', 'state'].map((name) => ({ in: 'query', name, path: '/auth/callback' })));
    const app = new App()
      .use(session(new MemoryStore()))
      .get('/sign-in', oidc.signIn)
      .get('/behind/a/proxy', oidc.callback);
    const started = await app.fetch(new Request('https://shop.example/sign-in'));
    const sent = new URL(started.headers.get('location') ?? '').searchParams;
    const cookie = /__Host-oidc-[\w-]{12}=([\w-]+)/.exec(started.headers.getSetCookie().join())?.[1] ?? '';
    const { state, nonce, verifier } = JSON.parse(Buffer.from(cookie, 'base64url').toString());
    expect([sent.get('state'), sent.get('nonce')]).toEqual([state, nonce]);
    expect(values).toEqual(expect.arrayContaining([state, nonce, verifier]));
    await app.fetch(new Request('https://shop.example/behind/a/proxy?code=the-code&state=the-state'));
    expect(values).toEqual(expect.arrayContaining(['the-code', 'the-state']));
  });

  it('is what a provider gives for the code', async () => {
    let given: SignedIn | undefined;
    const one = await shop({
      onSignIn(signedIn) {
        given = signedIn;
        return { userId: signedIn.claims.sub };
      },
    });
    cleanups.push(closeShops);
    const { values } = heard();
    expect((await new TrialBrowser().walk(`${one.url}/auth/sign-in`)).text).toBe('home of ada');
    expect(values).toEqual(expect.arrayContaining([given?.accessToken, given?.idToken]));
  });
});
