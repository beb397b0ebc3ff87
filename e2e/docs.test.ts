// What a user of the packed package can rely on: every TypeScript example of the documentation, and a program that
// imports every subpath, compiles without `skipLibCheck` with each version of TypeScript, and runs.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { App, route, Valid } from '../framework/index.js';
import { clientFromApp, RpcRegistry } from '../framework/rpc/index.js';
import { websocket } from '../framework/websocket/index.js';
import { checkout, installFw, type RunResult, run, temporaryDirectory } from './packed.js';

const compilers = { '5.9': 'typescript-5.9', '6': 'typescript-6', '7': 'typescript' } as const;

interface Example {
  /** Page and line, which is also the name of its file: `routing.md-12`, `how-to-cache.md-3`. */
  readonly name: string;
  /** The code, at the line numbers that it has in the page. */
  readonly code: string;
  readonly runs: boolean;
}

const folders = [
  'framework/docs',
  'framework/docs/how-to',
  'framework/docs/concepts',
  'framework/docs/coming-from',
  'cli/docs',
];
const pages = folders.flatMap((folder) =>
  readdirSync(join(checkout, folder))
    // The tutorial is one program, which tutorial.test.ts builds.
    .filter((name) => name.endsWith('.md') && name !== 'tutorial.md')
    .map((name) => `${folder}/${name}`),
);
const examples: readonly Example[] = [...pages.flatMap(examplesOf), ...continued('README.md')];

/** The examples of a page, each of which is a program; those in lists are indented. */
function examplesOf(page: string): Example[] {
  const text = readFileSync(join(checkout, page), 'utf8');
  return [...text.matchAll(/^( *)```ts( no-run)?\n(.*?)^ *```$/gms)].map(
    ({ 2: noRun, 3: code = '', index }) => {
      const line = text.slice(0, index).split('\n').length;
      return {
        name: `${page.replace(/^\w+\/docs\//, '').replaceAll('/', '-')}-${line}`,
        code: '\n'.repeat(line) + code,
        runs: noRun === undefined,
      };
    },
  );
}

/** The examples of a page as one program, because each continues the one before; those with `no-run` are separate. */
function continued(page: string): Example[] {
  const all = examplesOf(page);
  const lines: string[] = [];
  for (const { code, runs } of all) {
    if (runs) for (const [at, line] of code.split('\n').entries()) lines[at] ||= line;
  }
  return [{ name: page, code: lines.join('\n'), runs: true }, ...all.filter(({ runs }) => !runs)];
}

/** Programs that declare the type of their database, which only one in a compilation can. */
const databaseApps = ['kysely-app', 'drizzle-app'];
const examplesWith = (...modules: string[]) =>
  examples.filter(({ code }) => modules.some((one) => code.includes(`'${one}`))).map(({ name }) => name);
const drizzleExamples = examplesWith('fw/drizzle');
/** Their declarations name packages that need not be there, and bring those of the DOM into a compilation. */
const foreignExamples = examplesWith('aws4fetch', 'better-auth', 'graphql-yoga', '@auth/core');
/** They declare the scopes that guards take, or what the platform passes. */
const registeringExamples = examples
  .filter(({ code }) => /interface Register {\s+(?:scopes|platform):/.test(code))
  .map(({ name }) => name);
const separate = [...databaseApps, ...registeringExamples, ...drizzleExamples, ...foreignExamples];
const skipsLibraries = (name: string) =>
  ['drizzle-app', ...drizzleExamples, ...foreignExamples].includes(name);

let directory: string;

beforeAll(async () => {
  directory = temporaryDirectory('fw-docs');
  writeFileSync(join(directory, 'package.json'), '{ "type": "module", "private": true }');
  installFw(directory);
  // The packages that the examples need besides fw.
  const modules = join(checkout, 'node_modules');
  for (const scope of ['@types', '@libsql', '@auth', '@opentelemetry', '@valibot'])
    mkdirSync(join(directory, 'node_modules', scope));
  const types = ['morgan', 'node', 'nodemailer', 'pg'].map((name) => `@types/${name}`);
  const telemetry = ['api', 'exporter-trace-otlp-http', 'resources', 'sdk-metrics', 'sdk-trace-node'].map(
    (name) => `@opentelemetry/${name}`,
  );
  const sql = ['kysely', 'drizzle-orm', 'libsql', '@libsql/client', 'pg', 'mysql2'];
  const fetchHandlers = ['better-auth', 'graphql-yoga', '@auth/core'];
  for (const name of [
    'arktype',
    'valibot',
    '@valibot/to-json-schema',
    'zod',
    'helmet',
    'morgan',
    'aws4fetch',
    'croner',
    'nodemailer',
    'openid-client',
    'prom-client',
    'undici-types',
    ...types,
    ...sql,
    ...fetchHandlers,
    ...telemetry,
  ]) {
    symlinkSync(join(modules, name), join(directory, 'node_modules', name));
  }
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2023',
        lib: ['es2023'],
        module: 'nodenext',
        types: ['node'],
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        verbatimModuleSyntax: true,
        resolveJsonModule: true,
        allowImportingTsExtensions: true,
        skipLibCheck: false,
        noEmit: true,
      },
      include: ['*.ts'],
      exclude: separate.map((name) => `${name}.ts`),
    }),
  );
  for (const name of separate) {
    // The declarations of these libraries need it.
    const compilerOptions = { skipLibCheck: skipsLibraries(name) };
    const config = { extends: './tsconfig.json', compilerOptions, include: [`${name}.ts`], exclude: [] };
    writeFileSync(projectOf(name), JSON.stringify(config));
  }
  for (const { name, code } of examples) writeFileSync(join(directory, `${name}.ts`), code);
  for (const name of ['subpaths', ...databaseApps]) {
    copyFileSync(join(checkout, `e2e/consumer/${name}.ts`), join(directory, `${name}.ts`));
  }
  await writeImports();
});

