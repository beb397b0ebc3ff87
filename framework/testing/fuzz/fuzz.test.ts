// What must hold is broken in each way, and is found, shrunk and shown; an App in which all holds passes.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { apiKey } from '../../auth/api-key/index.js';
import { Jwt } from '../../auth/jwt/index.js';
import { App, Context, FwError, Json, Path, Principal, Query, route, Valid } from '../../index.js';
import { csrf } from '../../middleware/csrf/index.js';
import { RpcMode, RpcRegistry } from '../../rpc/index.js';
import { MemoryStore, session } from '../../session/index.js';
import { websocket } from '../../websocket/index.js';
import {
  type FuzzCheck,
  FuzzError,
  type FuzzFailure,
  type FuzzOptions,
  type FuzzReport,
  fuzz,
  startServer,
  TestClient,
} from '../index.js';

const jwt = Jwt.hs256('a secret of at least 32 bytes, really').expiresIn(60);
const signedIn = jwt.optional().build();
const bearer = (sub: string) => ({ authorization: `Bearer ${jwt.sign({ sub })}` });
const identities = { ada: () => bearer('ada'), bob: () => bearer('bob') };

/** What handlers throw is written to the log. */
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function failuresOf(app: App, options: FuzzOptions = {}): Promise<readonly FuzzFailure[]> {
  try {
    await fuzz(app, { seed: 7, ...options });
    return [];
  } catch (error) {
    if (error instanceof FuzzError) return error.report.failures;
    throw error;
  }
}

async function checksOf(app: App, options?: FuzzOptions): Promise<FuzzCheck[]> {
  return (await failuresOf(app, options)).map(({ check }) => check);
}

/** Undefined for what is not an object of JSON. */
function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A document of GET /a. */
function documentOf(responses: object): object {
  const info = { title: 'A', version: '1' };
  return { openapi: '3.1.0', info, paths: { '/a': { get: { responses } } } };
}

/** Notes with owners, whose checks each test may leave out. */
function notes({ isOwnerChecked = true, isOwnerWritten = true } = {}): App {
  const Note = z.object({ id: z.uuid(), text: z.string() });
  const all = new Map<string, { id: string; text: string; owner: string }>();
  const app = new App().use(signedIn).requireAuth();
  const find = (id: string, owner: string, isChecked: boolean) => {
    const note = all.get(id);
    if (note === undefined || (isChecked && note.owner !== owner))
      throw FwError.notFound(`there is no note ${id}`);
    return note;
  };
  const shown = ({ id, text }: { id: string; text: string }) => ({ id, text });
  app.get(route('/notes', { returns: z.array(Note) }), Principal, ({ id }) =>
    [...all.values()].filter(({ owner }) => owner === id).map(shown),
  );
  app.post(
    route('/notes', { returns: { 201: Note } }),
    Valid(z.object({ text: z.string().min(1).max(20) })),
    Principal,
    ({ text }, { id: owner = '' }) => {
      const note = { id: crypto.randomUUID(), text, owner };
      all.set(note.id, note);
      return shown(note);
    },
  );
  app.get(route('/notes/:id', { returns: Note }), Path('id', z.uuid()), Principal, (id, { id: owner = '' }) =>
    shown(find(id, owner, isOwnerChecked)),
  );
  app.put(
    route('/notes/:id', { returns: Note }),
    Path('id', z.uuid()),
    Valid(z.object({ text: z.string() })),
    Principal,
    (id, { text }, { id: owner = '' }) => {
      const note = find(id, owner, isOwnerWritten);
      note.text = text;
      return { id, text };
    },
  );
  return app;
}

