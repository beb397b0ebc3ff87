// The client of an App: its types, and the requests that it sends.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../../app/app.js';
import { check } from '../../conformance/checked-client.js';
import { clientCode, form } from '../../conformance/client-form.js';
import { createMiddleware } from '../../extract/context-middleware.js';
import { Form } from '../../extract/form.js';
import { Path } from '../../extract/path.js';
import { Query } from '../../extract/query.js';
import { route } from '../../extract/route.js';
import { Valid } from '../../extract/valid.js';
import { FwError } from '../../http/errors.js';
import { contractText } from '../../rpc/contract/contract-text.js';
import { RpcMode, RpcRegistry } from '../../rpc/index.js';
import { parseType } from '../../wire/read/parse-type.js';
import { readClient } from '../read-client.js';
import { clientFromApp } from './client-from-app.js';

const directory = mkdtempSync(join(tmpdir(), 'fw-app-client-'));
afterAll(() => rmSync(directory, { recursive: true }));

const User = z.object({ id: z.number(), name: z.string() }).meta({ id: 'User' });
const authed = createMiddleware(
  { describes: { errors: { 401: 'Sign in first.' } } },
  async ({ ctx }, next) => {
    if (ctx.req.header('authorization') === undefined) throw FwError.unauthorized('sign in first');
    return next({ user: 'ada' });
  },
);

function users(): App {
  return new App()
    .get(
      route('/', { operationId: 'users.list', returns: z.array(User) }),
      Query(
        z.object({ role: z.enum(['admin', 'user']).optional(), ids: z.array(z.coerce.number()).optional() }),
      ),
      ({ ids = [] }) => ids.map((id) => ({ id, name: 'ada', secret: 1 })),
    )
    .get(
      route('/:id', {
        operationId: 'users.get',
        summary: 'One user.',
        deprecated: true,
        returns: User,
        errors: { 404: 'There is no such user.' },
      }),
      Path('id', z.coerce.number()),
      (id) => {
        if (id === 404) throw FwError.notFound('no such user');
        return { id, name: 'ada' };
      },
    )
    .put(
      route('/:id', {
        operationId: 'users.put',
        use: [authed],
        returns: { 200: User, 201: User, 204: null },
      }),
      Path('id', z.coerce.number()),
      Valid(z.object({ name: z.string().min(1) })),
      (id, { name }, { ctx }) => {
        if (id === 204) {
          ctx.status(204);
          return undefined;
        }
        return id === 201 ? ctx.json({ id, name }, 201) : ctx.json({ id, name }, 200);
      },
    )
    .delete(route('/:id', { operationId: 'users.delete', returns: { 204: null } }), () => undefined);
}

function app(rpc?: RpcRegistry): App {
  const made = new App()
    .route('/api/users', users())
    .get(
      route('/files/*path', { operationId: 'file', returns: { 200: { contentType: 'text/plain' } } }),
      (ctx) => ctx.text(ctx.req.param('path')),
    )
    .get(route('/bytes', { operationId: 'bytes', returns: { 200: { contentType: 'image/png' } } }), (ctx) =>
      ctx.text(''),
    )
    .get(route('/loose', { tags: ['loose'] }), () => ({ any: 1 }))
    .get('/hidden', () => 'not described');
  return rpc === undefined ? made : made.mountRpc('/rpc', rpc);
}

const registry = (mode: RpcMode = RpcMode.JsonRpc) =>
  RpcRegistry.withMode(mode).queryWithTypes('users.count', () => 3, 'void', 'number');

