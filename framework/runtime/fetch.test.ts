import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import type { Context } from '../context/context.js';
import type { Handle } from '../dispatch/dispatch.js';
import { FwError } from '../http/errors.js';
import { FwResponse } from '../http/response.js';
import { subscribe } from '../tracing/subscribe.js';
import { fetchThrough } from './fetch.js';

/** Returns one chunk, then no more, and records whether it was cancelled. */
function silent(): { stream: ReadableStream<Uint8Array>; wasCancelled: () => boolean } {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(1)),
    cancel: () => {
      cancelled = true;
    },
  });
  return { stream, wasCancelled: () => cancelled };
}

describe('streams over fetch', () => {
  it('are cancelled while no chunk comes', async () => {
    const { stream, wasCancelled } = silent();
    const app = new App().get('/', () => new Response(stream));
    const reader = (await app.fetch(new Request('http://x/'))).body?.getReader();
    await reader?.read();
    reader?.read().catch(() => {});
    await reader?.cancel();
    expect(wasCancelled()).toBe(true);
  });

  it.each(['HEAD', 'GET'])('are cancelled if the response to %s has no body', async (method) => {
    const { stream, wasCancelled } = silent();
    const app = new App().get('/', (ctx) => {
      ctx.status(method === 'HEAD' ? 200 : 304);
      return new Response(stream);
    });
    await app.fetch(new Request('http://x/', { method }));
    expect(wasCancelled()).toBe(true);
  });
});

describe('a web Request', () => {
  const described = async (url: string) => {
    const app = new App().use((ctx) =>
      ctx.json([ctx.req.path, ctx.req.query('a'), ctx.req.uri.href, ctx.clientIp()]),
    );
    return (await app.fetch(new Request(url))).json();
  };

  it.each([
    ['http://x', ['/', null, 'http://x/', null]],
    ['https://x:81/b?a=1#c', ['/b', '1', 'https://x:81/b?a=1', null]],
    ['http://x/?a=b/c?d', ['/', 'b/c?d', 'http://x/?a=b/c?d', null]],
    ['http://x/#/?a=1', ['/', null, 'http://x/', null]],
  ])('to %s is read as %j', async (url, seen) => {
    expect(await described(url)).toEqual(seen);
  });

  it('has its header fields without a prototype, and its signal', async () => {
    const leaving = new AbortController();
    const seen: unknown[] = [];
    const app = new App().get('/', (ctx) => {
      const headers = ctx.req.headers();
      leaving.abort('gone');
      seen.push(headers, Object.getPrototypeOf(headers), ctx.req.header('x-b'), ctx.signal.reason);
    });
    await app.fetch(new Request('http://x/', { headers: { 'X-A': '1' }, signal: leaving.signal }));
    expect(seen).toEqual([{ 'x-a': '1' }, null, undefined, 'gone']);
  });

  it('without bytes(), as on Node.js 20, has the same body', async () => {
    const app = new App().post('/', async (ctx) =>
      ctx.json([await ctx.req.json(), [...(await ctx.req.bytes())]]),
    );
    for (const own of [{}, { bytes: undefined }]) {
      const request = new Request('http://x/', { method: 'POST', body: '[1]' });
      for (const [name, value] of Object.entries(own)) Object.defineProperty(request, name, { value });
      expect(await (await app.fetch(request)).json()).toEqual([[1], [91, 49, 93]]);
    }
  });

  it('without a body has an empty one in every form', async () => {
    const app = new App().maxBodySize(10).all('/*way', async (ctx) => {
      if (ctx.req.param('way') === 'bytes') return (await ctx.req.bytes()).length;
      let chunks = 0;
      for await (const _ of ctx.req.stream) chunks += 1;
      return chunks;
    });
    for (const path of ['/bytes', '/stream']) {
      expect(await (await app.fetch(new Request(`http://x${path}`))).text()).toBe('0');
    }
  });
});