describe('an App in which all holds', () => {
  it('passes, and says what was called, and how often it was accepted', async () => {
    const report = await fuzz(notes(), { identities });
    expect(report.failures).toEqual([]);
    expect(report.operations.map(({ name }) => name)).toEqual([
      'POST /notes',
      'GET /notes',
      'GET /notes/:id',
      'PUT /notes/:id',
    ]);
    for (const { requests, accepted, statuses } of report.operations) {
      expect(accepted).toBeGreaterThan(0);
      expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(requests);
    }
    expect(report.requests).toBeGreaterThanOrEqual(160);
  });

  it('passes with the checks of sessions and CSRF tokens, whose cookies it keeps', async () => {
    const app = new App()
      .use(session(new MemoryStore(), { secure: false }))
      .use(csrf({ secret: 'x'.repeat(32), secure: false }));
    app.get('/', () => 'home');
    app.post(route('/sign-in', { returns: z.null() }), Context, (ctx) => {
      ctx.session().signIn('ada');
      return null;
    });
    app.post(route('/change', { returns: z.null() }), Context, (ctx) => {
      if (ctx.principal() === undefined) throw FwError.unauthorized('sign in');
      return null;
    });
    const ada = async (client: {
      post: (path: string, options: object) => Promise<unknown>;
      cookie(name: string): string | undefined;
    }) => {
      await client.post('/sign-in', { headers: { 'x-csrf-token': client.cookie('csrf') ?? '' } });
      return undefined;
    };
    const { operations } = await fuzz(app, { identities: { ada } });
    expect(operations.find(({ name }) => name === 'POST /change')?.accepted).toBeGreaterThan(0);
  });

  it('takes a cookie that an identity returns for one of a browser, with a token against CSRF beside it', async () => {
    const app = new App()
      .use(session(new MemoryStore(), { secure: false }))
      .use(csrf({ secret: 'x'.repeat(32), secure: false }));
    app
      .get('/', () => 'home')
      .get('/sign-in', Context, (ctx) => {
        ctx.session().signIn('ada');
        return 'signed in';
      });
    app.post(route('/change', { returns: z.null() }), Context, (ctx) => {
      if (ctx.principal() === undefined) throw FwError.unauthorized('sign in');
      return null;
    });
    const { headers } = await new TestClient(app).get('/sign-in');
    const cookie = headers.getSetCookie().find((one) => !one.startsWith('csrf=')) ?? '';
    const identities = { ada: () => ({ Cookie: cookie.split(';', 1)[0] ?? '' }) };
    const { operations } = await fuzz(app, { identities, only: ['POST /change'] });
    expect(operations[0]?.accepted).toBeGreaterThan(0);
    // Without the token.
    expect(operations[0]?.statuses).toHaveProperty('403');
  });

  it('repeats a run by its seed', async () => {
    const requestsOf = async (seed: number): Promise<string[]> => {
      const paths: string[] = [];
      const app = new App().get(route('/:name', {}), Context, (ctx) => {
        paths.push(ctx.req.path);
        return 1;
      });
      await fuzz(app, { seed });
      return paths;
    };
    const first = await requestsOf(1);
    expect(first.length).toBeGreaterThanOrEqual(30);
    expect(await requestsOf(1)).toEqual(first);
    expect(await requestsOf(2)).not.toEqual(first);
  });
});

