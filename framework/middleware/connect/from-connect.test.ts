import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ways } from '../../conformance/test-client-ways.js';
import { App, Cookie, type Middleware } from '../../index.js';
import { startServer } from '../../testing/index.js';
import { subscribe } from '../../tracing/index.js';
import { type ConnectMiddleware, fromConnect } from './from-connect.js';

describe('fromConnect', () => {
  it('refuses values that are not middleware', () => {
    expect(() => fromConnect(undefined as never)).toThrow(
      'fromConnect takes a middleware (req, res, next), got undefined',
    );
    expect(() =>
      fromConnect(function onFail(_error: unknown, _req: unknown, _res: unknown, _next: unknown) {} as never),
    ).toThrow(
      "'onFail' has 4 parameters, like an error handler of Express: answer errors with app.onError()",
    );
  });
});

describe.each(Object.entries(ways))('a middleware of Connect %s', (_way, run) => {
  const answers = (middleware: Parameters<typeof fromConnect>[0]): App =>
    new App()
      .use(fromConnect(middleware))
      .get('/', (ctx) => ctx.setCookie(new Cookie('own', '1')).header('X-Both', 'handler').text('handler'));

  it('sets header fields that the handler may replace, adds cookies, and sees the final head', async () => {
    const seen: unknown[] = [];
    const app = answers((_req, res, next) => {
      res.setHeader('X-Both', 'middleware');
      res.setHeader('X-List', ['a', 'b']);
      res.setHeader('Set-Cookie', 'theirs=1');
      res.appendHeader('Set-Cookie', 'more=1');
      res.setHeader('X-Gone', 'x');
      res.removeHeader('x-gone');
      res.on('finish', () =>
        seen.push(res.statusCode, res.getHeader('x-both'), res.headersSent, res.writableEnded),
      );
      next();
    });
    await run(app, async (client) => {
      const answer = await client.get('/');
      answer.assertText('handler').assertHeader('x-both', 'handler').assertHeader('x-list', 'a, b');
      expect(answer.headers.getSetCookie()).toEqual(['theirs=1', 'more=1', 'own=1; Path=/']);
      expect(answer.header('x-gone')).toBeUndefined();
      expect(seen).toEqual([200, 'handler', true, true]);
    });
  });

  it('may send a response', async () => {
    const app = answers((_req, res) => {
      res.writeHead(401, 'No', { 'WWW-Authenticate': 'Basic', 'Content-Type': 'text/plain' });
      res.write('who ');
      res.end('are you?');
    });
    await run(app, async (client) => {
      (await client.get('/'))
        .assertStatus(401)
        .assertHeader('www-authenticate', 'Basic')
        .assertText('who are you?');
      (await client.head('/')).assertStatus(401).assertText('');
    });
  });

  it('may send a response without a field that the App adds', async () => {
    const app = answers((_req, res) => {
      res.removeHeader('X-Powered-By');
      res.end('mine');
    });
    await run(app, async (client) => {
      const answer = await client.get('/');
      expect(answer.assertText('mine').header('x-powered-by')).toBeUndefined();
      expect((await client.get('/nope')).header('x-powered-by')).toBeUndefined();
    });
  });

  it('is notified of the end of a response to HEAD, whose stream nobody reads', async () => {
    const events: string[] = [];
    const app = new App()
      .use(
        fromConnect((_req, res, next) => {
          for (const name of ['finish', 'close']) res.on(name, () => events.push(name));
          next();
        }),
      )
      .get('/', (ctx) => ctx.stream(ReadableStream.from(['text']) as AsyncIterable<string>));
    await run(app, async (client) => {
      (await client.head('/')).assertStatus(200);
      await expect.poll(() => events).toEqual(['finish', 'close']);
    });
  });

  it('leaves a stream the fields that describe it', async () => {
    const app = new App().use(fromConnect((_req, _res, next) => next())).get('/', (ctx) =>
      ctx
        .header('Content-Length', '4')
        .header('Content-Type', 'text/css')
        .stream(ReadableStream.from(['text']) as AsyncIterable<string>),
    );
    await run(app, async (client) => {
      const answer = await client.get('/');
      answer.assertText('text').assertHeader('content-length', '4').assertHeader('content-type', 'text/css');
    });
  });

  it('leaves a stream that is being read already the error that says so', async () => {
    const taken = (): ReadableStream => {
      const stream = ReadableStream.from(['text']);
      stream.getReader();
      return stream;
    };
    const app = new App()
      .use(fromConnect((_req, _res, next) => next()))
      .get('/', (ctx) => ctx.stream(taken() as AsyncIterable<string>));
    const errors: string[] = [];
    onTestFinished(
      subscribe(({ level, fields }) => {
        if (level === 'error') errors.push(String(fields.error));
      }),
    );
    await run(app, async (client) => {
      (await client.get('/')).assertStatus(500);
    });
    expect(errors.join()).toContain('the stream of a response is already being read');
  });

  it('is notified of the end of a stream that fails', async () => {
    const events: string[] = [];
    async function* failing() {
      yield 'first';
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('broken');
    }
    const app = new App()
      .use(
        fromConnect((_req, res, next) => {
          for (const name of ['finish', 'close']) res.on(name, () => events.push(name));
          next();
        }),
      )
      .get('/', (ctx) => ctx.stream(failing()));
    await run(app, async (client) => {
      await client.get('/').catch(() => {});
      await expect.poll(() => events).toEqual(['close']);
    });
  });

  it('may send a response later, in one piece, and is notified of its end', async () => {
    const done = deferred();
    const app = answers((_req, res) => {
      res.on('finish', () => done.resolve());
      setImmediate(() => {
        res.statusCode = 503;
        res.end('c2lja8O8', 'base64');
      });
    });
    await run(app, async (client) => {
      const answer = await client.get('/');
      answer.assertStatus(503).assertText('sickü').assertHeader('content-length', '6');
      await done.promise;
    });
  });

  it('waits for a slow reader of the response that it writes', async () => {
    const app = answers((_req, res) => {
      let left = 100;
      const write = () => {
        while (left > 0) {
          left -= 1;
          if (!res.write(new Uint8Array(50_000))) {
            res.once('drain', write);
            return;
          }
        }
        res.end();
      };
      write();
    });
    await run(app, async (client) => {
      expect((await client.get('/')).bytes.length).toBe(5_000_000);
    });
  });

  it('is told when the reader of its response has left, and what it writes then is dropped', async () => {
    let written: unknown;
    const closed = deferred();
    const app = answers((_req, res) => {
      res.on('close', () => {
        written = [res.write('late'), res.destroyed, res.writableFinished];
        closed.resolve();
      });
      res.write('first');
    });
    await run(app, async (client) => {
      const stream = await client.stream('/');
      await stream.next();
      await stream.close();
      await closed.promise;
    });
    expect(written).toEqual([false, true, false]);
  });

  it('passes errors on to the chain', async () => {
    const app = new App()
      .use(
        fromConnect((req, _res, next) => {
          if (req.url === '/sync') throw new Error('sync');
          if (req.url === '/async') return Promise.reject(new Error('async'));
          if (req.url === '/string') return next('string');
          return next(req.url === '/route' ? 'route' : new Error('next'));
        }),
      )
      .onError((error, ctx) => ctx.text(error instanceof Error ? error.message : `thrown ${error}`));
    await run(app, async (client) => {
      (await client.get('/sync')).assertStatus(500).assertText('sync');
      (await client.get('/async')).assertText('async');
      (await client.get('/next')).assertText('next');
      (await client.get('/string')).assertText('thrown string');
      (await client.get('/route')).assertText(
        /called next\('route'\), which only the router of Express knows/,
      );
    });
  });

  it.each<[string, Parameters<typeof fromConnect>[0], RegExp]>([
    [
      'reading the body',
      (req) => req.on('data', () => {}),
      /^req\.on\('data'\) is not available under fromConnect/,
    ],
    [
      'reading the body when it is there',
      (req, _res, next) => next(req.on('readable', () => {}) && undefined),
      /^req\.on\('readable'\) is not available/,
    ],
    ['piping the body', (req, res) => req.pipe(res), /^req\.pipe\(\) is not available/],
    ['methods of Express', (_req, res) => res.status(200).json({}), /^res\.status\(\) belongs to Express/],
    [
      'rewriting the answer',
      function shrink(_req, res, next) {
        res.write = () => true;
        next();
      },
      /^'shrink' replaces res\.write, to change/,
    ],
    [
      'a header that HTTP forbids',
      (_req, res, next) => next(res.setHeader('X', 'a\nb') && undefined),
      /^invalid value of header 'X'/,
    ],
    ['answering without a status', (_req, res) => res.writeHead(42).end(), /^42 is not a response status/],
  ])('is refused with an error if it cannot be adapted: %s', async (_what, middleware, message) => {
    const app = answers(middleware).onError((error, ctx) => ctx.text((error as Error).message));
    await run(app, async (client) => {
      (await client.get('/')).assertStatus(500).assertText(message);
    });
  });

  it('may change the head by replacing writeHead, and a stream is cancelled if that throws', async () => {
    const stopped = deferred();
    const hooked = (
      change: (res: { setHeader(name: string, value: string): void; statusCode: number }) => void,
    ) =>
      fromConnect((_req, res, next) => {
        const writeHead = res.writeHead;
        res.writeHead = (status: number) => {
          change(res);
          return writeHead.call(res, status === 200 ? res.statusCode : status);
        };
        next();
      });
    const inner = new App().use(hooked((res) => res.setHeader('X', 'a\nb'))).get('/', (ctx) => {
      async function* produce() {
        try {
          for (;;) yield 'endless';
        } finally {
          stopped.resolve();
        }
      }
      const chunks = produce();
      return chunks.next().then(() => ctx.stream(chunks));
    });
    const app = new App()
      .use(
        hooked((res) => {
          res.setHeader('X-Hooked', String(res.statusCode));
          if (res.statusCode === 200) res.statusCode = 203;
        }),
      )
      .get('/', () => 'text')
      .route('/stream', inner);
    await run(app, async (client) => {
      (await client.get('/')).assertStatus(203).assertHeader('x-hooked', '200').assertText('text');
      (await client.get('/stream')).assertStatus(500).assertHeader('x-hooked', '500');
      await stopped.promise;
    });
  });

  it('that fails after its response is reported', async () => {
    const errors: unknown[] = [];
    const collected = deferred();
    const stop = subscribe((event) => {
      if (event.level !== 'error') return;
      errors.push(event);
      collected.resolve();
    });
    try {
      const app = answers((_req, res, next) => {
        res.end('mine');
        next();
      });
      await run(app, async (client) => {
        (await client.get('/')).assertStatus(200).assertText('mine');
        await collected.promise;
      });
    } finally {
      stop();
    }
    expect(JSON.stringify(errors)).toContain('called next() twice, or after it had answered');
  });

  it.each<[string, string, number, ConnectMiddleware]>([
    [
      'next(error) after its response, which is too late',
      'called next() twice, or after it had answered',
      200,
      (_req, res, next) => {
        res.end('text');
        setImmediate(() => next(new Error('too late')));
      },
    ],
    [
      'next() twice',
      'called next() twice, or after it had answered',
      200,
      (_req, _res, next) => {
        next();
        setImmediate(next);
      },
    ],
    [
      'a response after next(), as middleware for timeouts makes',
      'answered after it had called next()',
      500,
      (_req, res, next) => {
        next();
        setImmediate(() => res.writeHead(503).end('late'));
      },
    ],
  ])(
    'that misuses what it has later is reported, and does not end the process: %s',
    async (_case, message, status, middleware) => {
      const errors: unknown[] = [];
      const [collected, handled] = [deferred(), deferred()];
      const stop = subscribe(({ level, fields }) => {
        if (level !== 'error') return;
        errors.push(fields.error);
        collected.resolve();
      });
      try {
        const app = new App().use(fromConnect(middleware)).get('/', async () => {
          await handled.promise;
          return 'text';
        });
        await run(app, async (client) => {
          const response = client.get('/');
          await collected.promise;
          expect(String(errors[0])).toContain(message);
          handled.resolve();
          (await response).assertStatus(status);
        });
      } finally {
        stop();
      }
    },
  );

  it('sees properties that other middleware added to the request', async () => {
    const app = new App()
      .use(
        fromConnect((req, _res, next) => {
          req.user = 'Ada';
          next();
        }),
      )
      .use(
        fromConnect((req, res, next) => {
          res.setHeader('X-User', req.user);
          res.setHeader(
            'X-Seen',
            [req.method, req.originalUrl, req.headers['x-sent'], req.socket.encrypted].join(' '),
          );
          next();
        }),
      )
      .post('/path', async (ctx) => ctx.text(await ctx.req.text()));
    await run(app, async (client) => {
      const answer = await client.post('/path?q=1', { body: 'body', headers: { 'X-Sent': 'yes' } });
      answer
        .assertText('body')
        .assertHeader('x-user', 'Ada')
        .assertHeader('x-seen', 'POST /path?q=1 yes false');
    });
  });

  it('that answers after next() is not read: what it writes does not pile up', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const [answered, handled] = [deferred(), deferred()];
    let takesMore: boolean | undefined;
    let isClosed = false;
    const late = fromConnect((_req, res, next) => {
      next();
      setImmediate(() => {
        res.on('close', () => {
          isClosed = true;
        });
        res.write('late');
        takesMore = res.write('and more');
        answered.resolve();
      });
    });
    const app = new App().use(late).get('/', async () => {
      await handled.promise;
      return 'text';
    });
    await run(app, async (client) => {
      const response = client.get('/');
      await answered.promise;
      await expect.poll(() => isClosed).toBe(true);
      expect(takesMore).toBe(false);
      handled.resolve();
      await response;
    });
  });

  it('may be one of many that listen, which no warning takes for a leak', async () => {
    const warned = vi.spyOn(process, 'emitWarning');
    onTestFinished(() => warned.mockRestore());
    const app = new App();
    for (let count = 0; count < 12; count += 1) {
      app.use(
        fromConnect((req, res, next) => {
          for (const emitter of [req, res, req.socket]) emitter.on('close', () => {});
          next();
        }),
      );
    }
    await run(
      app.get('/', () => 'text'),
      async (client) => {
        (await client.get('/')).assertText('text');
      },
    );
    expect(warned).not.toHaveBeenCalled();
  });

  it('is notified when the client leaves', async () => {
    const entered = deferred();
    const closed = deferred();
    const app = new App()
      .use(
        fromConnect((req, res, next) => {
          Promise.all([once(req, 'close'), once(res, 'close'), once(req.socket, 'close')]).then(() =>
            closed.resolve(),
          );
          next();
        }),
      )
      .get('/', (ctx) => {
        entered.resolve();
        return once(ctx.signal, 'abort').then(() => 'late');
      });
    await run(app, async (client) => {
      const controller = new AbortController();
      const answer = client.get('/', { signal: controller.signal });
      answer.catch(() => {});
      await entered.promise;
      controller.abort();
      await closed.promise;
    });
  });
});

describe('fromConnect over a socket', () => {
  it('sees the address of the client', async () => {
    const addresses: Middleware = fromConnect((req, res) => {
      res.end([req.socket.remoteAddress, req.connection.remotePort > 0, req.ip].join(' '));
    });
    const server = await startServer(new App().use(addresses).trustProxy(true));
    const answer = await server.client.get('/', { headers: { 'X-Forwarded-For': '203.0.113.7' } });
    await server.close();
    answer.assertText('127.0.0.1 true 203.0.113.7');
  });
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