/** The files that the examples import. */
async function writeImports(): Promise<void> {
  const rpc = new RpcRegistry()
    .defineType('User', '{ id: string; name: string }')
    .queryWithTypes('getUser', () => ({ id: '1', name: 'Ada' }), '{ id: string }', 'User')
    .queryWithTypes('count', () => 1, 'void', 'number')
    .mutationWithTypes('rename', () => {}, '{ id: string; name: string }', 'void')
    .mutationWithTypes('log', () => {}, '{ text: string }', 'void')
    .mutation(
      'buy',
      {
        input: z.object({ count: z.number() }),
        output: z.object({ bought: z.number() }),
        errors: { outOfStock: z.object({ left: z.number() }), closed: { status: 409 } },
      },
      ({ count }) => ({ bought: count }),
    )
    .mutationWithTypes('addPhoto', () => {}, '{ title: string; photo: File }', 'void')
    .subscriptionWithTypes('onTaskDone', async function* () {}, '{ most: number }', '{ id: number }')
    .queryWithTypes('greet', () => ({ text: '' }), '{ name: string }', '{ text: string }');
  const User = z.object({ id: z.string(), name: z.string() }).meta({ id: 'User' });
  const app = new App()
    .get(
      route('/users/:id', { operationId: 'users.get', returns: User, errors: { 404: 'Nobody.' } }),
      (ctx) => ({ id: ctx.req.param('id'), name: 'Ada' }),
    )
    .put(
      route('/users/:id', { operationId: 'users.update', returns: User }),
      Valid(z.object({ name: z.string() })),
      ({ name }) => ({ id: '1', name }),
    )
    .post(
      route('/users', {
        operationId: 'users.register',
        returns: { 201: User, 409: z.object({ taken: z.enum(['email', 'name']) }) },
      }),
      Valid(z.object({ email: z.string() })),
      () => ({ id: '1', name: 'Ada' }),
    )
    .websocket(
      route('/rooms/:room', { operationId: 'rooms.join' }),
      websocket(
        {
          receives: { say: z.object({ text: z.string() }) },
          sends: { said: z.object({ text: z.string() }) },
          on: { say: (socket, { text }) => void socket.emit('said', { text }) },
        },
        { rpc },
      ),
    );
  await clientFromApp(app, { rpc }).writeToFile(join(directory, 'client.ts'));
  writeFileSync(join(directory, 'app.ts'), "import { App } from 'fw';\nexport const app: App = new App();\n");
  writeFileSync(
    join(directory, 'rpc.ts'),
    "import { RpcRegistry } from 'fw/rpc';\nexport const rpc: RpcRegistry = new RpcRegistry();\n",
  );
}

function projectOf(name: string): string {
  return join(directory, `tsconfig.${name}.json`);
}

function node(...args: string[]): Promise<RunResult> {
  return run(process.execPath, args, { cwd: directory });
}

describe.each(Object.entries(compilers))('TypeScript %s', (_version, compiler) => {
  test('compiles the examples and a program with every subpath, without skipLibCheck', async () => {
    const tsc = join(checkout, 'node_modules', compiler, 'bin/tsc');
    expect(await node(tsc, '-p', directory)).toMatchObject({ stdout: '', stderr: '', exitCode: 0 });
  });

  test('compiles those that cannot share a compilation, each by itself', async () => {
    const tsc = join(checkout, 'node_modules', compiler, 'bin/tsc');
    const projects = separate.map(projectOf);
    // A build reads the declarations of libraries once for all of them.
    const built = await node(tsc, '-b', '--force', '--verbose', ...projects);
    expect(built, built.stdout).toMatchObject({ stderr: '', exitCode: 0 });
    for (const name of separate)
      expect(built.stdout).toMatch(new RegExp(`Building project '\\S*tsconfig\\.${name}\\.json'`));
  });
});

describe('the package as installed', () => {
  test.concurrent.each([
    ...examples.filter(({ runs }) => runs).map(({ name }) => name),
    'subpaths',
    ...databaseApps,
  ])('%s runs', async (name) => {
    const file = join(directory, `${name}.ts`);
    const { code } = transformSync(readFileSync(file, 'utf8'), {
      loader: 'ts',
      format: 'esm',
      target: 'node20.19',
      sourcemap: 'inline',
      sourcefile: `${name}.ts`,
    });
    writeFileSync(join(directory, `${name}.mjs`), code);
    // Hashes are expensive on purpose, and take half a minute on a busy machine.
    const env = code.includes('fw/password') ? { NODE_ENV: 'test', FW_PASSWORD_COST: '10' } : {};
    const args = ['--enable-source-maps', `${name}.mjs`];
    const { exitCode, stdout, stderr } = await run(process.execPath, args, { cwd: directory, env });
    expect(exitCode, stdout + stderr).toBe(0);
  });
});