describe('an App in which something does not hold', () => {
  const broken: [check: FuzzCheck, what: string, app: () => App, options?: FuzzOptions][] = [
    [
      'server error',
      'an error of a handler',
      () =>
        new App().post('/a', Json(z.object({ name: z.string() })), ({ name }) => {
          if (name.includes("'")) throw new Error('a quote');
          return 1;
        }),
    ],
    [
      'server error',
      'an error of a procedure, in a batch too',
      () => {
        const rpc = new RpcRegistry().queryWithTypes(
          'half',
          ({ n }: { n: number }) => 1 / JSON.parse(n < 0 ? '?' : '1'),
          '{ n: number }',
          'number',
        );
        return new App().mountRpc('/rpc', rpc);
      },
    ],
    [
      'server error',
      'an error of a procedure over REST',
      () => {
        const rpc = RpcRegistry.withMode(RpcMode.Rest).mutationWithTypes(
          'set',
          ({ n }: { n: number }) => JSON.parse(n < 0 ? '?' : '1'),
          '{ n: number }',
          'number',
        );
        return new App().mountRest('/api', rpc);
      },
    ],
    [
      'server error',
      'an error of a query over REST',
      () => {
        const rpc = RpcRegistry.withMode(RpcMode.Rest).queryWithTypes(
          'find',
          ({ name }: { name: string }) => JSON.parse(name.includes("'") ? '?' : '1'),
          '{ name: string }',
          'number',
        );
        return new App().mountRest('/api', rpc);
      },
    ],
    [
      'server error',
      'an error of a subscription over REST',
      () => {
        const fail = async function* () {
          yield* [1];
          throw new Error('no more');
        };
        const rpc = RpcRegistry.withMode(RpcMode.Rest).subscriptionWithTypes('all', fail, 'void', 'number');
        return new App().mountRest('/api', rpc);
      },
    ],
    [
      'no answer',
      'a handler that never ends',
      () => new App().get(route('/a', {}), () => new Promise<string>(() => {})),
      { runs: 1, timeoutMs: 30 },
    ],
    [
      'access',
      'a route that should have a guard',
      () => new App().use(signedIn).get(route('/a', {}), () => 1),
      { identities, open: [] },
    ],
    [
      'access',
      'a guard that lets strangers in',
      () => {
        const anyKey = apiKey({ store: { validate: (key) => ({ id: key, scopes: [] }) }, optional: true });
        return new App()
          .use(anyKey)
          .requireAuth()
          .get(route('/a', {}), () => 1);
      },
    ],
    [
      'access',
      'a guard that takes any cookie',
      () =>
        new App().get('/a', (ctx) => {
          if (ctx.cookie('sid') === undefined) throw FwError.unauthorized('sign in');
          return 1;
        }),
      {
        api: {
          ...documentOf({ 200: { description: 'Fine.' } }),
          components: { securitySchemes: { sid: { type: 'apiKey', in: 'cookie', name: 'sid' } } },
          security: [{ sid: [] }],
        },
      },
    ],
    [
      'undeclared status',
      'another status',
      () => new App().get(route('/a', {}), Context, (ctx) => ctx.status(202).json('x')),
      { api: documentOf({ 200: { description: 'Fine.' } }) },
    ],
    [
      'undeclared body',
      'another body',
      () =>
        new App().mountRpc(
          '/rpc',
          new RpcRegistry().queryWithTypes('a', () => 'one' as never, 'void', 'number'),
        ),
    ],
    [
      'undeclared field',
      'a field that came along',
      () =>
        new App().mountRpc(
          '/rpc',
          new RpcRegistry().queryWithTypes('me', () => ({ id: 1, ownerId: 'x' }), 'void', '{ id: number }'),
        ),
    ],
    [
      'secret',
      'a field that no answer should have',
      () =>
        new App().mountRpc(
          '/rpc',
          new RpcRegistry().queryWithTypes(
            'me',
            () => ({ id: 1, passwordHash: 'x' }),
            'void',
            '{ id: number; passwordHash: string }',
          ),
        ),
    ],
    [
      'HEAD',
      'a HEAD that is answered in another way',
      () =>
        new App()
          .use((ctx, next) => (ctx.req.method === 'HEAD' ? ctx.status(404).text('') : next()))
          .get(route('/a', {}), () => 1),
    ],
    [
      'HEAD',
      'a HEAD with another media type',
      () =>
        new App()
          .use((ctx, next) => (ctx.req.method === 'HEAD' ? ctx.text('') : next()))
          .get(route('/a', {}), () => 1),
    ],
    [
      'resource',
      'an address that fails',
      () =>
        new App()
          .get('/a/1', () => {
            throw new Error('not there');
          })
          .post(route('/a', { returns: { 201: z.null() } }), Context, (ctx) => {
            ctx.header('Location', '/a/1');
            return null;
          }),
    ],
    [
      'resource',
      'an address that leads nowhere',
      () =>
        new App().post(route('/a', { returns: { 201: z.null() } }), Context, (ctx) => {
          ctx.header('Location', '/a/1');
          return null;
        }),
    ],
    [
      'internals',
      'a stack in an answer',
      () =>
        new App().get(route('/a/:id', {}), Context, (ctx) =>
          ctx.status(404).text(new Error('gone').stack ?? ''),
        ),
    ],
    [
      'markup',
      'a text that is not escaped',
      () =>
        new App().get(route('/a', {}), Query(z.object({ name: z.string() })), Context, ({ name }, ctx) =>
          ctx.html(`<b>${name}</b>`),
        ),
    ],
    [
      'redirect',
      'a redirection to anywhere',
      () =>
        new App().get(route('/a', {}), Query(z.object({ to: z.string() })), Context, ({ to }, ctx) =>
          ctx.redirect(encodeURI(to)),
        ),
    ],
    [
      'shared cache',
      'an answer that caches may share',
      () =>
        new App()
          .use(signedIn)
          .requireAuth()
          .get(route('/a', {}), Context, (ctx) => ctx.header('Cache-Control', 'public, max-age=60').json(1)),
      { identities },
    ],
    [
      'shared cache',
      'an answer that caches may share, and no browser',
      () =>
        new App()
          .use(signedIn)
          .requireAuth()
          .get(route('/a', {}), Context, (ctx) =>
            ctx.header('Cache-Control', 'max-age=0, s-maxage=9').json(1),
          ),
      { identities },
    ],
    [
      'foreign origin',
      'the origin of every sandbox',
      () =>
        new App().get(route('/a', {}), Context, (ctx) =>
          ctx
            .header('Access-Control-Allow-Origin', 'null')
            .header('Access-Control-Allow-Credentials', 'true')
            .json(1),
        ),
    ],
    [
      'foreign origin',
      'an origin that may read all',
      () =>
        new App().get(route('/a', {}), Context, (ctx) =>
          ctx
            .header('Access-Control-Allow-Origin', ctx.req.header('origin') ?? '*')
            .header('Access-Control-Allow-Credentials', 'true')
            .json(1),
        ),
    ],
    [
      'prototype',
      'a prototype that can be written',
      () => {
        const merge = (into: Record<string, unknown>, from: object): object => {
          for (const [key, value] of Object.entries(from)) {
            if (typeof value === 'object' && value !== null && typeof into[key] === 'object')
              merge(into[key] as never, value);
            else into[key] = value;
          }
          return into;
        };
        return new App().post(route('/a', {}), Context, async (ctx) => {
          const body = parsed(await ctx.req.text());
          if (body === undefined) throw FwError.badRequest('send an object');
          return Object.keys(merge({}, body)).length;
        });
      },
    ],
    [
      'not alive',
      'a process that answers nothing afterwards',
      () => {
        let isBroken = false;
        const app = new App().get('/', () => {
          if (isBroken) throw new Error('broken');
          return 'home';
        });
        return app.get(route('/break', {}), () => {
          isBroken = true;
          return 1;
        });
      },
    ],
  ];

  it.each(broken)('finds %s: %s', async (check, _what, app, options = {}) => {
    expect(await checksOf(app(), options)).toContain(check);
  });

  it('finds a POST that a page of another site may send', async () => {
    const app = new App().use(session(new MemoryStore(), { secure: false }));
    const protect = csrf({ secret: 'x'.repeat(32), secure: false });
    app
      .get('/', () => 'home')
      .post('/sign-in', (ctx) => {
        ctx.session().signIn('ada');
        return 1;
      });
    app.get(route('/protected', { use: [protect] }), () => 1);
    app.post(route('/open', {}), () => 1);
    const ada = async (client: { post: (path: string) => Promise<unknown> }) =>
      void (await client.post('/sign-in'));
    expect(await checksOf(app, { identities: { ada: ada as never } })).toContain('missing token');
  });

  it('finds what another user reads, and what another user changes', async () => {
    const [read] = await failuresOf(notes({ isOwnerChecked: false }), { identities });
    expect(read).toMatchObject({ check: 'other users', operation: 'GET /notes/:id', caller: 'bob' });
    expect(read?.message).toMatch(/^answers bob with ".*", which only ada had been answered$/);
    const [written] = await failuresOf(notes({ isOwnerWritten: false }), { identities });
    expect(written).toMatchObject({
      check: 'other users',
      operation: 'PUT /notes/:id',
      message: expect.stringMatching(/^a request of bob changed what GET \/notes.* answers ada$/),
    });
    const shared = ['PUT /notes/*'];
    expect(await checksOf(notes({ isOwnerWritten: false }), { identities, shared })).toEqual([]);
  });

  it('finds that another user ends a sign-in, though earlier requests have ended all of them', async () => {
    const signIns = new Map<string, string>();
    const signIn = (user: string) => () => {
      signIns.set(crypto.randomUUID(), user);
      return bearer(user);
    };
    const own = (user: string) => [...signIns].filter(([, owner]) => owner === user).map(([id]) => ({ id }));
    const item = z.object({ id: z.uuid() });
    const app = new App()
      .use(jwt.build())
      .get(route('/sign-ins', { returns: z.array(item) }), Principal, ({ id = '' }) => own(id))
      .delete(route('/sign-ins', { returns: { 204: null } }), Principal, ({ id: user = '' }) => {
        for (const { id } of own(user)) signIns.delete(id);
      })
      .delete(route('/sign-ins/:id', { returns: { 204: null } }), Path('id', z.uuid()), (id) => {
        if (!signIns.delete(id)) throw FwError.notFound('there is no such sign-in');
      });
    const signsIn = { ada: signIn('ada'), bob: signIn('bob') };
    const found = await failuresOf(app, { identities: signsIn });
    expect(found).toMatchObject([{ check: 'other users', operation: 'DELETE /sign-ins/:id', caller: 'bob' }]);
  });

  it('lets users stay who they are if they cannot sign in again', async () => {
    const seen = new Set<string>();
    const once = (user: string) => () => {
      if (seen.has(user)) throw new Error('the password was changed');
      seen.add(user);
      return bearer(user);
    };
    const app = notes({ isOwnerChecked: false });
    const error = await fuzz(app, { identities: { ada: once('ada'), bob: once('bob') } }).catch(
      (thrown: unknown) => thrown,
    );
    const { report, message } = error as FuzzError;
    expect(report.failures[0]).toMatchObject({
      check: 'other users',
      operation: 'GET /notes/:id',
      caller: 'bob',
    });
    const note =
      'so that its access to what is of others was tried with what was left: the password was changed';
    expect(report.notes).toEqual(['ada', 'bob'].map((name) => `${name} could not sign in again, ${note}`));
    expect(message).toContain(`\n\nNote: ada could not sign in again, ${note}`);
  });

  it('says that nothing of the first user could be tried as the second', async () => {
    const app = new App().post(route('/a', { use: [jwt.build()] }), () => 1);
    const { notes: said } = await fuzz(app, { identities });
    expect(said).toEqual([
      'ada was answered nothing twice in the same way, so that nothing could be tried as bob',
    ]);
  });

  it('finds a rejection that nobody handles', async () => {
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    try {
      const app = new App().get(route('/a', {}), () => {
        void Promise.reject(new Error('forgotten'));
        return 1;
      });
      const [failure] = await failuresOf(app);
      expect(failure).toMatchObject({
        check: 'unhandled rejection',
        message: expect.stringContaining('forgotten'),
      });
    } finally {
      for (const one of others) process.on('unhandledRejection', one);
    }
  });

  it('finds faults of WebSockets: who may connect, what they send, and what breaks them', async () => {
    const receives = { say: z.object({ text: z.string(), to: z.int().optional() }) };
    const sends = { said: z.object({ text: z.string() }) };
    const fine = new App().websocket(
      route('/live', {}),
      websocket({ receives, sends, on: { say: (socket, { text }) => void socket.emit('said', { text }) } }),
    );
    const { operations } = await fuzz(fine, { runs: 10 });
    expect(operations).toMatchObject([{ name: 'WEBSOCKET /live', requests: 5, accepted: 5 }]);
    const say = (_socket: unknown, { to }: { to?: number | undefined }): void => {
      if (to !== undefined) throw new Error('to');
    };
    const throws = new App().websocket(route('/live', {}), websocket({ receives, sends, on: { say } }));
    const [failure] = await failuresOf(throws);
    expect(failure).toMatchObject({ check: 'server error', operation: 'WEBSOCKET /live' });
    expect(failure?.message).toMatch(
      /closed the connection with 1011 \(internal error\); it had been sent:\n {3}\{"event":"say"/,
    );
    expect(await checksOf(fine, { open: [] })).toContain('access');
  });
});

describe('a failure', () => {
  const app = () =>
    new App().post(
      route('/items/:id', {}),
      Path('id', z.string()),
      Json(z.object({ name: z.string(), tags: z.array(z.string()).optional(), size: z.number().optional() })),
      (_id, { tags = [] }) => {
        if (tags.length > 1) throw new Error('two tags');
        return 1;
      },
    );

  async function reportOf(target: App): Promise<{ report: FuzzReport; message: string }> {
    try {
      await fuzz(target, { seed: 7 });
    } catch (error) {
      if (error instanceof FuzzError) return { report: error.report, message: error.message };
    }
    throw new Error('nothing was found');
  }

  it('is shrunk to one small request, as a command and as a test', async () => {
    const { report, message } = await reportOf(app());
    const [failure] = report.failures;
    expect(report.failures).toHaveLength(1);
    // What does not matter is gone.
    expect(failure?.curl).toContain(`--data-raw '{"name":"","tags":["",""]}'`);
    expect(failure?.test).toContain(String.raw`body: "{\"name\":\"\",\"tags\":[\"\",\"\"]}",`);
    expect(message).toMatch(
      /^1 failure in \d+ requests to 1 operation; seed: 7\n\n1\) POST \/items\/:id: server error/,
    );
  });

  it('is made small where chance did not find it', async () => {
    const most = new App().post(
      route('/items', {}),
      Json(
        z.object({ name: z.string(), note: z.string().max(700).optional(), more: z.object({ a: z.int() }) }),
      ),
      ({ note }) => {
        if (note?.length === 700) throw new Error('too long');
        return 1;
      },
    );
    const { report } = await reportOf(most);
    expect(report.failures).toHaveLength(1);
    expect(report.failures[0]?.test).toContain(
      String.raw`body: "{\"more\":{\"a\":0},\"name\":\"\",\"note\":\"${'x'.repeat(700)}\"}",`,
    );
  });

  it('can be repeated by the command, and by the test', async () => {
    const target = app();
    const { report } = await reportOf(target);
    const [failure] = report.failures;
    await using server = await startServer(target);
    const command =
      failure?.curl
        .replace('http://localhost', server.url)
        .replace(/^curl/, 'curl -s -o /dev/null -w "%{http_code}"') ?? '';
    const { execFile } = await import('node:child_process');
    const status = await new Promise<string>((resolve, reject) => {
      execFile('sh', ['-c', command], (error, stdout) => (error ? reject(error) : resolve(stdout)));
    });
    expect(status).toBe('500');
    // The test is JavaScript.
    const text = (failure?.test ?? '').replace(/^test\(.*?, (async .*)\);$/s, 'return ($1)();');
    expect(() =>
      execFileSync(process.execPath, ['--check', '-'], { input: `async () => { ${text} }` }),
    ).not.toThrow();
  });
});