describe('a body over the limit', () => {
  const upload = (headers: Record<string, string> = {}) => {
    const { stream, wasCancelled } = silent();
    const init = { method: 'POST', body: stream, duplex: 'half', headers };
    return { request: new Request('http://x/', init as RequestInit), stream, wasCancelled };
  };

  it('that is declared is cancelled without being read', async () => {
    const { request, wasCancelled } = upload({ 'Content-Length': '11' });
    const app = new App().maxBodySize(10).post('/', () => 'not run');
    expect((await app.fetch(request)).status).toBe(413);
    expect(wasCancelled()).toBe(true);
  });

  it.each([
    [{}],
    // The chunked coding overrides the length.
    [{ 'Content-Length': '0', 'Transfer-Encoding': 'chunked' }],
  ])('that is found while reading is cancelled, with %j', async (headers) => {
    const { request, wasCancelled } = upload(headers);
    const app = new App().maxBodySize(0).post('/', (ctx) => ctx.req.bytes());
    expect((await app.fetch(request)).status).toBe(413);
    expect(wasCancelled()).toBe(true);
  });

  it('that declares less is refused when it is read', async () => {
    const post = (length: string, body: string) =>
      new App()
        .maxBodySize(10)
        .post('/', (ctx) => ctx.req.text())
        .fetch(new Request('http://x/', { method: 'POST', body, headers: { 'Content-Length': length } }));
    expect((await post('3', 'more than 10')).status).toBe(413);
    const whole = await post('3', 'exactly 10');
    expect([whole.status, await whole.text()]).toEqual([200, 'exactly 10']);
  });

  it('is not cancelled if it is locked by a reader', async () => {
    const { request, wasCancelled } = upload({ 'Content-Length': '11' });
    request.body?.getReader();
    expect(
      (
        await new App()
          .maxBodySize(10)
          .post('/', () => '')
          .fetch(request)
      ).status,
    ).toBe(413);
    expect(wasCancelled()).toBe(false);
  });
});

