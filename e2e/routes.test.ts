// The types of routes: from handlers without a schema to the OpenAPI document and the client, in an app that has no procedures.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkout, installFw, type RunResult, run, temporaryDirectory } from './packed.js';

const main = `import { App, Context, Json, Path, Query, describeRoute } from 'fw';
import { z } from 'zod';

/** Who uses the shop. */
export interface User {
  id: string;
  /** Shown to others. */
  name: string;
  joined: Date;
}

const users = new Map<string, User>();

/**
 * Renames a user. The old name is free afterwards.
 * @deprecated use PATCH
 */
async function rename(id: string, { name }: { name: string }, ctx: Context) {
  const user = users.get(id);
  if (user === undefined) return ctx.json({ reason: 'unknown' }, 404);
  user.name = name;
  return user;
}

const items = new App()
  .get('/', Query(z.object({ page: z.coerce.number().optional() })), async () => [...users.values()])
  .get('/:id', Path('id', z.string()), Context, (id, ctx) => {
    const user = users.get(id);
    return user === undefined ? ctx.json({ reason: \`no user \${id}\` }, 404) : user;
  })
  .post(describeRoute('/', { tags: ['users'] }), Json(z.object({ name: z.string() })), Context, ({ name }, ctx) => {
    const user: User = { id: '1', name, joined: new Date() };
    users.set(user.id, user);
    return ctx.json(user, 201);
  })
  .put('/:id', Path('id', z.string()), Json(z.object({ name: z.string() })), Context, rename)
  .delete('/:id', Path('id', z.string()), (id) => {
    users.delete(id);
  });

export const app = new App()
  .route('/api/users', items)
  .get(describeRoute('/declared', { returns: z.object({ ok: z.boolean() }) }), () => ({ ok: true }))
  /** How many users there are. */
  .get('/count', () => ({ count: users.size }))
  .get('/page', (ctx) => ctx.html('<p>'));
`;

const document = `import { existsSync, readFileSync } from 'node:fs';
import { openApiFromApp } from 'fw/rpc';
import { app } from './main.ts';

const file = new URL('./rpc-contract.json', import.meta.url);
const contract: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
console.log(JSON.stringify(openApiFromApp(app, { title: 'Shop', version: '1.0.0', contract }).toJSON()));
`;

const generateClient = `import { clientFromApp } from 'fw/rpc';
import { app } from './main.ts';
import contract from './rpc-contract.json' with { type: 'json' };

await clientFromApp(app, { contract }).writeToFile(process.argv[2] ?? 'api.ts', { queryOptions: true });
`;

const use = `import { FwRpcClient, isRouteError, type User } from './api.ts';
import { queriesOf } from './api-queries.ts';
import { app } from './main.ts';

const client = new FwRpcClient('http://localhost', { fetch: (url, init) => app.fetch(new Request(url, init)) });
const made: User = await client.postApiUsers({ body: { name: 'ada' } });
const all: User[] = await client.getApiUsers();
const one = queriesOf(client).getApiUsersById.queryOptions({ id: '1' });
console.log(JSON.stringify(one.queryKey));
try {
  await client.getApiUsersById({ id: '9' });
} catch (error) {
  if (!isRouteError(error, 'getApiUsersById') || error.status !== 404) throw error;
  const body: unknown = error.body;
  console.log(made.name, all.length, (await client.getCount()).count, JSON.stringify(body));
}
`;

