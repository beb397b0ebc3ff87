import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../../app/app.js';
import { createMiddleware } from '../../extract/context-middleware.js';
import { FwError } from '../../http/errors.js';
import { RpcRegistry } from './registry.js';
import { RpcMode } from './rpc-mode.js';

const authed = createMiddleware(async ({ ctx }, next) => {
  const name = ctx.req.header('authorization');
  if (name === undefined) throw FwError.unauthorized('sign in first');
  return next({ user: { name } });
});

const call = async (app: App, method: string, headers: Record<string, string> = {}) => {
  const answer = await app.fetch(
    new Request('http://localhost/rpc', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', method, id: 1 }),
    }),
  );
  return (await answer.json()) as Record<string, unknown>;
};

describe('a group', () => {
  it('has procedures that are called by the name of the group and their own, with its middleware', async () => {
    const users = RpcRegistry.group('users').use(authed);
    users.query('me', (_: undefined, { user }) => user.name);
    users.query(
      'path',
      { use: [createMiddleware(async ({ ctx }, next) => next({ path: ctx.req.path }))] },
      (_, { path, user }) => [path, user.name],
    );
    const rpc = new RpcRegistry().query('open', () => 'all').merge(users);
    const app = new App().mountRpc('/rpc', rpc);
    expect(await call(app, 'users.me', { authorization: 'ada' })).toMatchObject({ result: 'ada' });
    expect(await call(app, 'users.path', { authorization: 'ada' })).toMatchObject({
      result: ['/rpc', 'ada'],
    });
    expect(await call(app, 'users.me')).toMatchObject({ error: { message: 'sign in first' } });
    expect(await call(app, 'open')).toMatchObject({ result: 'all' });
    expect(await call(app, 'me')).toMatchObject({ error: { code: -32601 } });
  });

  it('is served over REST by the whole name', async () => {
    const users = RpcRegistry.group('users').query('list', () => ['ada']);
    const app = new App().mountRest('/api', RpcRegistry.withMode(RpcMode.Rest).merge(users));
    const answer = await app.fetch(new Request('http://localhost/api/users.list'));
    expect(await answer.json()).toEqual(['ada']);
  });

  it('runs the middleware of the registry, of the group and of the procedure, in this order, each once', async () => {
    const log: string[] = [];
    const step = (name: string) =>
      createMiddleware(async (_, next) => {
        log.push(name);
        return next();
      });
    const [first, second, third] = [step('registry'), step('group'), step('procedure')];
    const group = RpcRegistry.group('a').use(second);
    group.query('b', { use: [third, first] }, () => 1);
    const rpc = new RpcRegistry().use(first).merge(group);
    await rpc.call('a.b');
    expect(log).toEqual(['registry', 'group', 'procedure']);
  });

  it('may be inside of another one, with the middleware of both', async () => {
    const admin = RpcRegistry.group('admin').use(createMiddleware(async (_, next) => next({ level: 1 })));
    const users = RpcRegistry.group('admin.users').use((_, next) => next());
    users.query('list', () => []);
    admin.query('level', (_: undefined, { level }) => level).merge(users);
    const rpc = new RpcRegistry().merge(admin);
    expect(Object.keys(rpc.types().procedures)).toEqual(['admin.level', 'admin.users.list']);
    expect(await rpc.call('admin.level')).toBe(1);
  });

  it('gives documents the tag of the group, unless the procedure has tags', () => {
    const users = RpcRegistry.group('users')
      .query('list', () => [])
      .query('find', { tags: ['search'] }, () => []);
    const { procedures } = new RpcRegistry().merge(users).types();
    expect(procedures['users.list']?.tags).toEqual(['users']);
    expect(procedures['users.find']?.tags).toEqual(['search']);
  });

  it('brings its defined types', () => {
    const users = RpcRegistry.group('users').defineType('User', '{ name: string }');
    users.queryWithTypes('first', () => ({ name: 'ada' }), 'void', 'User');
    const rpc = new RpcRegistry().defineType('User', '{ name: string }').merge(users);
    expect(Object.keys(rpc.types().named)).toEqual(['User']);
    const other = new RpcRegistry().defineType('User', '{ id: string }');
    expect(() => other.merge(users)).toThrow("the type 'User' is defined twice; rename one");
  });

  it('is one method of the client for each procedure', () => {
    const text = new RpcRegistry()
      .query('plain', () => 1)
      .queryWithTypes('users.get', () => 1, '{ id: string }', '{ name: string }')
      .queryWithTypes('users.admin.count', () => 1, 'void', 'number')
      .queryWithTypes('users.odd-name', () => 1, 'void', 'number')
      .generateClient();
    expect(
      text.slice(text.indexOf('  plain('), text.indexOf('\n  /** Sends a notification')),
    ).toBe(`  plain(input: unknown, options?: FwRpcCallOptions): Promise<unknown>;
  readonly users: {
    admin: {
      count: (options?: FwRpcCallOptions) => Promise<number>;
    };
    get: (input: {
      id: string;
    }, options?: FwRpcCallOptions) => Promise<{
      name: string;
    }>;
  };
  "users.odd-name"(options?: FwRpcCallOptions): Promise<number>;
`);
    expect(
      text.slice(text.indexOf('const procedures = {'), text.indexOf('\nexport type FwRpcClientOptions')),
    ).toBe(`const procedures = {
  plain: { kind: "query" },
  "users.admin.count": { kind: "query", hasInput: false },
  "users.get": { kind: "query" },
  "users.odd-name": { kind: "query", hasInput: false, isWhole: true },
} satisfies FwRpcTable<FwRpcCallable>;
`);
  });
});

