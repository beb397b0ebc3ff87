// Builders never change: what one App makes of them does not open another.
import { describe, expect, it } from 'vitest';
import { App } from '../index.js';
import { MemoryStore, SessionConfig, session } from '../session/index.js';
import { Compression } from './compression/index.js';
import { Csrf } from './csrf/index.js';
import { Cors, RateLimiter, RateLimitKey, RequestId, SecurityHeaders } from './index.js';

const secret = 'a secret of at least 32 bytes, really';
const ask = async (app: App, headers: Record<string, string> = {}, method = 'GET') =>
  app.fetch(new Request('https://x/', { method, headers }));

describe('a builder that was handed over', () => {
  it('of csrf keeps what it protects', async () => {
    const csrf = new Csrf(secret);
    const open = new App().use(csrf.except(() => true).build()).post('/', () => 'posted');
    const closed = new App().use(csrf.build()).post('/', () => 'posted');
    expect((await ask(open, {}, 'POST')).status).toBe(200);
    expect((await ask(closed, {}, 'POST')).status).toBe(403);
  });

  it('of cors keeps its origins', async () => {
    const cors = new Cors().allowOrigin('https://own.example');
    cors.allowOrigin('https://evil.example').credentials(true);
    const response = await ask(
      new App().use(cors.build()).get('/', () => 1),
      { origin: 'https://evil.example' },
    );
    expect(response.headers.get('access-control-allow-origin')).not.toBe('https://evil.example');
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('of all others keeps its options', async () => {
    const sessions = new SessionConfig();
    sessions.secure(false).cookieName('other');
    expect(sessions.build()).toEqual({});
    const headers = new SecurityHeaders();
    headers.frameOptions('ALLOWALL').csp('x').referrerPolicy('unsafe-url');
    const compression = new Compression().gzip();
    compression.brotli().minSize(1);
    const id = new RequestId();
    id.header('X-Other').trustedOnly(true);
    const limiter = new RateLimiter(1, 60);
    limiter.key(RateLimitKey.global).name('other');
    const app = new App()
      .use(headers.build())
      .use(compression.build())
      .use(id.build())
      .use(limiter.build())
      .use(session(new MemoryStore(), sessions))
      .get('/', () => 'x'.repeat(5_000));
    const response = await ask(app, { 'accept-encoding': 'br, gzip', 'x-request-id': 'mine' });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(response.headers.has('content-security-policy')).toBe(false);
    expect(response.headers.get('x-request-id')).toBe('mine');
    expect(response.headers.get('ratelimit')).toContain('"default"');
  });
});

describe('requestId with trustedOnly', () => {
  it('takes the id of a trusted proxy alone', async () => {
    const withId = (app: App) => app.use(new RequestId().trustedOnly(true).build()).get('/', () => 1);
    const idOf = async (app: App) => (await ask(app, { 'x-request-id': 'mine' })).headers.get('x-request-id');
    expect(await idOf(withId(new App()))).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf(withId(new App().trustProxy(true)))).toBe('mine');
    const elsewhere = withId(new App().trustProxy(['10.0.0.0/8']));
    const server = await elsewhere.listen(0);
    const local = withId(new App().trustProxy(['127.0.0.0/8']));
    const other = await local.listen(0);
    const over = async (url: string) =>
      (await fetch(url, { headers: { 'x-request-id': 'mine' } })).headers.get('x-request-id');
    expect(await over(server.url)).not.toBe('mine');
    expect(await over(other.url)).toBe('mine');
    await server.close();
    await other.close();
  });
});

describe('the document of serveDocs', () => {
  it('believes the scheme of a trusted proxy alone', async () => {
    const originOf = async (app: App, headers: Record<string, string>) => {
      const server = await app
        .serveDocs('/docs', { openapi: '3.0.3', info: { title: 'x' }, servers: [{ url: '/' }] })
        .listen(0);
      const document = (await (await fetch(`${server.url}/docs/openapi.json`, { headers })).json()) as {
        servers: { url: string }[];
      };
      await server.close();
      return document.servers[0]?.url.split(':')[0];
    };
    const https = { 'x-forwarded-proto': 'https' };
    expect(await originOf(new App(), https)).toBe('http');
    expect(await originOf(new App().trustProxy(['10.0.0.0/8']), https)).toBe('http');
    expect(await originOf(new App().trustProxy(['127.0.0.0/8']), https)).toBe('https');
  });
});