describe.each(['typescript', 'typescript-5.9'])('an app without procedures, with %s', (typescript) => {
  let app: string;
  const node = (...args: string[]): Promise<RunResult> => run(process.execPath, args, { cwd: app });
  const fw = (...args: string[]): Promise<RunResult> => node('node_modules/fw/dist/cli/main.js', ...args);
  const documented = async () => {
    const { stdout, stderr } = await node(join(checkout, 'node_modules/tsx/dist/cli.mjs'), 'src/document.ts');
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };

  beforeAll(() => {
    app = temporaryDirectory('fw-routes');
    writeFileSync(join(app, 'package.json'), '{ "type": "module", "private": true }');
    installFw(app);
    const modules = join(checkout, 'node_modules');
    mkdirSync(join(app, 'node_modules/@types'), { recursive: true });
    mkdirSync(join(app, 'src'));
    symlinkSync(join(modules, typescript), join(app, 'node_modules/typescript'));
    for (const name of ['zod', '@types/node', 'undici-types'])
      symlinkSync(join(modules, name), join(app, 'node_modules', name));
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noEmit: true,
      resolveJsonModule: true,
      allowImportingTsExtensions: true,
    };
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
    writeFileSync(join(app, 'src/main.ts'), main);
    writeFileSync(join(app, 'src/document.ts'), document);
  });

  test('shows what its handlers return after fw generate', async () => {
    expect((await documented()).paths['/api/users/{id}'].get.responses).toHaveProperty('2XX');
    expect((await fw('generate', '--check')).exitCode).toBe(1);
    expect(existsSync(join(app, 'src/rpc-contract.json'))).toBe(false);
    expect(await fw('generate')).toMatchObject({
      exitCode: 0,
      stdout: '✓ src/rpc-contract.json created\n',
      stderr: '',
    });
    expect((await fw('generate', '--check')).stdout).toContain('up to date');
    expect(JSON.parse((await fw('generate', '--json')).stdout)).toMatchObject({ ok: true, warnings: [] });
    const { paths, components } = await documented();
    const json = (path: string, method: string, status: number) =>
      paths[path][method].responses[status].content['application/json'].schema;
    const user = { $ref: '#/components/schemas/User' };
    const statuses = Object.entries(paths).map(([path, methods]) => [
      path,
      ...Object.entries(methods as object).map(([method, { responses }]) =>
        [method, ...Object.keys(responses)].join(' '),
      ),
    ]);
    expect(statuses).toEqual([
      ['/api/users', 'get 200 400 default', 'post 201 400 default'],
      ['/api/users/{id}', 'delete 204 400 default', 'get 200 400 404 default', 'put 200 400 404 default'],
      ['/count', 'get 200 default'],
      ['/declared', 'get 200 default'],
    ]);
    expect(json('/api/users', 'get', 200)).toEqual({ type: 'array', items: user });
    expect(json('/api/users', 'post', 201)).toEqual(user);
    expect(json('/api/users/{id}', 'get', 404)).toMatchObject({
      properties: { reason: { type: 'string' } },
    });
    expect(json('/count', 'get', 200)).toMatchObject({ properties: { count: { type: 'number' } } });
    expect(paths['/count'].get.summary).toBe('How many users there are.');
    expect(paths['/api/users/{id}'].put).toMatchObject({
      summary: 'Renames a user.',
      description: 'The old name is free afterwards.\n\nDeprecated: use PATCH',
      deprecated: true,
    });
    expect(components.schemas.User).toMatchObject({
      description: 'Who uses the shop.',
      properties: { name: { description: 'Shown to others.' }, joined: { format: 'date-time' } },
    });
  });

  test('writes a client of its routes, with what their handlers return', async () => {
    writeFileSync(join(app, 'src/generate-client.ts'), generateClient);
    symlinkSync(join(checkout, 'node_modules/esbuild'), join(app, 'node_modules/esbuild'));
    expect(await fw('generate', '--output', 'src/api.ts')).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await fw('generate', '--output', 'src/api.ts', '--check')).stdout).toContain('up to date');
    writeFileSync(join(app, 'src/use.ts'), use);
    expect(await node(join(checkout, 'node_modules', typescript, 'bin/tsc'), '-p', '.')).toMatchObject({
      exitCode: 0,
      stdout: '',
    });
    const used = await node(join(checkout, 'node_modules/tsx/dist/cli.mjs'), 'src/use.ts');
    expect(used).toMatchObject({
      stdout: '["getApiUsersById",{"id":"1"}]\nada 1 1 {"reason":"no user 9"}\n',
      stderr: '',
    });
    for (const name of ['generate-client.ts', 'api.ts', 'api-queries.ts', 'use.ts'])
      rmSync(join(app, 'src', name));
  });

  test('asks for the path of a client if it has procedures', async () => {
    const file = join(app, 'src/rpc.ts');
    writeFileSync(
      file,
      "import { RpcRegistry } from 'fw/rpc';\nnew RpcRegistry().query('a', () => 1 as number);\n",
    );
    const refused = await fw('generate');
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('the output path of the client is missing');
    expect(readFileSync(join(app, 'src/rpc-contract.json'), 'utf8')).not.toContain('"a"');
  });
});
