import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Jwt } from '../../auth/jwt/index.js';
import { App } from '../../index.js';

const jwt = Jwt.hs256('a secret of at least 32 bytes, really').expiresIn(60);
const optionalJwt = Jwt.hs256('a secret of at least 32 bytes, really').optional().build();
const bearer = (scope = ''): Record<string, string> => ({
  authorization: `Bearer ${jwt.sign({ sub: 'u1', scope })}`,
});

async function answer(app: App, target: string, headers: Record<string, string> = {}): Promise<string> {
  const [method = 'GET', path = '/'] = target.includes(' ') ? target.split(' ') : ['GET', target];
  const request = new Request(`http://x${path}`, { method, headers: { accept: 'text/html', ...headers } });
  const response = await app.fetch(request);
  return `${response.status} ${response.ok ? await response.text() : ''}`.trim();
}

describe('a single-page application behind a guard', () => {
  let dir = '';
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'fw-guard-'));
    mkdirSync(join(dir, 'assets'));
    writeFileSync(join(dir, 'index.html'), 'page');
    writeFileSync(join(dir, 'assets', 'app.js'), 'script');
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  const targets = ['/', '/index.html', '/assets/app.js', '/orders/7', 'HEAD /', 'HEAD /assets/app.js'];

  it.each(targets)('is guarded as the routes are: %s', async (target) => {
    for (const app of [
      new App().use(optionalJwt).requireAuth().serveSpa(dir, 'index.html'),
      new App().use(optionalJwt).serveSpa(dir, 'index.html').requireAuth(),
    ]) {
      expect(await answer(app, target)).toBe('401');
      expect(await answer(app, target, bearer())).toMatch(/^200/);
    }
  });

  it('says nothing about which files there are', async () => {
    const app = new App().use(optionalJwt).requireAuth().serveSpa(dir, 'index.html');
    for (const path of ['/assets/app.js', '/assets/none.js', '/%2e%2e/secret']) {
      expect(await answer(app, path, { accept: '*/*' })).toBe('401');
    }
  });

  it('is open as an exception, page and files, and the routes are not', async () => {
    const app = new App()
      .use(optionalJwt)
      .requireAuth({ except: ['serveSpa'] })
      .get('/api/me', () => 'me')
      .serveSpa(dir, 'index.html');
    expect(await answer(app, '/')).toBe('200 page');
    expect(await answer(app, '/orders/7')).toBe('200 page');
    expect(await answer(app, '/assets/app.js')).toBe('200 script');
    expect(await answer(app, '/api/me')).toBe('401');
    expect(await answer(app, '/api/me', bearer())).toBe('200 me');
  });

  it('needs the scopes of the guard', async () => {
    const app = new App()
      .use(optionalJwt)
      .requireAuth({ scopes: ['staff'] })
      .serveSpa(dir, 'index.html');
    expect(await answer(app, '/', bearer())).toBe('403');
    expect(await answer(app, '/', bearer('staff'))).toBe('200 page');
  });

  it('of a mounted App needs the guards around it too', async () => {
    const inner = () => new App().requireAuth({ except: ['serveSpa'] }).serveSpa(dir, 'index.html');
    const open = new App().use(optionalJwt).route('/shop', inner());
    expect(await answer(open, '/shop/orders')).toBe('200 page');
    const closed = new App().use(optionalJwt).requireAuth().route('/shop', inner());
    expect(await answer(closed, '/shop/orders')).toBe('401');
    expect(await answer(closed, '/shop/orders', bearer())).toBe('200 page');
  });

  it('is not an exception where there is none', async () => {
    const app = new App().requireAuth({ except: ['serveSpa'] }).get('/', () => 'x');
    await expect(app.listen(0)).rejects.toThrow(/excepts 'serveSpa', which is not a route/);
  });
});

describe('exceptions of a guard', () => {
  it('hold wherever the App is mounted, and there alone', async () => {
    const inner = new App()
      .requireAuth({ except: ['/hello', '/files/*'] })
      .get('/hello', () => 'hello')
      .get('/files/*path', () => 'file')
      .get('/deep/hello', () => 'deep')
      .get('/secret', () => 'secret');
    const app = new App().use(optionalJwt).route('/a', inner).route('/b/c', inner);
    for (const prefix of ['/a', '/b/c']) {
      expect(await answer(app, `${prefix}/hello`)).toBe('200 hello');
      expect(await answer(app, `${prefix}/files/x/y`)).toBe('200 file');
      expect(await answer(app, `${prefix}/deep/hello`)).toBe('401');
      expect(await answer(app, `${prefix}/secret`)).toBe('401');
      expect(await answer(app, `${prefix}/secret`, bearer())).toBe('200 secret');
    }
  });

  it('for one method do not open a route for all methods', async () => {
    const app = () =>
      new App()
        .use(optionalJwt)
        .requireAuth({ except: ['POST /hook'] })
        .all('/hook', (ctx) => ctx.req.method);
    await expect(app().listen(0)).rejects.toThrow(/excepts 'POST \/hook', which is not a route/);
    const both = app().post('/hook', () => 'hook');
    expect(await answer(both, 'POST /hook')).toBe('200 hook');
    expect(await answer(both, 'GET /hook')).toBe('401');
    expect(await answer(both, 'DELETE /hook')).toBe('401');
  });

  it('for GET hold for HEAD, which has the same route', async () => {
    const app = new App().requireAuth({ except: ['GET /page'] }).get('/page', () => 'page');
    expect(await answer(app, 'HEAD /page')).toBe('200');
  });

  it('are not doors by another spelling of the path', async () => {
    const app = new App()
      .use(optionalJwt)
      .requireAuth({ except: ['/assets/*'] })
      .get('/assets/*file', () => 'file')
      .get('/secret', () => 'secret')
      .get('/:any/*rest', () => 'any');
    for (const path of [
      '/assets/../secret',
      '/assets/%2e%2e/secret',
      '//secret',
      '/ASSETS/x',
      '/secret/x',
      '/%73ecret',
    ]) {
      expect([path, await answer(app, path)]).not.toEqual([path, expect.stringMatching(/secret|any/)]);
    }
  });
});
