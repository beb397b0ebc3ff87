// Generated clients of procedures and of routes in other tools: linters, compilers, and openapi-typescript, whose types are compared with theirs.
import { copyFileSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientFromApp } from 'fw/rpc';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkout, type RunResult, run, temporaryDirectory } from './packed.js';
import { everyKind } from './typed-clients/registry.js';
import { everyRoute } from './typed-clients/routes.js';
import { everySocket } from './typed-clients/sockets.js';

const project = fileURLToPath(new URL('typed-clients', import.meta.url));
const modules = join(project, 'node_modules');

/** Why these tests are skipped here, if they are; on a CI machine that is a failure instead. */
const missing = existsSync(modules)
  ? undefined
  : 'the linters are not installed; run: npm ci --prefix e2e/typed-clients';
if (missing !== undefined && process.env.CI) throw new Error(missing);
if (missing !== undefined) process.stderr.write(`skipped: ${missing}\n`);

const clients = [
  'jsonrpc.ts',
  'rest.ts',
  'routes.ts',
  'both.ts',
  'sockets.ts',
  'all.ts',
  'jsonrpc-queries.ts',
  'rest-queries.ts',
  'imported-jsonrpc.ts',
  'imported-rest.ts',
  'imported-sockets.ts',
  'imported-all.ts',
];
const declarations = [
  'declared-jsonrpc.d.ts',
  'declared-rest.d.ts',
  'declared-both.d.ts',
  'declared-sockets.d.ts',
  'declared-all.d.ts',
  'imported-declared-all.d.ts',
];

/** The types of both sides, and whether they are identical. */
const equal = `import type { operations } from './openapi.js';
import type { FwRpcProcedures } from './rest.js';

export type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type Operation = keyof operations & keyof FwRpcProcedures;

/** Absent and optional inputs are in different places in both, and not compared. */
type TheirInput<Name extends Operation> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : NonNullable<operations[Name]['parameters']['query']>;
type TheirOutput<Name extends Operation> =
  operations[Name]['responses'][200]['content']['application/json'];

export type Input<Name extends Operation> = Equal<
  TheirInput<Name>,
  Exclude<FwRpcProcedures[Name]['input'], undefined>
>;
export type Output<Name extends Operation> = Equal<TheirOutput<Name>, FwRpcProcedures[Name]['output']>;
`;

/** Where OpenAPI 3.0 or openapi-typescript cannot express the types of the client. */
const different: Readonly<Record<string, string>> = {
  'Input<"add">': 'a tuple is an array of any of its items to OpenAPI 3.0',
  'Input<"tuples.in">': 'likewise',
  'Output<"tuples.out">': 'likewise',
  'Input<"openObjects.in">': 'fields and a record are an intersection to openapi-typescript',
  'Output<"openObjects.out">': 'likewise',
  'Output<"forget">': 'a void result is undefined in the client, and of unknown type in a document',
  'Input<"pet">': 'an input without a type is unknown in the client, and not a parameter in a document',
};

