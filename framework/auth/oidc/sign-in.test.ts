import { afterEach, describe, expect, it } from 'vitest';
import { App } from '../../index.js';
import { MemoryStore, session } from '../../session/index.js';
import { type OidcSignIn, type OidcSignInOptions, oidcSignIn } from './index.js';
import { TrialBrowser } from './trial-browser.js';
import { CLIENT, TrialProvider } from './trial-provider.js';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

interface Shop {
  readonly url: string;
  readonly provider: TrialProvider;
}

/** An application behind a guard, whose people sign in with a provider. */
async function shop(options: Partial<OidcSignInOptions> = {}): Promise<Shop> {
  const provider = await new TrialProvider().start();
  open.push({ close: () => provider.kill() });
  let oidc: OidcSignIn | undefined;
  const app = new App()
    .use(session(new MemoryStore(), { secure: false }))
    .requireAuth({ except: ['/auth/sign-in', '/auth/callback', '/bye', '/cart'] })
    .get('/auth/sign-in', (ctx) => oidc?.signIn(ctx))
    .get('/auth/callback', (ctx) => oidc?.callback(ctx))
    .post('/auth/sign-out', (ctx) => oidc?.signOut(ctx))
    .get('/bye', () => 'bye')
    .get('/', (ctx) => `home of ${ctx.requireAuth().id}`)
    .get('/orders', (ctx) => `orders of ${ctx.requireAuth().id}, for ${ctx.req.query('page')}`)
    .get('/admin', (ctx) => ctx.requireScope('admin').id)
    .get('/cart', (ctx) => `cart: ${ctx.session().get('cart')}`)
    .post('/cart', (ctx) => ctx.session().set('cart', 'book'));
  const server = await app.listen(0);
  open.push(server);
  const url = `http://127.0.0.1:${server.port}`;
  provider.register(`${url}/auth/callback`, `${url}/bye`);
  oidc = await oidcSignIn({
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    redirectUri: `${url}/auth/callback`,
    ...options,
  });
  return { url, provider };
}

/** Walks until the provider sends the browser back: the address of the callback. */
const isSignedIn = async ({ url }: Shop, browser: TrialBrowser) =>
  (await browser.open(`${url}/`)).status === 200;

describe('a sign-in with a provider', () => {
  it('ends up where it began, as the account of the provider', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    expect((await browser.open(`${one.url}/orders`)).status).toBe(401);
    const page = await browser.walk(
      `${one.url}/auth/sign-in?return_to=${encodeURIComponent('/orders?page=2')}`,
    );
    expect([page.status, page.text]).toEqual([200, 'orders of ada, for 2']);
    expect(browser.cookies.has(`${one.url} oidc`)).toBe(false);
  });

  it('asks with a code, PKCE, state and nonce, which are new each time', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    const pages = [
      await browser.open(`${one.url}/auth/sign-in`),
      await browser.open(`${one.url}/auth/sign-in`),
    ];
    const [first, second] = pages.map(({ location }) => new URL(location ?? '').searchParams);
    expect(Object.fromEntries(first ?? [])).toMatchObject({
      client_id: CLIENT.id,
      response_type: 'code',
      scope: 'openid',
      code_challenge_method: 'S256',
      redirect_uri: `${one.url}/auth/callback`,
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first?.get(name)?.length).toBeGreaterThanOrEqual(43);
      expect(first?.get(name)).not.toBe(second?.get(name));
    }
    // The verifier is for the server alone.
    expect(pages[0]?.location).not.toContain('verifier');
  });

  it('works for a public client', async () => {
    const one = await shop({ clientId: 'page', clientSecret: undefined });
    expect((await new TrialBrowser().walk(`${one.url}/auth/sign-in`)).text).toBe('home of ada');
  });

  it('gives the session another id, so that a planted one is worthless, and keeps its values', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    await browser.open(`${one.url}/cart`, { method: 'POST' });
    const planted = new TrialBrowser();
    for (const [key, value] of browser.cookies) planted.cookies.set(key, value);
    expect((await planted.open(`${one.url}/cart`)).text).toBe('cart: book');
    await browser.walk(`${one.url}/auth/sign-in`);
    expect((await browser.open(`${one.url}/cart`)).text).toBe('cart: book');
    expect(await isSignedIn(one, browser)).toBe(true);
    expect(await isSignedIn(one, planted)).toBe(false);
    expect((await planted.open(`${one.url}/cart`)).text).toBe('cart: undefined');
  });

  it('signs out here and at the provider', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    await browser.walk(`${one.url}/auth/sign-in`);
    const page = await browser.open(`${one.url}/auth/sign-out`, { method: 'POST' });
    expect(page.status).toBe(303);
    expect(page.location).toContain(`${one.provider.issuer}/session/end?`);
    expect(await isSignedIn(one, browser)).toBe(false);
  });
});
