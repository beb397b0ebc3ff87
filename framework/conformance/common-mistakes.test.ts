// What the compiler says about common mistakes: the first line names what is wrong, and where it can, the remedy.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Mistake {
  readonly name: string;
  readonly code: string;
  /** The first lines of the errors. */
  readonly says: readonly string[];
}

/** What the programs share. */
const HEAD = `
import { App, Context, Json, Path, Query, Valid, createMiddleware, requireAuth, requireScope, route } from 'fw';
import { RpcRegistry } from 'fw/rpc';
import { cors, rateLimiter } from 'fw/middleware';
import { TestClient } from 'fw/testing';
import { z } from 'zod';
const app = new App();
const rpc = new RpcRegistry();
const Todo = z.object({ id: z.string(), title: z.string() });
`;

const mistakes: readonly Mistake[] = [
  {
    name: 'a wrong name of a path parameter',
    code: `app.get('/users/:id', (ctx) => ctx.req.param('userId'));`,
    says: [`Argument of type '"userId"' is not assignable to parameter of type '"id"'.`],
  },
  {
    name: 'an extractor of a parameter that the path does not have',
    code: `app.get('/users/:id', Path('userId', z.string()), (id) => id);`,
    says: [
      `Argument of type 'ParamExtractor<string, "userId">' is not assignable to parameter of type 'Fit<ParamExtractor<string, "userId">, "/users/:id">' with 'exactOptionalPropertyTypes: true'. Consider adding 'undefined' to the types of the target's properties.`,
    ],
  },
  {
    name: 'a body of another type than the handler takes',
    code: `app.post('/todos', Valid(Todo), (body: { title: number }) => body.title);`,
    says: [
      `Argument of type '(body: { title: number; }) => number' is not assignable to parameter of type '(a: { id: string; title: string; }) => Promise<HandlerResult> | HandlerResult'.`,
    ],
  },
  {
    name: 'a body that lacks a declared field',
    code: `app.get(route('/todos', { returns: Todo }), () => ({ title: 'x' }));`,
    says: [
      `Type '{ title: string; }' is not assignable to type 'JsonResponse<{ readonly id: string; readonly title: string; }, 200> | Promise<JsonResponse<{ readonly id: string; readonly title: string; }, 200> | { id: string; title: string; }> | { ...; }'.`,
    ],
  },
  {
    name: 'ctx.json with a body that lacks a declared field',
    code: `app.get(route('/todos', { returns: Todo }), (ctx) => ctx.json({ title: 'x' }));`,
    says: [
      `Type 'JsonResponse<{ readonly title: "x"; }, 200>' is not assignable to type 'JsonResponse<{ readonly id: string; readonly title: string; }, 200> | Promise<JsonResponse<{ readonly id: string; readonly title: string; }, 200> | { id: string; title: string; }> | { ...; }'.`,
    ],
  },
  {
    name: 'a status that is not declared',
    code: `app.get(route('/todos', { returns: { 200: Todo } }), (ctx) => ctx.json({ id: '1', title: 'x' }, 404));`,
    says: [
      `Type 'JsonResponse<{ readonly id: "1"; readonly title: "x"; }, 404>' is not assignable to type 'JsonResponse<{ readonly id: string; readonly title: string; }, 200> | Promise<JsonResponse<{ readonly id: string; readonly title: string; }, 200> | { id: string; title: string; }> | { ...; }'.`,
    ],
  },
  {
    name: 'a forgotten await of a client',
    code: `new TestClient(app).get('/').assertStatus(200);`,
    says: [`Property 'assertStatus' does not exist on type 'Promise<TestResponse>'.`],
  },
  {
    name: 'a forgotten await of a body',
    code: `app.post('/todos', async (ctx) => ctx.req.json<{ title: string }>().title);`,
    says: [`Property 'title' does not exist on type 'Promise<{ title: string; }>'.`],
  },
  {
    name: 'extractors in another order than the parameters',
    code: `app.put('/todos/:id', Path('id', z.coerce.number()), Valid(Todo), (body: { title: string }, id: number) => [body, id]);`,
    says: [
      `Argument of type '(body: { title: string; }, id: number) => (number | { title: string; })[]' is not assignable to parameter of type '(a: number, b: { id: string; title: string; }) => Promise<HandlerResult> | HandlerResult'.`,
    ],
  },
  {
    name: 'the handler before the extractors',
    code: `app.put('/todos/:id', (id: string) => id, Path('id', z.string()));`,
    says: [
      `Argument of type '(id: string) => string' is not assignable to parameter of type 'Extractor<unknown>'.`,
    ],
  },
  {
    name: 'a schema in the place of an extractor',
    code: `app.post('/todos', Todo, (todo) => 'x');`,
    says: [
      `Property 'extract' is missing in type 'ZodObject<{ id: ZodString; title: ZodString; }, $strip>' but required in type 'Extractor<unknown>'.`,
    ],
  },
  {
    name: 'a declared handler that returns nothing',
    code: `app.get(route('/todos/:id', { returns: Todo }), (ctx) => { ctx.json({ id: '1', title: 'x' }); });`,
    says: [
      `Argument of type '(ctx: Context<"id">) => void' is not assignable to parameter of type 'Handler<"/todos/:id", JsonResponse<{ readonly id: string; readonly title: string; }, 200> | { id: string; title: string; }>'.`,
    ],
  },
  {
    name: 'a misspelt scope',
    code: `declare module 'fw' { interface Register { scopes: 'orders:read' | 'orders:write' } }
app.get('/a', (ctx) => ctx.requireScope('oders:read').id);
app.get('/b', (ctx) => ctx.requireAnyScope(['oders:read']).id);
app.get('/c', (ctx) => ctx.requireAllScopes(['oders:read']).id);
app.requireAuth({ scopes: ['oders:read'] });
rpc.requireAuth({ scopes: ['oders:read'] });
app.get(route('/d', { use: [requireScope('oders:read')] }), () => 'x');
app.get('/e', (ctx) => ctx.requireScope('orders:write').id);`,
    says: [
      `Argument of type '"oders:read"' is not assignable to parameter of type '"orders:read" | "orders:write"'.`,
      `Type '"oders:read"' is not assignable to type '"orders:read" | "orders:write"'. Did you mean '"orders:read"'?`,
      `Type '"oders:read"' is not assignable to type '"orders:read" | "orders:write"'. Did you mean '"orders:read"'?`,
      `Type '"oders:read"' is not assignable to type '"orders:read" | "orders:write"'. Did you mean '"orders:read"'?`,
      `Type '"oders:read"' is not assignable to type '"orders:read" | "orders:write"'. Did you mean '"orders:read"'?`,
      `Argument of type '"oders:read"' is not assignable to parameter of type '"orders:read" | "orders:write"'.`,
    ],
  },
  {
    name: 'a guard of an App without its call',
    code: `app.use(requireAuth);`,
    says: [
      `Argument of type '() => ContextMiddleware<PrincipalAdded>' is not assignable to parameter of type 'AnyMiddleware'.`,
    ],
  },
  {
    name: 'what no middleware adds',
    code: `app.get(route('/me', { use: [requireAuth()] }), (_, { user }) => user);`,
    says: [`Property 'user' does not exist on type 'RequestCall<Context<never>> & PrincipalAdded'.`],
  },
  {
    name: 'a Date in an output of text',
    code: `rpc.query('x', { output: z.object({ at: z.string() }) }, () => ({ at: new Date() }));`,
    says: [`Type 'Date' is not assignable to type 'string'.`],
  },
  {
    name: 'a misspelt option',
    code: `app.use(cors({ origins: '*' }));
app.use(rateLimiter({ limit: 1 }));
app.get(route('/', { sumary: 'x' }), () => 'x');`,
    says: [
      `Object literal may only specify known properties, but 'origins' does not exist in type 'CorsOptions'. Did you mean to write 'origin'?`,
      `Object literal may only specify known properties, and 'limit' does not exist in type 'RateLimiterOptions'.`,
      `Object literal may only specify known properties, but 'sumary' does not exist in type 'RouteOptions<undefined, NoMiddleware>'. Did you mean to write 'summary'?`,
    ],
  },
  {
    name: 'a database without a type',
    code: `app.get('/', (ctx) => ctx.db().selectFrom('users'));`,
    says: [
      `Property 'selectFrom' does not exist on type '"declare module 'fw' { interface Register { db: typeof db } }"'.`,
    ],
  },
];