describe.skipIf(missing !== undefined)('clients of a registry with every kind of type', () => {
  let directory: string;
  let procedures: string[];

  beforeAll(async () => {
    directory = temporaryDirectory();
    symlinkSync(modules, join(directory, 'node_modules'), 'junction');
    copyFileSync(join(project, 'eslint.config.js'), join(directory, 'eslint.config.js'));
    const config = JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8'));
    // What clients import that have no run time of their own.
    config.compilerOptions.paths = {
      'fw/client': [join(checkout, 'dist/framework/client/runtime/index.d.ts')],
    };
    write('tsconfig.json', JSON.stringify(config));
    write('package.json', '{ "type": "module" }');
    for (const mode of ['jsonrpc', 'rest'] as const) {
      await everyKind(mode).generateClientFile(join(directory, `${mode}.ts`), { queryOptions: true });
      const declared = join(directory, `declared-${mode}.ts`);
      await everyKind(mode).generateClientFile(declared, { declarations: true });
      rmSync(declared);
      await everyKind(mode).generateClientFile(join(directory, `imported-${mode}.ts`), { client: 'import' });
    }
    await clientFromApp(everyRoute()).writeToFile(join(directory, 'routes.ts'));
    const both = clientFromApp(everyRoute(), { rpc: everyKind('jsonrpc') });
    await both.writeToFile(join(directory, 'both.ts'));
    await both.writeToFile(join(directory, 'declared-both.ts'), { declarations: true });
    rmSync(join(directory, 'declared-both.ts'));
    await clientFromApp(everySocket()).writeToFile(join(directory, 'sockets.ts'));
    await clientFromApp(everySocket()).writeToFile(join(directory, 'declared-sockets.ts'), {
      declarations: true,
    });
    const rpc = everyKind('jsonrpc');
    const all = clientFromApp(everyRoute().route('/live', everySocket(rpc)), { rpc });
    await all.writeToFile(join(directory, 'all.ts'));
    await all.writeToFile(join(directory, 'declared-all.ts'), { declarations: true });
    for (const name of ['sockets', 'all']) rmSync(join(directory, `declared-${name}.ts`));
    const imports = { client: 'import', declarations: true } as const;
    await clientFromApp(everySocket()).writeToFile(join(directory, 'imported-sockets.ts'), {
      client: 'import',
    });
    await all.writeToFile(join(directory, 'imported-all.ts'), { client: 'import' });
    await all.writeToFile(join(directory, 'imported-declared-all.ts'), imports);
    rmSync(join(directory, 'imported-declared-all.ts'));
    const rest = everyKind('rest');
    procedures = Object.keys(rest.types().procedures);
    await rest.generateOpenapi('Every kind', '1.0.0', '/api').writeToFile(join(directory, 'openapi.json'));
    // A field with a default may be left out of an input.
    const made = await tool(
      'openapi-typescript/bin/cli.js',
      'openapi.json',
      '--default-non-nullable=false',
      '-o',
      'openapi.ts',
    );
    expect(made).toMatchObject({ exitCode: 0 });
  });

  const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);
  const tool = (file: string, ...args: string[]): Promise<RunResult> =>
    run(process.execPath, [join(modules, file), ...args], { cwd: directory });

  const compilers = {
    'TypeScript 5': join(modules, 'typescript/bin/tsc'),
    'TypeScript 6': join(checkout, 'node_modules/typescript-6/bin/tsc'),
    'TypeScript 7': join(checkout, 'node_modules/typescript/bin/tsc'),
  };

  test.each(Object.entries(compilers))('compile under the strictest options of %s', async (_name, tsc) => {
    const files = [...clients, ...declarations];
    write('tsconfig.clients.json', JSON.stringify({ extends: './tsconfig.json', files, include: [] }));
    const checked = await run(process.execPath, [tsc, '-p', 'tsconfig.clients.json'], { cwd: directory });
    expect(checked).toMatchObject({ stdout: '', exitCode: 0 });
  });

  /** The problems that typescript-eslint reports, as `file rule`. */
  async function lint(...files: string[]): Promise<string[]> {
    const { stdout } = await tool('eslint/bin/eslint.js', '--format', 'json', ...files);
    const results = JSON.parse(stdout) as {
      filePath: string;
      messages: { ruleId: string; message: string }[];
    }[];
    expect(results.map(({ filePath }) => basename(filePath)).sort()).toEqual(files.toSorted());
    return results.flatMap(({ filePath, messages }) =>
      messages.map(({ ruleId, message }) => `${basename(filePath)} ${ruleId ?? message}`),
    );
  }

  test('have no problem with the strict and stylistic rules of typescript-eslint', async () => {
    expect(await lint(...clients, ...declarations)).toEqual([
      // The files of queries call a procedure that is deprecated.
      'jsonrpc-queries.ts @typescript-eslint/no-deprecated',
      'rest-queries.ts @typescript-eslint/no-deprecated',
    ]);
  });

  test('would have a problem with a mistake, with types and without, despite eslint-disable comments', async () => {
    const client = readFileSync(join(directory, 'rest.ts'), 'utf8');
    const faulty = client
      .replace('let timer: unknown;', 'const five: number = 5;\n  let timer: unknown = five;')
      .replace('String(timeoutMs)', 'timeoutMs as any');
    write('faulty.ts', `/* eslint-disable */\n${faulty}`);
    const reports = await lint('faulty.ts');
    rmSync(join(directory, 'faulty.ts'));
    expect(reports).toContain('faulty.ts @typescript-eslint/no-inferrable-types');
    expect(reports).toContain('faulty.ts @typescript-eslint/restrict-template-expressions');
  });

  /** The problems that Biome's recommended rules report, by name. */
  async function biome(...files: string[]): Promise<string[]> {
    const { stdout } = await tool('@biomejs/biome/bin/biome', 'lint', '--reporter=json', ...files);
    const { summary, diagnostics } = JSON.parse(stdout) as {
      summary: { unchanged: number };
      diagnostics: { category: string }[];
    };
    expect(summary.unchanged).toBe(files.length);
    return diagnostics.map(({ category }) => category);
  }

  test('have no problem with the recommended rules of Biome, which would report a mistake', async () => {
    expect(await biome(...clients)).toEqual([]);
    const client = readFileSync(join(directory, 'jsonrpc.ts'), 'utf8');
    write('faulty.ts', client.replaceAll('result?: unknown', 'result?: any'));
    const reports = await biome('faulty.ts');
    rmSync(join(directory, 'faulty.ts'));
    expect(reports).toContain('lint/suspicious/noExplicitAny');
  });

  test('have the types that openapi-typescript reads from the document, except those that it cannot express', async () => {
    const sides = procedures.flatMap((name) => [`Input<"${name}">`, `Output<"${name}">`]);
    expect(sides).toEqual(expect.arrayContaining(Object.keys(different)));
    const lines = sides.map((side, index) => `export const is${index}: ${side} = ${!(side in different)};`);
    write('equal.ts', equal);
    write('compare.ts', `import type { Input, Output } from './equal.js';\n${lines.join('\n')}\n`);
    expect(await tool('typescript/bin/tsc', '-p', '.')).toMatchObject({ stdout: '', exitCode: 0 });
    // A difference would be reported.
    const document = readFileSync(join(directory, 'openapi.ts'), 'utf8');
    write('openapi.ts', document.replaceAll(/\bfull\?: boolean/g, 'full?: string'));
    const { stdout } = await tool('typescript/bin/tsc', '-p', '.');
    const seen = sides.indexOf('Input<"users.get">');
    expect(stdout.trim()).toMatch(new RegExp(`^compare\\.ts\\(${seen + 2},\\d+\\): error TS2322: [^\\n]*$`));
  });
});