describe('a body that never ends, when its client leaves', () => {
  const reads: Record<string, (ctx: Context) => unknown> = {
    text: (ctx) => ctx.req.text(),
    json: (ctx) => ctx.req.json(),
    bytes: (ctx) => ctx.req.bytes(),
    formData: (ctx) => ctx.req.formData(),
    stream: async (ctx) => {
      for await (const _ of ctx.req.stream);
    },
    multipart: async (ctx) => {
      for await (const part of ctx.req.multipart()) await part.text();
    },
    mounted: (ctx) => ctx.req.request().text(),
  };
  const type = { 'Content-Type': 'multipart/form-data; boundary=b' };
  const begun = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nxx';

  it.each(
    Object.entries(reads).flatMap(
      ([name, read]) =>
        [
          [name, read, App.withoutDefaults(), type],
          [
            `${name} of a length`,
            read,
            App.withoutDefaults().maxBodySize(1000),
            { ...type, 'Content-Length': '99' },
          ],
          [`${name} within a limit`, read, App.withoutDefaults().maxBodySize(1000), type],
        ] as const,
    ),
  )('is answered as one that breaks off: %s', async (_, read, app, headers) => {
    const leaving = new AbortController();
    const body = new ReadableStream({ start: (own) => own.enqueue(new TextEncoder().encode(begun)) });
    const init = { method: 'POST', body, duplex: 'half', headers, signal: leaving.signal };
    const answer = app
      .post('/', async (ctx) => {
        await read(ctx);
        return 'read';
      })
      .fetch(new Request('http://x/', init as RequestInit));
    await new Promise(setImmediate);
    leaving.abort();
    const { status } = await answer;
    expect(status).toBe(400);
  });

  it('is not waited for any more when it has been read: nothing listens at the signal', async () => {
    const counts = async (read: (ctx: Context) => unknown): Promise<number> => {
      const body = new ReadableStream<Uint8Array>({
        pull(own) {
          own.enqueue(new TextEncoder().encode('x'));
          own.close();
        },
      });
      const request = new Request('http://x/', { method: 'POST', body, duplex: 'half' } as RequestInit);
      let most = 0;
      const app = new App().post('/', async (ctx) => {
        const done = read(ctx);
        most = getEventListeners(request.signal, 'abort').length;
        await done;
        return 'read';
      });
      expect((await app.fetch(request)).status).toBe(200);
      expect(most).toBe(1);
      return getEventListeners(request.signal, 'abort').length;
    };
    expect(await counts((ctx) => ctx.req.text())).toBe(0);
    expect(await counts((ctx) => ctx.req.bytes())).toBe(0);
  });

  it('is given up, if it is read in chunks', async () => {
    const leaving = new AbortController();
    const { stream, wasCancelled } = silent();
    const init = { method: 'POST', body: stream, duplex: 'half', signal: leaving.signal };
    const app = new App().maxBodySize(10).post('/', (ctx) => ctx.req.bytes());
    const answer = app.fetch(new Request('http://x/', init as RequestInit));
    leaving.abort();
    expect((await answer).status).toBe(400);
    await expect.poll(wasCancelled).toBe(true);
  });

  /** One chunk in each turn of the event loop. */
  function endless(onChunk: (count: number) => void = () => {}): {
    stream: ReadableStream<Uint8Array>;
    cancelled: Promise<unknown>;
  } {
    let cancel: (reason: unknown) => void;
    const cancelled = new Promise<unknown>((resolve) => {
      cancel = resolve;
    });
    const chunk = new TextEncoder().encode('x');
    let count = 0;
    const stream = new ReadableStream<Uint8Array>({
      start: (own) => own.enqueue(new TextEncoder().encode(begun)),
      async pull(own) {
        await new Promise(setImmediate);
        count += 1;
        onChunk(count);
        own.enqueue(chunk);
      },
      cancel: (reason) => cancel(reason),
    });
    return { stream, cancelled };
  }

  const ways = { unlimited: () => App.withoutDefaults(), limited: () => new App() };
  it.each(
    Object.entries(reads).flatMap(([name, read]) =>
      [undefined, '999'].flatMap((length) =>
        (Object.keys(ways) as (keyof typeof ways)[]).map((way) => [name, way, length, read] as const),
      ),
    ),
  )('ends, and its source is cancelled: %s, %s, Content-Length %s', async (_, way, length, read) => {
    const leaving = new AbortController();
    const { stream, cancelled } = endless((count) => count === 5 && leaving.abort());
    const headers = { ...type, ...(length !== undefined && { 'Content-Length': length }) };
    const init = { method: 'POST', body: stream, duplex: 'half', headers, signal: leaving.signal };
    const app = ways[way]().post('/', async (ctx) => {
      await read(ctx);
      return 'read';
    });
    expect((await app.fetch(new Request('http://x/', init as RequestInit))).status).toBe(400);
    await cancelled;
  });

  it('is cancelled when the request was answered by its timeout', async () => {
    const { stream, cancelled } = endless();
    const app = App.withoutDefaults()
      .requestTimeout(20)
      .post('/', (ctx) => ctx.req.text());
    const init = { method: 'POST', body: stream, duplex: 'half' };
    expect((await app.fetch(new Request('http://x/', init as RequestInit))).status).toBe(408);
    await cancelled;
  });

  it.each([['text'], [Uint16Array.of(1, 2)]])(
    'is refused if it is a stream of other values: %j',
    async (value) => {
      const body = new ReadableStream({ start: (own) => own.enqueue(value) });
      const init = { method: 'POST', body, duplex: 'half' };
      const app = App.withoutDefaults().post('/', (ctx) => ctx.req.text());
      expect((await app.fetch(new Request('http://x/', init as RequestInit))).status).toBe(400);
    },
  );

  it.each([[undefined], ['4']])('is read whole if it is there: Content-Length %s', async (length) => {
    const leaving = new AbortController();
    const app = new App().post('/', async (ctx) => {
      leaving.abort();
      return ctx.req.text();
    });
    const headers = length === undefined ? {} : { 'Content-Length': length };
    const init = { method: 'POST', body: 'here', headers, signal: leaving.signal };
    expect(await (await app.fetch(new Request('http://x/', init))).text()).toBe('here');
  });
});