describe('what the compiler says under the strictest options', () => {
  let directory = '';
  let said: ReadonlyMap<string, readonly string[]>;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'fw-mistakes-'));
    said = compile(directory);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(mistakes)('about $name', ({ name, says }) => {
    expect(said.get(name)).toEqual(says);
  });
});

/** The first line of each error, by the name of the mistake. */
function compile(directory: string): Map<string, string[]> {
  mistakes.forEach(({ code }, index) => {
    writeFileSync(join(directory, `mistake-${index}.ts`), `${HEAD}${code}\nexport {};\n`);
  });
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    paths: {
      fw: [join(root, 'framework/index.ts')],
      'fw/testing': [join(root, 'framework/testing/index.ts')],
      'fw/*': [join(root, 'framework/*/index.ts')],
    },
  };
  mkdirSync(join(directory, 'node_modules'));
  for (const name of ['zod', '@types', 'undici-types']) {
    symlinkSync(join(root, 'node_modules', name), join(directory, 'node_modules', name), 'junction');
  }
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['mistake-*.ts'] }),
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false', '-p', directory], {
    encoding: 'utf8',
    cwd: directory,
  });
  const found = new Map<string, string[]>(mistakes.map(({ name }) => [name, []]));
  for (const [, index, message = ''] of stdout.matchAll(
    /^mistake-(\d+)\.ts\(\d+,\d+\): error TS\d+: (.*)$/gm,
  )) {
    const { name = '' } = mistakes[Number(index)] ?? {};
    found.get(name)?.push(message);
  }
  return found;
}
