// OIDC: a sign-in ends at the provider that it began at, and people are sent to it by navigations alone.
import { afterEach, describe, expect, it } from 'vitest';
import { TrialBrowser } from '../../conformance/oidc/trial-browser.js';
import { CLIENT, TrialProvider } from '../../conformance/oidc/trial-provider.js';
import { closeShops, shop } from '../../conformance/oidc/trial-shop.js';
import { App, ConfigError, FwError } from '../../index.js';
import { MemoryStore, session } from '../../session/index.js';
import { oidcSignIn } from './index.js';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await closeShops();
  for (const one of open.splice(0)) await one.close();
});

/** An App with two providers. */
async function twoProviders(): Promise<{ url: string; issuers: string[] }> {
  const providers = [new TrialProvider(), new TrialProvider()];
  for (const one of providers) open.push({ close: () => one.kill() });
  const handlers: Record<string, Awaited<ReturnType<typeof oidcSignIn>>> = {};
  const app = new App()
    .use(session(new MemoryStore(), { secure: false }))
    .get('/:name/sign-in', (ctx) => handlers[ctx.req.param('name')]?.signIn(ctx))
    .get('/:name/auth/callback', (ctx) => handlers[ctx.req.param('name')]?.callback(ctx))
    .get('/me', (ctx) => ctx.principal()?.id ?? 'nobody');
  const server = await app.listen(0);
  open.push(server);
  const url = `http://127.0.0.1:${server.port}`;
  for (const [index, provider] of providers.entries()) {
    const redirectUri = `${url}/${index}/auth/callback`;
    provider.register(redirectUri, url);
    await provider.start();
    handlers[index] = await oidcSignIn({
      issuer: provider.issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      redirectUri,
    });
  }
  return { url, issuers: providers.map(({ issuer }) => issuer) };
}

describe('a sign-in that began at one provider', () => {
  it('is not finished at the callback of another', async () => {
    const { url } = await twoProviders();
    const victim = new TrialBrowser();
    const first = new URL((await victim.open(`${url}/0/sign-in`)).location ?? '');
    // The first provider is malicious: it lets the second make a code for its own account, with the victim's state.
    const attacker = new TrialBrowser();
    const started = new URL((await attacker.open(`${url}/1/sign-in`)).location ?? '');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      started.searchParams.set(name, first.searchParams.get(name) ?? '');
    }
    const stolen = await attacker.walk(started.href, (next) => next.startsWith(`${url}/1/auth/callback`));
    expect(new URL(stolen.location ?? '').searchParams.get('state')).toBe(first.searchParams.get('state'));
    const page = await victim.open(stolen.location ?? '');
    expect([page.status, page.text]).toEqual([
      400,
      expect.stringContaining('was not started in this browser'),
    ]);
    expect((await victim.open(`${url}/me`)).text).toBe('nobody');
  });

  it('ends at its own', async () => {
    const { url } = await twoProviders();
    for (const name of ['0', '1']) {
      const browser = new TrialBrowser();
      const page = await browser.walk(`${url}/${name}/sign-in?return_to=/me`);
      expect([page.status, page.url, page.text]).toEqual([200, `${url}/me`, 'ada']);
      expect((await browser.open(`${url}/me`)).text).toBe('ada');
    }
  });

  it('asks the person if a page of another site began it', async () => {
    const one = await shop();
    const promptOf = async (headers: Record<string, string>) => {
      const { location } = await new TrialBrowser().open(`${one.url}/auth/sign-in`, { headers });
      return new URL(location ?? '').searchParams.get('prompt');
    };
    expect(await promptOf({ 'sec-fetch-site': 'cross-site' })).toBe('login');
    expect(await promptOf({ 'sec-fetch-site': 'cross-site', 'sec-fetch-user': '?1' })).toBeNull();
    for (const site of ['same-origin', 'same-site', 'none']) {
      expect(await promptOf({ 'sec-fetch-site': site })).toBeNull();
    }
  });
});

