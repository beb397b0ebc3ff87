import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { TestClient } from '../testing/index.js';

const spec = {
  openapi: '3.0.0',
  info: { title: 'A <b>shop</b> & "more"', version: '1.0.0' },
  servers: [{ url: 'http://127.0.0.1:3000/api', description: 'here' }],
  paths: {},
};

describe('serveDocs', () => {
  it('serves a page that loads nothing from other hosts', async () => {
    const page = await new TestClient(new App().serveDocs('/docs', spec)).get('/docs');
    page.assertStatus(200).assertHeader('content-type', 'text/html; charset=utf-8');
    expect(page.text()).toContain('<title>A &lt;b&gt;shop&lt;/b&gt; &amp; &quot;more&quot;</title>');
    expect(page.text()).toContain('<script type="module" src="/docs/page.js"></script>');
    expect(page.text()).not.toMatch(/https?:/);
    expect(page.header('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; /,
    );
    expect(page.header('content-security-policy')).toMatch(
      /; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(page.header('content-security-policy')).not.toContain('unsafe');
  });

  it('serves the document, with the host of the request as its server', async () => {
    const client = new TestClient(new App().serveDocs('/docs', spec), {
      origin: 'https://shop.example:8443',
    });
    (await client.get('/docs/openapi.json'))
      .assertHeader('content-type', 'application/json')
      .assertJson({ ...spec, servers: [{ url: 'https://shop.example:8443/api', description: 'here' }] });
  });

  it('uses the scheme that a proxy reports only if the proxy is trusted', async () => {
    const headers = { 'X-Forwarded-Proto': 'https' };
    const serversOf = async (app: App) => {
      const client = new TestClient(app.serveDocs('/', spec), { origin: 'http://shop.example', headers });
      return ((await client.get('/openapi.json')).json() as typeof spec).servers[0]?.url;
    };
    expect(await serversOf(new App())).toBe('http://shop.example/api');
    expect(await serversOf(new App().trustProxy(true))).toBe('https://shop.example/api');
  });

  it.each([
    ['page.js', 'text/javascript; charset=utf-8'],
    ['page.css', 'text/css; charset=utf-8'],
  ])('serves %s, compressed and with an entity tag', async (name, type) => {
    const client = new TestClient(new App().route('/in', new App().serveDocs('/docs', spec)));
    expect((await client.get('/in/docs')).text()).toContain(`"/in/docs/${name}"`);
    const plain = await client.get(`/in/docs/${name}`);
    plain.assertStatus(200).assertHeader('content-type', type);
    const zipped = await client.get(`/in/docs/${name}`, { headers: { 'Accept-Encoding': 'gzip' } });
    zipped.assertHeader('content-encoding', 'gzip').assertHeader('vary', 'Accept-Encoding');
    expect(gunzipSync(zipped.bytes).toString()).toBe(plain.text());
    const etag = plain.header('etag') as string;
    const unchanged = await client.get(`/in/docs/${name}`, { headers: { 'If-None-Match': etag } });
    unchanged.assertStatus(304).assertHeader('etag', etag);
  });

  it('accepts an object with a toJson() method', async () => {
    const printed = { toJson: () => JSON.stringify(spec) };
    (await new TestClient(new App().serveDocs('/docs', printed)).get('/docs/openapi.json')).assertStatus(200);
  });

  it.each([{ title: 'x' }, { openapi: '3.0.0', info: null }, null, 'x'])(
    'refuses %j as a document',
    (one) => {
      expect(() => new App().serveDocs('/docs', one as object)).toThrow(
        'serveDocs takes an App, an RpcRegistry or an OpenAPI document',
      );
      expect(() => new App().get('/docs', () => '').serveDocs('/docs', spec)).toThrow('/docs');
    },
  );
});