describe('a server at an address', () => {
  const api = {
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: { '/a': { get: { responses: { 200: { description: 'OK' } } } } },
  };

  it('that ends connections is found, with the request', async () => {
    const server = createServer(({ url, socket }, response) => {
      if (url === '/') response.end();
      else socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const error = await fuzz(url, { api, runs: 2 }).catch((thrown: unknown) => thrown);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(error).toBeInstanceOf(FuzzError);
    expect((error as FuzzError).report.failures).toEqual([
      expect.objectContaining({
        operation: 'GET /a',
        check: 'no answer',
        message: 'the answer broke off: socket hang up',
        curl: expect.stringContaining(`${url}/a`),
      }),
    ]);
  });

  it('that a request ends is found, with that request, and nothing is called afterwards', async () => {
    const operation = { responses: { 200: { description: 'OK' } } };
    const n = { name: 'n', in: 'query', required: true, schema: { type: 'integer', maximum: 100 } };
    const paths = {
      '/a': { get: { ...operation, parameters: [n] } },
      '/b': { get: operation },
    };
    const called: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      called.push(request.url);
      if (request.url !== '/a?n=100') return void response.end();
      server.close();
      server.closeAllConnections();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const error = await fuzz(`http://127.0.0.1:${port}`, { api: { ...api, paths } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(FuzzError);
    const { failures } = (error as FuzzError).report;
    expect(failures).toMatchObject([
      { operation: 'GET /a', check: 'no answer', curl: expect.stringContaining('/a?n=100') },
      {
        operation: 'GET /a',
        check: 'not alive',
        message: expect.stringContaining('does not take connections'),
      },
    ]);
    expect(called.filter((url) => url?.startsWith('/b'))).toEqual([]);
    expect(called.at(-1)).toBe('/a?n=100');
  });

  it('is called again when another process has taken its place', async () => {
    const listening = (): Promise<number> =>
      new Promise((resolve) => {
        server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
      });
    let port = 0;
    let hasBroken = false;
    const server = createServer(({ url }, response) => {
      if (url === '/' || hasBroken) return void response.end();
      hasBroken = true;
      server.close(() => setTimeout(listening, 300));
      server.closeAllConnections();
    });
    port = await listening();
    const error = await fuzz(`http://127.0.0.1:${port}`, { api, runs: 2 }).catch((thrown: unknown) => thrown);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const { failures, operations } = (error as FuzzError).report;
    expect(failures).toMatchObject([{ operation: 'GET /a', check: 'no answer' }]);
    expect(operations[0]?.accepted).toBeGreaterThan(0);
  });
});

describe('options', () => {
  const app = new App().get(route('/users/:id', {}), () => 1).post(route('/users', {}), () => 1);

  it('select operations by their names', async () => {
    const names = async (options: FuzzOptions) =>
      (await fuzz(app, { runs: 2, ...options })).operations.map(({ name }) => name);
    expect(await names({ only: ['GET *'] })).toEqual(['GET /users/:id']);
    expect(await names({ except: ['* /users'] })).toEqual(['GET /users/:id']);
    expect(await names({ only: ['POST /users'] })).toEqual(['POST /users']);
  });

  it('are refused if they are wrong, with what to write', async () => {
    await expect(fuzz(app, { only: ['GET /user/:id'] })).rejects.toThrow(
      "fuzz: no operation is called 'GET /user/:id'; there are POST /users, GET /users/:id",
    );
    await expect(fuzz(app, { run: 1 } as never)).rejects.toThrow(
      "fuzz has no option 'run'; did you mean 'runs'?",
    );
    await expect(fuzz(app, { runs: 0 })).rejects.toThrow(/fuzz: runs is 0; give/);
    await expect(fuzz('localhost' as never)).rejects.toThrow(
      /fuzz: the target is 'localhost'; give an App, or an address/,
    );
    await expect(fuzz('http://127.0.0.1:1')).rejects.toThrow("fuzz: the option 'api' is missing");
    await expect(fuzz('http://127.0.0.1:1', { api: { a: 1 } })).rejects.toThrow(
      "fuzz: the option 'api' is an object without 'openapi'",
    );
  });

  it('can be given as variables, for a run that is longer, or repeats another one', async () => {
    vi.stubEnv('FW_FUZZ_SEED', '12');
    vi.stubEnv('FW_FUZZ_RUNS', '6');
    const few = await fuzz(app, { only: ['GET *'] });
    expect(few.seed).toBe(12);
    vi.stubEnv('FW_FUZZ_RUNS', '26');
    expect((await fuzz(app, { only: ['GET *'] })).requests - few.requests).toBe(20);
    vi.stubEnv('FW_FUZZ_RUNS', 'many');
    await expect(fuzz(app)).rejects.toThrow("fuzz: FW_FUZZ_RUNS is 'many'; give a whole number, such as 100");
  });

  it('make no requests by chance on a machine that has been busy for ten seconds', async () => {
    const all = await fuzz(app, { seed: 1 });
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 6000;
      return now;
    });
    try {
      const late = await fuzz(app, { seed: 1 });
      expect(late.requests).toBeGreaterThan(0);
      expect(late.requests).toBeLessThan(all.requests);
      expect((await fuzz(app, { seed: 1, runs: 20 })).requests).toBe(all.requests);
    } finally {
      clock.mockRestore();
    }
  });

  it('say what the API of an address is: its App, or a document', async () => {
    const Thing = z.object({ id: z.int() });
    const target = new App().get(
      route('/things/:id', { returns: Thing }),
      Path('id', z.coerce.number().int()),
      (id) => ({ id }),
    );
    target.serveDocs('/docs', target);
    await using server = await startServer(target);
    const document = (await server.client.get('/docs/openapi.json')).json<object>();
    const described = (await server.client.get('/docs/api.json')).json<object>();
    for (const api of [target, document, described]) {
      const { operations } = await fuzz(server.url, { api, runs: 10, only: ['GET /things/*'] });
      expect(operations).toMatchObject([{ name: 'GET /things/:id' }]);
      expect(operations[0]?.requests).toBeGreaterThanOrEqual(10);
      expect(operations[0]?.accepted).toBeGreaterThan(0);
    }
  });
});