const use = `import { FwRpcClient, isRouteError, type User } from './client.js';
const client = new FwRpcClient('http://localhost');
export async function use(): Promise<unknown> {
  const all: User[] = await client.users.list();
  await client.users.list({ role: 'admin', ids: [1, 2] }, { timeoutMs: 1 });
  const one: User = await client.users.get({ id: 1 });
  const put = await client.users.put({ id: 1, body: { name: 'ada' } });
  if (put.status === 204) put.body satisfies undefined;
  else put.body satisfies User;
  const nothing: void = await client.users.delete({ id: '1' });
  const text: string = await client.file({ path: 'a/b' });
  const loose: unknown = await client.getLoose();
  try {
    return [all, one, nothing, text, loose];
  } catch (error) {
    if (isRouteError(error, 'users.get')) return error.body.message satisfies string;
    if (isRouteError(error, 'users.put')) {
      if (error.status === 422) return error.body.issues?.map((issue) => issue.message);
      error.status satisfies 400 | 401;
    }
    throw error;
  }
}
// @ts-expect-error an input that is needed
void client.users.get();
// @ts-expect-error a wrong value
void client.users.list({ role: 'guest' });
// @ts-expect-error a wrong body
void client.users.put({ id: 1, body: { name: 1 } });
// @ts-expect-error bytes are not text
void client.bytes();
// @ts-expect-error no error is declared
export const none = (error: unknown): unknown => isRouteError(error, 'file') && error.body.message;
`;

describe.each([
  ['of routes alone', undefined],
  ['of routes and procedures over JSON-RPC', RpcMode.JsonRpc],
  ['of routes and procedures over REST', RpcMode.Rest],
] as const)('a client %s', (_, mode) => {
  const rpc = () => (mode === undefined ? undefined : registry(mode));

  it('is typed, and compiles under the strictest options', async () => {
    const made = rpc();
    const text = clientFromApp(app(), made === undefined ? {} : { rpc: made }).toString();
    for (const compiler of ['typescript', 'typescript-5.9'] as const) {
      expect(check(directory, compiler, { 'client.ts': text }, use)).toBe('');
    }
    expect(text).toContain('  /**\n     * One user.\n     * @deprecated\n     */');
  });

  it('has the declarations that its text has', async () => {
    const made = rpc();
    const path = join(directory, 'declared.ts');
    await clientFromApp(app(), made === undefined ? {} : { rpc: made }).writeToFile(path, {
      declarations: true,
    });
    const declared = readFileSync(join(directory, 'declared.d.ts'), 'utf8');
    rmSync(join(directory, 'client.ts'), { force: true });
    expect(check(directory, 'typescript', { 'client.d.ts': declared }, use)).toBe('');
    for (const name of ['client.d.ts', 'declared.d.ts', 'declared.ts']) rmSync(join(directory, name));
  });
});

