import { describe, expect, it } from 'vitest';
import { describeRoute } from '../extract/route.js';
import { App } from './app.js';

describe('registration', () => {
  it('reports both places of a conflict', () => {
    const app = new App().get('/users/:id', () => 'one');
    expect(() => app.get('/users/:name', () => 'two')).toThrow(
      /GET \/users\/:name \(.*app\.test\.ts:\d+:\d+\) matches the same requests as GET \/users\/:id \(.*app\.test\.ts:\d+:\d+\)/,
    );
  });

  it('reports both places of a conflict with a mounted App', () => {
    const sub = new App().get('/:id', () => 'sub');
    const app = new App().get('/users/:id', () => 'own');
    expect(() => app.route('/users', sub)).toThrow(/app\.test\.ts:\d+:\d+\).*app\.test\.ts:\d+:\d+\)/);
  });

  it('refuses a handler that is not a function', () => {
    expect(() => new App().get('/', undefined as never)).toThrow(
      'the handler of GET / is undefined; give a function',
    );
  });

  it('refuses registration after the first request', async () => {
    const app = new App().get('/', () => 'x');
    await app.oneshot(new Request('http://x/'));
    expect(() => app.get('/late', () => 'x')).toThrow(
      "get('/late') came too late: it already answers requests; register everything before that",
    );
    expect(() => app.use(() => {})).toThrow('too late');
    expect(() => app.onError(() => 'x')).toThrow('too late');
  });

  it('refuses registration after listen, and on an App that is mounted', async () => {
    const app = new App();
    const server = await app.listen(0);
    expect(() => app.get('/late', () => 'x')).toThrow('too late');
    await server.close();
    const sub = new App();
    new App().route('/sub', sub);
    expect(() => sub.get('/late', () => 'x')).toThrow("came too late: it was mounted under '/sub'");
  });

  it('refuses middleware that is not a function, and mounting of values that are not an App', () => {
    expect(() => new App().use('/api' as never)).toThrow(
      "use takes a function (ctx, next) => …, or middleware of createMiddleware(), got '/api'",
    );
    expect(() => new App().use('/api' as never)).toThrow(
      "describeRoute('/api', { use: [middleware] }); an App is mounted by route('/api', app)",
    );
    expect(() => new App().route('/api', {} as never)).toThrow("route('/api') takes an App");
    expect(() => new App().route('/api', undefined as never)).toThrow("written get('/api', handler)");
  });

  it.each([
    [(_req: unknown, _res: unknown, next: () => void) => next(), 'as fromConnect(middleware)'],
    [(_error: unknown, _req: unknown, _res: unknown, next: () => void) => next(), 'by app.onError('],
  ])('refuses middleware and error handlers of Express: %#', (middleware, says) => {
    expect(() => new App().use(middleware as never)).toThrow(says);
    const described = () => describeRoute('/', { use: [middleware as never] });
    expect(described).toThrow(says);
  });

  it('refuses a mount prefix with a trailing slash, and mounting an App on itself', () => {
    const app = new App();
    expect(() => app.route('/a/', new App())).toThrow("malformed mount prefix '/a/'");
    for (const root of ['', '/']) {
      expect(() => app.route(root, new App())).toThrow(`under a prefix, not at '${root}'; give one such as`);
    }
    expect(() => app.route('/a', app)).toThrow('an App cannot be mounted on itself');
  });

  it('refuses a grace period that is not a duration', () => {
    for (const ms of [-1, Number.NaN, 2 ** 31]) {
      expect(() => new App().shutdownGracePeriod(ms)).toThrow(
        `shutdownGracePeriod: the time is ${ms}; give a whole number of milliseconds from 0`,
      );
    }
  });

  it.each([-1, 1.5, Number.NaN, Number.NEGATIVE_INFINITY])('refuses maxBodySize %s', (bytes) => {
    expect(() => new App().maxBodySize(bytes)).toThrow(
      `maxBodySize: the limit is ${bytes}; give a whole number of bytes, 0 or more, or Infinity for no limit`,
    );
  });

  it('binds fetch to the App', async () => {
    const { fetch } = new App().get('/', () => 'x');
    expect(await (await fetch(new Request('http://x/'))).text()).toBe('x');
  });
});