describe('a response over fetch', () => {
  const answer = (status: number, method = 'GET') =>
    App.withoutDefaults()
      .get('/', (ctx) => ctx.status(status).header('X-A', '1').text('grüße'))
      .fetch(new Request('http://x/', { method }));

  it.each([
    [200, 'GET', '7', 'grüße'],
    [404, 'GET', '7', 'grüße'],
    [200, 'HEAD', '7', ''],
    [204, 'GET', null, ''],
    [205, 'GET', null, ''],
    [304, 'GET', null, ''],
  ])('with %d to %s has its length and body', async (status, method, length, body) => {
    const response = await answer(status, method);
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Length')).toBe(length);
    expect(response.headers.get('X-A')).toBe('1');
    expect(await response.text()).toBe(body);
  });

  it('keeps a field that the App would add by default', async () => {
    const app = new App().get('/:by', (ctx) =>
      ctx.req.param('by') === 'own' ? ctx.header('X-Powered-By', 'me').text('') : '',
    );
    const by = async (path: string) =>
      (await app.fetch(new Request(`http://x${path}`))).headers.get('X-Powered-By');
    expect([await by('/own'), await by('/fw')]).toEqual(['me', 'fw']);
  });

  it.each([
    ['a stream', 'text/plain', 200, '5'],
    ['a stream of events', 'text/event-stream', 200, null],
    ['a stream that is not sent', 'text/plain', 204, null],
    ['a stream that is not sent', 'text/plain', 205, null],
    ['a stream that has not changed', 'text/plain', 304, '5'],
  ])('with the length of %s: %s, %d', async (_what, type, status, length) => {
    const app = new App().get('/', (ctx) => {
      ctx.status(status).header('Content-Type', type).header('Content-Length', 5);
      return ctx.stream(ReadableStream.from(['he', new TextEncoder().encode('llo')]));
    });
    const response = await app.fetch(new Request('http://x/'));
    expect(response.headers.get('Content-Length')).toBe(length);
    expect(await response.text()).toBe(status === 200 ? 'hello' : '');
  });
});

describe('a stream over fetch that fails', () => {
  const failing = (broken: unknown) =>
    new App().get('/a', (ctx) => {
      ctx.status(202);
      return ctx.stream(
        (async function* () {
          yield 'x';
          throw broken;
        })(),
      );
    });

  it('is reported with its request, and the client receives no details', async () => {
    const reported: unknown[] = [];
    const stop = subscribe(({ fields }) => reported.push(fields));
    const broken = FwError.internal('the password is 1234');
    const response = await failing(broken).fetch(new Request('http://x/a?b'));
    await expect(response.text()).rejects.toThrow(new Error('the response stream failed'));
    stop();
    expect(reported).toEqual([{ error: broken, status: 202, isCut: true, method: 'GET', path: '/a' }]);
  });

  it('is not reported if it fails because its reader left', async () => {
    const reported: unknown[] = [];
    const stop = subscribe(({ fields }) => reported.push(fields));
    let fail: ((error: Error) => void) | undefined;
    const waiting = {
      [Symbol.asyncIterator]: () => ({
        next: () =>
          new Promise<IteratorResult<string>>((resolve, reject) => {
            if (fail === undefined) resolve({ done: false, value: 'first' });
            fail = reject;
          }),
      }),
    };
    const app = new App().get('/', (ctx) => ctx.stream(waiting));
    const reader = (await app.fetch(new Request('http://x/'))).body?.getReader();
    await reader?.read();
    const pending = reader?.read();
    await reader?.cancel();
    fail?.(new Error('stopped'));
    expect(await pending).toEqual({ done: true, value: undefined });
    await new Promise(setImmediate);
    stop();
    expect(reported).toEqual([]);
  });
});

describe('a response over fetch that cannot be made', () => {
  const broken = new Error('broken');
  const response = Object.defineProperty(new FwResponse('', 200, undefined), 'stream', {
    get() {
      throw broken;
    },
  });

  it('is thrown at once, or rejects if it comes later', async () => {
    const request = new Request('http://x/');
    expect(() => fetchThrough((source, deliver) => deliver(response, source), request)).toThrow(broken);
    const later: Handle = async (source, deliver) => deliver(await Promise.resolve(response), source);
    await expect(fetchThrough(later, request)).rejects.toBe(broken);
  });

  it('rejects as well if there is a requestTimeout', async () => {
    const found = [undefined];
    const late = Object.defineProperty(new FwResponse('', 200, undefined), 'stream', {
      get() {
        // Dispatch looks at it once, before it is made.
        if (found.length === 0) throw broken;
        return found.pop();
      },
    });
    const app = new App().requestTimeout(60_000).get('/', () => late);
    await expect(app.fetch(new Request('http://x/'))).rejects.toBe(broken);
  });
});

describe('an App that cannot be sealed', () => {
  it('rejects every request', async () => {
    const app = new App().requireAuth({ except: ['/nowhere'] }).get('/', () => '');
    for (let i = 0; i < 2; i++) {
      await expect(app.fetch(new Request('http://x/'))).rejects.toThrow('/nowhere');
    }
  });
});
