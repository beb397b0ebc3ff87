// An application for tests of sign-ins, behind a guard, with a real provider.
import diagnostics from 'node:diagnostics_channel';
import { App } from '../../app/app.js';
import { type OidcSignIn, type OidcSignInOptions, oidcSignIn } from '../../auth/oidc/index.js';
import { MemoryStore } from '../../session/memory-store.js';
import { session } from '../../session/session.js';
import type { TrialBrowser } from './trial-browser.js';
import { CLIENT, TrialProvider } from './trial-provider.js';

/** Collects the errors that are reported, until it is called again. */
export function listen(reported: unknown[] = []): () => void {
  const collect = (event: unknown) => void reported.push((event as { error: unknown }).error);
  diagnostics.subscribe('fw:error', collect);
  return () => void diagnostics.unsubscribe('fw:error', collect);
}

const open: { close(): Promise<unknown> }[] = [];
/** Closes the servers and the providers; after each test. */
export async function closeShops(): Promise<void> {
  for (const one of open.splice(0)) await one.close();
}

export interface Shop {
  readonly url: string;
  readonly provider: TrialProvider;
}

/** An application behind a guard, whose people sign in with a provider. */
export async function shop(options: Partial<OidcSignInOptions> = {}): Promise<Shop> {
  const provider = await new TrialProvider().start();
  open.push({ close: () => provider.kill() });
  let oidc: OidcSignIn | undefined;
  const app = new App()
    .use(session(new MemoryStore(), { secure: false }))
    .requireAuth({ except: ['/auth/sign-in', '/auth/callback', '/bye', '/cart', '/stay'] })
    .get('/auth/sign-in', (ctx) => oidc?.signIn(ctx))
    .get('/auth/callback', (ctx) => oidc?.callback(ctx))
    .post('/auth/sign-out', (ctx) => oidc?.signOut(ctx))
    .get('/bye', () => 'bye')
    .get('/', (ctx) => `home of ${ctx.requireAuth().id}`)
    .get('/orders', (ctx) => `orders of ${ctx.requireAuth().id}, for ${ctx.req.query('page')}`)
    .get('/admin', (ctx) => ctx.requireScope('admin').id)
    .get('/sessions', (ctx) => ctx.session().list())
    .post('/stay', (ctx) => ctx.session().signIn('ada'))
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
    ...('postLogoutRedirectUri' in options && { postLogoutRedirectUri: `${url}/bye` }),
  });
  return { url, provider };
}

/** Walks until the provider sends the browser back: the address of the callback. */
export async function callbackOf({ url }: Shop, browser: TrialBrowser, query = ''): Promise<string> {
  const page = await browser.walk(`${url}/auth/sign-in${query}`, (next) =>
    next.startsWith(`${url}/auth/callback`),
  );
  return page.location ?? `none: ${page.status} ${page.text}`;
}

export function changed(address: string, query: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** The cookies of the sign-ins that the browser has begun, as it keeps them. */
export function pendingKeys(browser: TrialBrowser): string[] {
  return [...browser.cookies.keys()].filter((key) => / oidc-[\w-]{12}$/.test(key));
}

export async function isSignedIn({ url }: Shop, browser: TrialBrowser): Promise<boolean> {
  return (await browser.open(`${url}/`)).status === 200;
}

export interface Arrival {
  readonly status: number;
  readonly isIn: boolean;
  readonly text: string;
}

/** What the browser gets that comes to the callback, and whether it is then signed in. */
export async function arrival(one: Shop, browser: TrialBrowser, callback: string): Promise<Arrival> {
  const { status, text } = await browser.open(callback);
  return { status, isIn: await isSignedIn(one, browser), text };
}
