import { describe, expect, it } from 'vitest';
import { App } from './app.js';
import type { Context } from './context.js';

interface Sent {
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** The answer to what `use` gives for a request, as JSON; a thrown error's status and message otherwise. */
async function inside(use: (ctx: Context) => unknown, sent: Sent = {}): Promise<unknown> {
  const app = new App().post('/r/*rest', async (ctx) => ctx.json({ value: await use(ctx) }));
  const { path = '/r/x', body = '', headers = {} } = sent;
  const answer = await app.fetch(new Request(`http://localhost${path}`, { method: 'POST', body, headers }));
  const read = (await answer.json()) as { value?: unknown; message?: string };
  return answer.status === 200 ? read.value : `${answer.status} ${read.message}`;
}

/** What `read` throws, as text. */
async function failure(read: () => unknown): Promise<string> {
  try {
    await read();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
}

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('FwRequest', () => {
  it('shows the whole address, and a path of two slashes as a path', async () => {
    expect(await inside((ctx) => ctx.req.uri.href, { path: '/r/a%2Fb?c=1' })).toBe(
      'http://localhost/r/a%2Fb?c=1',
    );
    const app = new App().get('/*rest', (ctx) => ctx.text(ctx.req.uri.href));
    const answer = await app.fetch(new Request('http://localhost//other/x'));
    expect(await answer.text()).toBe('http://localhost//other/x');
  });

  it('reads parameters by name, and refuses one that the route lacks', async () => {
    expect(await inside((ctx) => [ctx.req.param('rest'), ctx.req.params()], { path: '/r/a%2Fb' })).toEqual([
      'a/b',
      { rest: 'a/b' },
    ]);
    expect(await inside((ctx) => ctx.req.param('none'))).toBe("400 missing path parameter 'none'");
  });

  it('gives a buffered body in every form, as often as asked', async () => {
    const read = async (ctx: Context) => [
      await ctx.req.text(),
      await ctx.req.json(),
      Buffer.from(await ctx.req.rawBody()).toString(),
      (await ctx.req.bytes()) === (await ctx.req.rawBody()),
    ];
    expect(await inside(read, { body: '{"a":1}' })).toEqual(['{"a":1}', { a: 1 }, '{"a":1}', true]);
  });

  it('refuses to give a body in two ways', async () => {
    const late = 'the request body was already read; take it as a stream before anything else';
    const taken = 'the request body was already taken by stream or multipart()';
    const bufferedFirst = async (ctx: Context) => [await ctx.req.text(), await failure(() => ctx.req.stream)];
    expect(await inside(bufferedFirst, { body: 'x' })).toEqual(['x', late]);
    const streamedFirst = async (ctx: Context) => {
      await ctx.req.stream.cancel();
      return [await failure(() => ctx.req.stream), await failure(() => ctx.req.text())];
    };
    expect(await inside(streamedFirst, { body: 'x' })).toEqual([late, taken]);
  });

  it.each(['gzip', 'GZIP, identity', ''])('refuses a body with the coding %j', async (coding) => {
    const headers = { 'Content-Encoding': coding };
    expect(await inside((ctx) => ctx.req.text(), { body: 'x', headers })).toBe(
      `415 request bodies with Content-Encoding '${coding}' are not accepted`,
    );
  });

  it('takes the coding that changes nothing', async () => {
    expect(
      await inside((ctx) => ctx.req.text(), { body: 'x', headers: { 'Content-Encoding': 'Identity' } }),
    ).toBe('x');
  });

  it('refuses what is no JSON, and says where', async () => {
    expect(await inside((ctx) => ctx.req.json(), { body: '{' })).toMatch(/^400 malformed JSON body: .+/);
  });

  it('reads a form once, with names that come twice', async () => {
    const read = async (ctx: Context) => {
      const data = await ctx.req.formData();
      return [data.getAll('a'), data.get('b'), data === (await ctx.req.formData()), await ctx.req.text()];
    };
    expect(await inside(read, { body: 'a=1&a=2&b=%C3%A4+x', headers: form })).toEqual([
      ['1', '2'],
      'ä x',
      true,
      'a=1&a=2&b=%C3%A4+x',
    ]);
  });
});
