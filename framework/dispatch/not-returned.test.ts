// A handler that makes a response and forgets to return it.
import { expect, it } from 'vitest';
import { App } from '../app/app.js';
import type { Context } from '../context/context.js';

async function* chunks() {
  yield 'x';
}

it.each<[string, (ctx: Context) => void]>([
  ['json', (ctx) => void ctx.json({})],
  ['text', (ctx) => void ctx.text('')],
  ['html', (ctx) => void ctx.html('')],
  ['redirect', (ctx) => void ctx.redirect('/')],
  ['stream', (ctx) => void ctx.stream(chunks())],
])('is refused with the remedy (%s)', async (_, make) => {
  const seen: unknown[] = [];
  const app = new App()
    .get('/now', (ctx) => make(ctx))
    .get('/late', async (ctx) => make(ctx))
    .get('/204', () => undefined)
    .get('/returned', (ctx) => {
      make(ctx);
      return 'other';
    })
    .onError((error, ctx) => {
      seen.push(String((error as Error).cause ?? error));
      return ctx.text('', 500);
    });
  const status = async (path: string) => (await app.fetch(new Request(`http://x${path}`))).status;
  expect([await status('/now'), await status('/late')]).toEqual([500, 500]);
  expect(seen[1]).toBe(
    'Error: a handler made a response, as by ctx.json(), and returned nothing; return the response',
  );
  expect([await status('/204'), await status('/returned')]).toEqual([204, 200]);
});

it('does not count what a handler made before it failed', async () => {
  const app = new App()
    .get('/', (ctx) => {
      ctx.text('unused');
      throw new Error('failed');
    })
    .onError(() => undefined);
  const answer = await app.fetch(new Request('http://x/'));
  expect([answer.status, await answer.text()]).toEqual([500, '']);
});