describe('redirectToSignIn', () => {
  const html = 'text/html,application/xhtml+xml;q=0.9';
  const navigation = { 'sec-fetch-mode': 'navigate', accept: html };

  /** Not over `fetch` to a server, which sets `Sec-Fetch-Mode` itself. */
  async function behindGuard() {
    const issuer = 'https://login.example';
    const redirectUri = 'https://shop.example/auth/callback';
    const oidc = await oidcSignIn({ issuer, clientId: 'x', redirectUri });
    const app = new App()
      .use(session(new MemoryStore()))
      .use(oidc.redirectToSignIn('/auth/sign-in'))
      .requireAuth({ except: ['/auth/callback', 'POST /in'] })
      .get('/auth/callback', () => {
        throw FwError.unauthorized('the identity provider did not sign you in');
      })
      .post('/in', (ctx) => ctx.session().signIn('ada'))
      .get('/auth/sign-in', oidc.signIn)
      .get('/again', () => {
        throw FwError.unauthorized('sign in with a second factor');
      })
      .get('/orders', () => 'orders')
      .post('/orders', () => 'ordered')
      .get('/admin', (ctx) => ctx.requireScope('admin').id);
    const ask = async (path: string, headers: Record<string, string>, method = 'GET') => {
      const response = await app.fetch(new Request(`https://shop.example${path}`, { method, headers }));
      return [response.status, response.headers.get('location')];
    };
    return { app, ask, oidc };
  }

  it('sends a navigation to the sign-in, with the way back', async () => {
    const { app, ask } = await behindGuard();
    const target = `/auth/sign-in?return_to=${encodeURIComponent('/orders?page=2')}`;
    expect(await ask('/orders?page=2', navigation)).toEqual([303, target]);
    expect(await ask('/orders?page=2', { accept: html })).toEqual([303, target]);
    for (const accept of ['Text/HTML', 'application/xhtml+xml, text/html;q=0.9']) {
      expect(await ask('/orders?page=2', { accept })).toEqual([303, target]);
    }
    expect(await ask('/orders?page=2', navigation, 'HEAD')).toEqual([303, target]);
    expect(await ask(`/orders?${'x'.repeat(2000)}`, navigation)).toEqual([303, '/auth/sign-in']);
    // Whoever is signed in and lacks a right is not sent away.
    const signedIn = await app.fetch(new Request('https://shop.example/in', { method: 'POST' }));
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await ask('/admin', { ...navigation, cookie })).toEqual([403, null]);
    expect(await ask('/again', { ...navigation, cookie })).toEqual([401, null]);
  });

  it('is kept by no cache, which would send people away who are signed in', async () => {
    const { app } = await behindGuard();
    const asked = new Request('https://shop.example/orders', { headers: navigation });
    expect((await app.fetch(asked)).headers.get('cache-control')).toBe('no-store');
  });

  it('leaves calls of scripts and programs their 401', async () => {
    const { ask } = await behindGuard();
    for (const mode of ['cors', 'no-cors', 'same-origin', 'websocket']) {
      expect(await ask('/orders', { 'sec-fetch-mode': mode, accept: html })).toEqual([401, null]);
    }
    for (const accept of ['application/json', '*/*', 'text/htmlx', 'application/x;a=text/html']) {
      expect(await ask('/orders', { accept })).toEqual([401, null]);
    }
    expect(await ask('/orders', navigation, 'POST')).toEqual([401, null]);
  });

  it('does not lead in a circle when the provider refuses, or the sign-in is behind the guard', async () => {
    const { ask } = await behindGuard();
    expect(await ask('/auth/sign-in', navigation)).toEqual([401, null]);
    expect(await ask('/auth/callback?error=access_denied', navigation)).toEqual([401, null]);
  });

  it('takes a path', async () => {
    const { oidc } = await behindGuard();
    for (const path of ['', '//evil.example', 'https://evil.example', '/a?b', undefined as never]) {
      expect(() => oidc.redirectToSignIn(path)).toThrow(ConfigError);
    }
  });
});
