import { describe, expect, it } from 'vitest';
import { App, type Context } from '../index.js';
import { startServer } from '../testing/index.js';

/** What an application declares as `platform` of `Register`. */
interface Passed {
  readonly request: Request;
  readonly env: unknown;
  readonly ctx: unknown;
}

const passedTo = (ctx: Context) => ctx.platform as unknown as Passed | undefined;

describe('ctx.platform', () => {
  it('is what the platform has passed to fetch, with the Request itself', async () => {
    let passed: Passed | undefined;
    const app = new App().get('/', (ctx) => {
      passed = passedTo(ctx);
    });
    const request = new Request('http://x/');
    const [env, ctx] = [{ GREETING: 'hello' }, { waitUntil() {} }];
    await app.fetch(request, env, ctx);
    expect(passed?.request).toBe(request);
    expect(passed?.env).toBe(env);
    expect(passed?.ctx).toBe(ctx);
  });

  it('has the Request alone in process', async () => {
    let passed: Passed | undefined;
    const app = new App().post('/', (ctx) => {
      passed = passedTo(ctx);
    });
    const request = new Request('http://x/', { method: 'POST' });
    await app.oneshot(request);
    expect(passed).toEqual({ request });
  });

  it('is undefined on a server of Node.js', async () => {
    await using server = await startServer(new App().get('/', (ctx) => [typeof ctx.platform]));
    (await server.client.get('/')).assertJson(['undefined']);
  });

  it('is passed on to mounted fetch handlers', async () => {
    const seen: unknown[] = [];
    const inner = (request: Request, ...passed: unknown[]) => {
      seen.push(new URL(request.url).pathname, ...passed);
      return new Response();
    };
    const app = new App().mount('/in', inner);
    await app.fetch(new Request('http://x/in/a'), 'env', 'ctx');
    await using server = await startServer(app);
    await server.client.get('/in/b');
    expect(seen).toEqual(['/a', 'env', 'ctx', '/b']);
  });
});
