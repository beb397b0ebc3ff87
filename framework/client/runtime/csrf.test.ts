// The token of fw/csrf in a client: where it is from, and which refusals are repeated.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../../app/app.js';
import { csrf } from '../../middleware/csrf/index.js';
import { MemoryStore, session } from '../../session/index.js';
import { fetchOf } from './csrf.js';
import { type FwRpcRequestOptions, sendRequest } from './requests.js';

const secret = 'only for this test: 32 bytes at least';

/** A browser at the origin of the app, as far as the client asks. */
function browserOf(app: App): { sent: (string | null)[]; fetch: FwRpcRequestOptions<string>['fetch'] } {
  const cookies = new Map<string, string>();
  const sent: (string | null)[] = [];
  vi.stubGlobal('location', { href: 'http://app.test/page', origin: 'http://app.test' });
  vi.stubGlobal('document', {
    get cookie() {
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    },
  });
  return {
    sent,
    async fetch(url, { signal: _, ...init }) {
      const headers = new Headers(init.headers);
      sent.push(headers.get('x-csrf-token'));
      headers.set('cookie', (globalThis as unknown as { document: { cookie: string } }).document.cookie);
      const response = await app.fetch(new Request(new URL(url, 'http://app.test/'), { ...init, headers }));
      for (const one of response.headers.getSetCookie()) {
        const [pair = ''] = one.split(';');
        const at = pair.indexOf('=');
        cookies.set(pair.slice(0, at), pair.slice(at + 1));
      }
      return response;
    },
  };
}

const post = (options: FwRpcRequestOptions<string>, url = '/calls') =>
  sendRequest(options, url, 'POST', '{}', [], {});

afterEach(() => vi.unstubAllGlobals());

describe('the option csrf', () => {
  const counting = (options: { secure?: boolean; headerName?: string; cookieName?: string } = {}) => {
    const calls = { count: 0 };
    const app = new App()
      .use(session(new MemoryStore(), { secure: options.secure ?? true }))
      .use(csrf({ secret, ...options }))
      .post('/calls', () => {
        calls.count += 1;
        return 'done';
      })
      .post('/in', (ctx) => ctx.session().signIn('ada'))
      .post('/forbidden', (ctx) => {
        calls.count += 1;
        ctx.requireScope('nobody');
      });
    return { app, calls };
  };

  it.each([true, false])(
    'brings the first token by a refusal, and sends it then: secure %s',
    async (secure) => {
      const { app, calls } = counting({ secure });
      const { sent, fetch } = browserOf(app);
      expect(await post({ fetch, csrf: true })).toEqual({ status: 200, text: 'done' });
      expect(await post({ fetch, csrf: true })).toEqual({ status: 200, text: 'done' });
      expect(calls.count).toBe(2);
      expect(sent).toEqual([null, expect.any(String), sent[1]]);
    },
  );

  it('follows the session', async () => {
    const { app } = counting();
    const { sent, fetch } = browserOf(app);
    await post({ fetch, csrf: true }, '/in');
    await post({ fetch, csrf: true });
    expect(new Set(sent).size).toBe(3);
    expect(sent).toHaveLength(3);
  });

  it('repeats no other refusal, and nothing without the option', async () => {
    const { app, calls } = counting();
    const { sent, fetch } = browserOf(app);
    await post({ fetch, csrf: true }, '/in');
    sent.length = 0;
    await expect(post({ fetch, csrf: true }, '/forbidden')).rejects.toMatchObject({ status: 403 });
    expect([sent.length, calls.count]).toEqual([1, 1]);
    await expect(post({ fetch })).rejects.toMatchObject({ status: 403 });
    expect([sent.length, sent[1]]).toEqual([2, null]);
  });

  it('gives up after two repetitions, and at once if the token stays the same', async () => {
    let [tokens, requests] = [0, 0];
    const refuse = async () => {
      requests += 1;
      return new Response('no', { status: 403, headers: { 'X-CSRF-Token': 'required' } });
    };
    const renewed = { fetch: refuse, csrf: { token: () => String(++tokens) } };
    await expect(post(renewed)).rejects.toMatchObject({ status: 403, body: 'no' });
    expect(requests).toBe(3);
    const same = { fetch: refuse, csrf: { token: () => 'same' } };
    await expect(post(same)).rejects.toMatchObject({ status: 403 });
    expect(requests).toBe(4);
    const forbidden = async () => {
      requests += 1;
      return new Response('no', { status: 403 });
    };
    await expect(post({ ...renewed, fetch: forbidden })).rejects.toMatchObject({ status: 403 });
    expect(requests).toBe(5);
  });

  it('reads a refusal to its end before the request is repeated, so that the connection is free', async () => {
    const [refusals, read]: [Response[], boolean[]] = [[], []];
    let tokens = 0;
    const fetch = async () => {
      read.push(...refusals.map(({ bodyUsed }) => bodyUsed));
      const headers = { 'X-CSRF-Token': 'required' };
      refusals.push(new Response('no', tokens > 2 ? {} : { status: 403, headers }));
      return refusals.at(-1) as Response;
    };
    await post({ fetch, csrf: { token: () => String(++tokens) } });
    expect(read).toEqual([true]);
  });

  it('prefers the cookie that no other host of the site can set', async () => {
    vi.stubGlobal('location', { href: 'http://app.test/page', origin: 'http://app.test' });
    vi.stubGlobal('document', { cookie: 'csrf=planted; __Host-csrf=own' });
    const fetch = vi.fn(async (_url: string, _init: object) => new Response('x'));
    await post({ fetch, csrf: true });
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({ headers: { 'X-CSRF-Token': 'own' } });
  });

  it('has other names', async () => {
    const { app, calls } = counting({ headerName: 'X-XSRF', cookieName: 'xsrf' });
    const { fetch } = browserOf(app);
    await post({ fetch, csrf: { headerName: 'X-XSRF', cookieName: 'xsrf' } });
    expect(calls.count).toBe(1);
    await expect(post({ fetch, csrf: true })).rejects.toMatchObject({ status: 403 });
  });

  it('sends the token of the page to no other origin, and none without a page', async () => {
    const headers: object[] = [];
    const fetch = async (_: string, init: { headers: object }) => {
      headers.push(init.headers);
      return new Response('x');
    };
    const request = { method: 'GET', headers: {}, signal: new AbortController().signal };
    await fetchOf({ fetch, csrf: true })('/a', request);
    vi.stubGlobal('location', { href: 'http://app.test/page', origin: 'http://app.test' });
    vi.stubGlobal('document', { cookie: 'a=b; csrf=x=y; other=1' });
    const send = fetchOf({ fetch, csrf: true });
    for (const url of [
      'https://app.test/a',
      'http://other.test/a',
      '//other.test/a',
      '/a',
      'http://app.test/a',
    ])
      await send(url, request);
    const own = { 'X-CSRF-Token': 'x=y' };
    expect(headers).toEqual([{}, {}, {}, {}, own, own]);
  });
});