interface Sent {
  readonly status: number;
  readonly body: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: the types of the client are checked above.
type Any = any;

describe('the calls of a client', () => {
  let module: Any;
  let client: Any;
  const urls: string[] = [];

  beforeAll(async () => {
    const code = await clientCode(
      clientFromApp(app(registry()), { rpc: registry(), client: form }).toString(),
    );
    const file = join(directory, 'client.mjs');
    writeFileSync(file, code);
    module = await import(file);
    const served = app(registry());
    client = new module.FwRpcClient('http://localhost/rpc', {
      fetch: (url: string, init: RequestInit) => {
        urls.push(`${init.method} ${url}`);
        return served.fetch(new Request(url, init));
      },
    });
  });

  const failure = (call: Promise<unknown>): Promise<Sent> =>
    call.then(
      () => expect.fail('it did not fail'),
      (error) => error,
    );

  it('are requests to the origin of the procedures', async () => {
    expect(await client.users.count()).toBe(3);
    expect(await client.users.get({ id: 7 })).toEqual({ id: 7, name: 'ada' });
    expect(await client.users.list({ ids: [1, 2] })).toEqual([
      { id: 1, name: 'ada' },
      { id: 2, name: 'ada' },
    ]);
    expect(await client.users.list()).toEqual([]);
    expect(await client.users.delete({ id: 'a b/c' })).toBeUndefined();
    expect(await client.getLoose()).toEqual({ any: 1 });
    expect(urls).toEqual([
      'POST http://localhost/rpc',
      'GET http://localhost/api/users/7',
      'GET http://localhost/api/users?ids=1&ids=2',
      'GET http://localhost/api/users',
      'DELETE http://localhost/api/users/a%20b%2Fc',
      'GET http://localhost/loose',
    ]);
  });

  it('tell the status if there are several', async () => {
    const headers = { Authorization: 'ada' };
    const put = (id: number) => client.users.put({ id, body: { name: 'eve' } }, { headers });
    expect(await put(1)).toEqual({ status: 200, body: { id: 1, name: 'eve' } });
    expect(await put(201)).toEqual({ status: 201, body: { id: 201, name: 'eve' } });
    expect(await put(204)).toEqual({ status: 204, body: undefined });
  });

  it('read text as it is, and JSON that is a text as JSON', async () => {
    const texts = new App()
      .get(route('/json', { operationId: 'json', returns: z.string() }), () => 'a "quoted" text')
      .get(
        route('/text', { operationId: 'text', returns: { 200: { contentType: 'text/plain' } } }),
        () => 'a "quoted" text',
      );
    const code = await clientCode(clientFromApp(texts, { client: form }).toString());
    const file = join(directory, 'texts.mjs');
    writeFileSync(file, code);
    const { FwRpcClient } = await import(file);
    const own = new FwRpcClient('http://localhost', {
      fetch: (url: string, init: RequestInit) => texts.fetch(new Request(url, init)),
    });
    expect(await own.json()).toBe('a "quoted" text');
    expect(await own.text()).toBe('a "quoted" text');
  });

  it('send forms with files and lists', async () => {
    const schema = z.object({
      name: z.string(),
      tags: z.array(z.string()).optional(),
      photo: z.file().optional(),
      age: z.coerce.number().optional(),
    });
    const forms = new App().post(route('/form', { operationId: 'save' }), Form(schema), async (form) => ({
      ...form,
      photo: form.photo && `${form.photo.name} ${await form.photo.text()}`,
    }));
    const text = clientFromApp(forms).toString();
    expect(text).toMatch(/body: \{[^}]*name: string;[^}]*photo\?: FwRpcFile/);
    const use = `import { FwRpcClient } from './client.js';
      void new FwRpcClient('http://x').save({ body: { name: 'a', photo: new Blob([]) } });`;
    const libraries = { lib: ['es2022', 'dom'] };
    expect(check(directory, 'typescript-6', { 'client.ts': text }, use, libraries)).toBe('');
    const code = await clientCode(text);
    const file = join(directory, 'forms.mjs');
    writeFileSync(file, code);
    const { FwRpcClient } = await import(file);
    const own = new FwRpcClient('http://localhost', {
      fetch: (url: string, init: RequestInit) => forms.fetch(new Request(url, init)),
    });
    const photo = new File(['bytes'], 'a.png');
    expect(await own.save({ body: { name: 'ada', tags: ['a', 'b'], photo, age: 36 } })).toEqual({
      name: 'ada',
      tags: ['a', 'b'],
      photo: 'a.png bytes',
      age: 36,
    });
    expect(await own.save({ body: { name: '\u00e9', tags: ['one'], photo: undefined } })).toEqual({
      name: '\u00e9',
      tags: ['one'],
    });
  });

  it('give text as it is, and keep the slashes of a path', async () => {
    expect(await client.file({ path: 'a b/1.txt' })).toBe('a b/1.txt');
  });

  it('fail with the status and the body, which a guard narrows', async () => {
    const missing = await failure(client.users.get({ id: 404 }));
    expect(missing).toMatchObject({
      name: 'FwRouteError',
      status: 404,
      body: { error: 'NotFound', message: 'no such user' },
      route: 'users.get',
    });
    expect(module.isRouteError(missing, 'users.get')).toBe(true);
    expect(module.isRouteError(missing, 'users.put')).toBe(false);
    const refused = await failure(client.users.put({ id: 1, body: { name: '' } }));
    expect(refused).toMatchObject({ status: 401, body: { message: 'sign in first' } });
    const invalid = await failure(
      client.users.put({ id: 1, body: { name: '' } }, { headers: { Authorization: 'ada' } }),
    );
    expect(invalid).toMatchObject({ status: 422, body: { issues: [{ path: ['name'] }] } });
    expect(module.isRouteError(new Error('other'), 'file')).toBe(false);
  });

  it.each(['', '.', '..', 'a/../b', undefined, null])(
    'refuse %j in a path before anything is sent',
    async (path) => {
      urls.length = 0;
      await expect(client.file({ path })).rejects.toThrow(
        /^the parameter 'path' of \/files\/\*path cannot be '/,
      );
      expect(urls).toEqual([]);
    },
  );

  it('go to another origin by an option', async () => {
    const other = new module.FwRpcClient('/rpc', {
      routesUrl: 'https://example.org/v1',
      fetch: async (url: string) => new Response(JSON.stringify(url)),
    });
    expect(await other.getLoose()).toBe('https://example.org/v1/loose');
  });
});

