// Auth.js as its documentation mounts it: `Auth(request, config)` under its base path.
import { describe, expect, it } from 'vitest';
import { App, type Context } from '../index.js';
import { TestClient } from '../testing/index.js';

// As text, because its types bring those of the DOM into every file that is compiled with this one.
const { Auth } = await import('@auth/core' as string);
const { default: Credentials } = await import('@auth/core/providers/credentials' as string);

const config = {
  basePath: '/auth',
  secret: 'only for this test: 32 bytes at least',
  trustHost: true,
  logger: { error: () => {} },
  providers: [
    Credentials({
      credentials: { password: { type: 'password' } },
      authorize: ({ password }: { password: unknown }) =>
        password === 'correct horse' ? { id: '1', name: 'Ada' } : null,
    }),
  ],
};

/** Asks Auth.js itself, as the documentation says. */
async function me(ctx: Context): Promise<string> {
  const url = new URL('/auth/session', ctx.req.uri.origin);
  const answer: Response = await Auth(new Request(url, { headers: ctx.req.headers() }), config);
  const session = (await answer.json()) as { user: { name: string } } | null;
  return session?.user.name ?? 'nobody';
}

const mounted: Readonly<Record<string, App>> = {
  'as a route': new App()
    .trustProxy(true)
    .get('/me', me)
    .all('/auth/*rest', (ctx) => Auth(ctx.req.request(), config)),
  'by mount': new App()
    .trustProxy(true)
    .get('/me', me)
    .mount('/auth', (request) => Auth(request, config), { keepPrefix: true }),
};

describe.each(Object.entries(mounted))('Auth.js %s', (_how, app) => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.example' };

  it('signs in and out, with cookies for HTTPS behind a proxy', async () => {
    const client = new TestClient(app, { origin: 'https://app.example', headers });
    const { csrfToken } = (await client.get('/auth/csrf')).json() as { csrfToken: string };
    const signIn = (password: string, token = csrfToken) =>
      client.post('/auth/callback/credentials', { form: { csrfToken: token, password } });
    (await signIn('wrong')).assertStatus(302).assertHeader('location', /error=CredentialsSignin/);
    (await signIn('correct horse', 'of another'))
      .assertStatus(302)
      .assertHeader('location', /error=MissingCSRF/);
    (await client.get('/auth/session')).assertText('null');
    (await signIn('correct horse')).assertStatus(302).assertHeader('location', 'https://app.example');
    expect(client.cookie('__Secure-authjs.session-token')).toBeDefined();
    expect((await client.get('/auth/session')).json()).toMatchObject({ user: { name: 'Ada' } });
    (await client.get('/me')).assertText('Ada');
    (await client.post('/auth/signout', { form: { csrfToken } })).assertStatus(302);
    (await client.get('/auth/session')).assertText('null');
  });

  it('shows its page', async () => {
    const page = await new TestClient(app, { headers }).get('/auth/signin');
    page.assertStatus(200).assertHeader('content-type', /^text\/html/);
    expect(page.text()).toContain('https://app.example/auth/callback/credentials');
  });
});