describe('names that groups form', () => {
  const rpc = () => new RpcRegistry().query('users.list', () => 1);

  it('are not those of procedures', () => {
    expect(() => rpc().query('users', () => 1)).toThrow(
      /^'users' \(.*groups\.test\.ts.*\) is a procedure and the group of 'users\.list' \(.*\); rename one of them$/,
    );
    expect(() => new RpcRegistry().query('a.b', () => 1).query('a.b.c.d', () => 1)).toThrow(
      /^'a\.b' \(.*\) is a procedure and the group of 'a\.b\.c\.d' \(/,
    );
  });

  it('have no part that JavaScript or the client uses', () => {
    expect(() => rpc().query('users.then', () => 1)).toThrow(
      `a procedure cannot be named "users.then": of 'then', awaiting the client would call it; rename it`,
    );
    expect(() => rpc().query('batch.list', () => 1)).toThrow(`of 'batch', it is the method`);
    expect(() => rpc().query('users.batch', () => 1)).not.toThrow();
    expect(() => rpc().query('odd name.then', () => 1)).not.toThrow();
  });

  it.each(['', 'a-b', 'a.', '.a', '1a', 'then', 'batch', 'rpc.x', 3, undefined])('are not %j', (name) => {
    expect(() => RpcRegistry.group(name as string)).toThrow(/cannot be named|starts with 'rpc\.'/);
  });
});

describe('merge', () => {
  it('refuses a name that is taken', () => {
    const users = RpcRegistry.group('users').query('list', () => 1);
    const rpc = new RpcRegistry().merge(users);
    expect(() => rpc.merge(users)).toThrow(/^two procedures are named 'users\.list': at /);
  });

  it('closes the merged registry', () => {
    const users = RpcRegistry.group('users');
    new RpcRegistry().merge(users);
    expect(() => users.query('late', () => 1)).toThrow(
      "query('users.late') came too late: the registry is merged into another one; register everything before",
    );
    expect(() => users.use(authed)).toThrow('use came too late');
  });

  it('refuses a registry with settings of its own', () => {
    expect(() => new RpcRegistry().merge(RpcRegistry.group('a').loadContract(undefined))).toThrow(
      "the group 'a' sets loadContract; set it on the registry that it is merged into",
    );
    expect(() => new RpcRegistry().merge(new RpcRegistry().maxBatch(3))).toThrow('a registry sets maxBatch');
    expect(() =>
      new RpcRegistry().merge(new RpcRegistry().discoverable({ title: 'a', version: '1' })),
    ).toThrow('a registry sets openRpc');
    expect(() => new RpcRegistry().merge(RpcRegistry.withMode(RpcMode.Rest))).toThrow(
      'a registry is for REST',
    );
  });

  it('refuses what cannot be inside of it', () => {
    const users = RpcRegistry.group('users');
    expect(() => users.merge(RpcRegistry.group('posts'))).toThrow(
      "the group 'posts' cannot be merged into the group 'users'; make it with group('users.posts'), or merge it into a registry without a group",
    );
    expect(() => users.merge(new RpcRegistry())).toThrow("make it with group('users.name')");
    expect(() => users.merge(users as never)).toThrow('takes other registries');
    expect(() => new RpcRegistry().merge({} as never)).toThrow('merge() takes registries, got an object');
  });

  it('comes too late after the registry is mounted', () => {
    const rpc = new RpcRegistry();
    new App().mountRpc('/rpc', rpc);
    expect(() => rpc.merge(RpcRegistry.group('users'))).toThrow('merge came too late');
  });
});

describe('what middleware adds', () => {
  it('belongs to one call of a batch', async () => {
    let count = 0;
    const counted = createMiddleware(async (_, next) => next({ own: ++count }));
    const rpc = new RpcRegistry()
      .query('own', { use: [counted] }, async (_, { own }) => {
        await Promise.resolve();
        return own;
      })
      .query('none', (_: undefined, one) => 'own' in one);
    const out = await rpc.handleRequest(
      JSON.stringify(['own', 'none', 'own'].map((method, id) => ({ jsonrpc: '2.0', method, id }))),
    );
    const answers = JSON.parse(new TextDecoder().decode(out.intoBody()));
    expect(answers.map((one: { result: unknown }) => one.result)).toEqual([1, false, 2]);
  });

  it('reaches a handler that declares errors, and middleware that uses it', async () => {
    const base = createMiddleware(async (_, next) => next({ left: 2 }));
    const half = createMiddleware({ use: [base] }, async ({ left }, next) => next({ half: left / 2 }));
    const rpc = new RpcRegistry().query(
      'buy',
      { use: [half], errors: { soldOut: z.object({ left: z.number() }) } },
      (_, { errors, left, half: part }) => {
        throw errors.soldOut({ left: left + part });
      },
    );
    await expect(rpc.call('buy')).rejects.toMatchObject({ data: { left: 3 } });
  });

  it('is not a name that every call has', async () => {
    const bad = createMiddleware(async (_, next) => next({ errors: {} }));
    await expect(new RpcRegistry().query('a', { use: [bad] }, () => 1).call('a')).rejects.toThrow(
      "middleware adds 'errors', a name that every call has already; choose another name",
    );
  });

  it('works in process, and says what is missing without a context', async () => {
    const rpc = new RpcRegistry().query('me', { use: [authed] }, (_, { user }) => user.name);
    await expect(rpc.call('me')).rejects.toThrow('the procedure asks for ctx, but was called without one');
  });
});