describe('clientFromApp', () => {
  const of = (...paths: Parameters<typeof route>[]) => {
    const made = new App();
    for (const [path, options] of paths) made.get(route(path, options), () => 'x');
    return () => clientFromApp(made, { rpc: registry() }).toString();
  };

  it('is read again, for the comparison with a newer one', () => {
    expect(readClient(clientFromApp(app()).toString()).procedures).toEqual({});
    const both = readClient(clientFromApp(app(registry()), { rpc: registry(), client: form }).toString());
    expect(Object.keys(both.procedures)).toEqual(['users.count']);
  });

  it('refuses two methods of one name', () => {
    expect(of(['/a', { operationId: 'users' }])).toThrow(
      "the operationId 'users' of GET /a and the procedure 'users.count' have one name in the client; change the operationId",
    );
    expect(of(['/a', { operationId: 'users.count' }])).toThrow('have one name in the client');
    expect(of(['/a', { operationId: 'a' }], ['/b', { operationId: 'a.b' }])).toThrow(
      "the operationId 'a.b' of GET /b and GET /a have one name in the client",
    );
    expect(of(['/a', { operationId: 'a.then' }])).toThrow(
      "the operationId 'a.then' of GET /a cannot be a method of the client: of 'then', awaiting the client would call it; change it",
    );
  });

  it('has the answers that were inferred, for routes that declare none', () => {
    const made = new App()
      .get('/users/:id', Path('id', z.string()), (id) => ({ id }))
      .delete(route('/users/:id', { operationId: 'remove' }), () => {})
      .get(route('/text', {}), () => 'text')
      .get('/commented', () => 'a')
      .get(route('/bytes', { tags: ['a'] }), () => new Uint8Array());
    const json = (type: string) => ({ 'application/json': parseType(type) });
    const contract = JSON.parse(
      contractText({
        procedures: {},
        named: { User: parseType('{ id: string }') },
        routes: {
          'GET /users/:id': { answers: { 200: json('User'), 404: json('{ reason: string }') } },
          'DELETE /users/:id': { answers: { 204: {} } },
          'GET /text': { answers: { 200: { 'text/plain': parseType('string') }, '2XX': {} } },
          'GET /commented': {
            description: 'A comment.',
            answers: { 200: { 'text/plain': parseType('string') } },
          },
          'GET /bytes': { answers: { 200: { 'application/octet-stream': parseType('unknown') } } },
        },
      }),
    );
    const text = clientFromApp(made, { contract }).toString();
    const client = text.slice(text.indexOf('export interface FwRpcClient {'));
    const methods = [...client.matchAll(/^ {2}(\w+)\(([^)]*)\): (Promise<.*>);$/gm)].map(
      ([, ...parts]) => parts,
    );
    expect(methods).toEqual([
      ['getCommented', 'options?: FwRpcCallOptions', 'Promise<string>'],
      ['getUsersById', expect.stringContaining('id: string'), 'Promise<User>'],
      ['remove', expect.stringContaining('id: string'), 'Promise<void>'],
    ]);
    expect(text).toContain('/** A comment. */');
    expect(text).toMatch(/reason: string;\s+};\s+status: 404;/);
    expect(text).not.toContain('bytes');
  });

  it('refuses two fields of one name, and different types of one name', () => {
    const twice = new App().get(
      route('/a/:id', { operationId: 'a' }),
      Query(z.object({ id: z.string() })),
      () => 'x',
    );
    expect(() => clientFromApp(twice).toString()).toThrow(
      "the input of 'a' (GET /a/:id) in the client would have two fields 'id', of path, query and body; rename one of them",
    );
    const other = new RpcRegistry()
      .defineType('User', '{ other: string }')
      .queryWithTypes('a', () => 1, 'void', 'User');
    expect(() => clientFromApp(app(), { rpc: other })).toThrow(
      "a procedure and a route have different types named 'User'; rename one of them",
    );
  });
});
