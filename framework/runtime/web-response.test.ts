// Where the server sets the Content-Length itself, as on Bun and Deno, a Response gets text and prepared fields.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { App as AppClass } from '../app/app.js';

async function appOn(runtime: 'Bun' | 'Deno'): Promise<typeof AppClass> {
  vi.resetModules();
  vi.stubGlobal(runtime, {});
  return (await import('../app/app.js')).App;
}

describe.each(['Bun', 'Deno'] as const)('a response on %s', (runtime) => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('has the fields of its App, each time, and no length', async () => {
    const App = await appOn(runtime);
    const app = new App().get('/json', (ctx) => ctx.json({ a: 1 })).get('/text', () => 'grüße');
    for (let i = 0; i < 2; i++) {
      const json = await app.fetch(new Request('http://x/json'));
      expect(Object.fromEntries(json.headers)).toEqual({
        'content-type': 'application/json',
        'x-powered-by': 'fw',
      });
      expect(await json.text()).toBe('{"a":1}');
      const text = await app.fetch(new Request('http://x/text'));
      expect(text.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
      expect(await text.text()).toBe('grüße');
    }
    const bare = App.withoutDefaults().get('/json', (ctx) => ctx.json({ a: 1 }, 201));
    const created = await bare.fetch(new Request('http://x/json'));
    expect([created.status, created.headers.get('X-Powered-By')]).toEqual([201, null]);
  });

  it('has its own status, type and fields beside others, in any order', async () => {
    const App = await appOn(runtime);
    const app = new App()
      .get('/json', (ctx) => ctx.json(1))
      .get('/created', (ctx) => ctx.json(1, 201))
      .get('/text', (ctx) => ctx.text('1'));
    const bare = App.withoutDefaults().get('/json', (ctx) => ctx.json(1));
    const seen = async (one: InstanceType<typeof AppClass>, path: string) => {
      const { status, headers } = await one.fetch(new Request(`http://x${path}`));
      return [status, headers.get('Content-Type'), headers.get('X-Powered-By')];
    };
    for (let i = 0; i < 2; i++) {
      expect(await seen(app, '/json')).toEqual([200, 'application/json', 'fw']);
      expect(await seen(app, '/created')).toEqual([201, 'application/json', 'fw']);
      expect(await seen(app, '/json')).toEqual([200, 'application/json', 'fw']);
      expect(await seen(bare, '/json')).toEqual([200, 'application/json', null]);
      expect(await seen(app, '/text')).toEqual([200, 'text/plain; charset=utf-8', 'fw']);
    }
  });

  it('does not share what is changed on it', async () => {
    const App = await appOn(runtime);
    const app = new App().get('/', () => 'x');
    (await app.fetch(new Request('http://x/'))).headers.set('X-Other', '1');
    expect((await app.fetch(new Request('http://x/'))).headers.get('X-Other')).toBeNull();
  });

  it('keeps its own fields, cookies one by one, and gets no Content-Type', async () => {
    const App = await appOn(runtime);
    const app = new App().get('/', (ctx) => {
      const response = ctx.text('x');
      response.headers.delete('Content-Type');
      response.headers.append('Set-Cookie', 'a=1');
      response.headers.append('Set-Cookie', 'b=2');
      response.headers.set('X-Name', 'Zoë');
      return response;
    });
    const { headers } = await app.fetch(new Request('http://x/'));
    expect(headers.get('Content-Type')).toBeNull();
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(headers.get('X-Name')).toBe('Zoë');
  });

  it('to HEAD has the length of what GET sends', async () => {
    const App = await appOn(runtime);
    const app = new App().get('/', () => 'grüße');
    const response = await app.fetch(new Request('http://x/', { method: 'HEAD' }));
    expect([response.headers.get('Content-Length'), response.body]).toEqual(['7', null]);
  });
});
