// A client of every shape of procedure, a program that uses it, and the compilers that check both strictly.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type ts from 'typescript-6';
import type { PrintClientOptions } from '../client/print-client.js';
import { parseType } from '../wire/read/parse-type.js';
import type { ProcedureKind, ProcedureTypes, WireTypes } from '../wire/wire-type.js';
import { form, runtimeFile } from './client-form.js';

export const procedure = (kind: ProcedureKind, input: string, output: string): ProcedureTypes => ({
  kind,
  input: parseType(input),
  output: parseType(output),
});

export const types: WireTypes = {
  named: {
    User: parseType('{ id: string; name: string | null; tags: Array<string>; boss?: User }'),
    Role: parseType("'admin' | 'user'"),
  },
  procedures: {
    getUser: { ...procedure('query', '{ id: string }', 'User'), description: 'One user. */ alert(1) /*' },
    listUsers: procedure('query', '{ role?: Role; ids?: string[] } | void', 'Array<User>'),
    'rename-user': procedure('mutation', '{ id: string; name: string }', 'void'),
    add: procedure('mutation', '[number, number]', 'number'),
    count: procedure('query', 'void', 'number'),
    loose: procedure('query', 'void', 'unknown'),
    'team.list': procedure('query', 'void', 'Array<User>'),
    'team.roles.set': procedure('mutation', '{ id: string; role: Role }', 'void'),
  },
};

export const options: PrintClientOptions = {
  mode: 'jsonrpc',
  baseUrl: '/rpc',
  contract: 'c0ffee',
  version: '0.9.0',
  form,
};
export const rest: PrintClientOptions = { ...options, mode: 'rest', baseUrl: '/api' };
/** What the client is used as, checked by the compiler. */
export const use: string = `
import { contract, FwRpcClient, JsonRpcClientError, type User, type Role, type FwRpcProcedures } from './client.js';
const client = new FwRpcClient('/rpc', { headers: { A: 'b' }, timeoutMs: 5, checkContract: contract });
export async function use(): Promise<void> {
  const user: User = await client.getUser({ id: '1' });
  const name: string | null = user.name;
  await client.listUsers();
  await client.listUsers({ role: 'admin' satisfies Role });
  await client['rename-user']({ id: '1', name: 'x' }, { timeoutMs: 1 });
  const sum: number = await client.add([1, 2]);
  const count: number = await client.count();
  const team: User[] = await client.team.list();
  await client.team.roles.set({ id: '1', role: 'user' }, { timeoutMs: 1 });
  // @ts-expect-error a wrong input
  await client.team.roles.set({ id: '1' });
  await client.notify('rename-user', { id: '1', name: 'x' });
  const [one, two] = await client.batch([{ method: 'count' }, { method: 'getUser', params: { id: '1' } }]);
  const counted: number | undefined = one.result;
  const got: User | undefined = two.result;
  const code: number | undefined = two.error?.code;
  // @ts-expect-error an unknown procedure
  await client.nothing();
  // @ts-expect-error a wrong input
  await client.getUser({ id: 1 });
  // @ts-expect-error a wrong input in a batch
  await client.batch([{ method: 'getUser', params: { id: 1 } }]);
  // @ts-expect-error an unknown method
  await client.notify('nothing');
  // @ts-expect-error params that the procedure needs
  await client.batch([{ method: 'getUser' }]);
  // @ts-expect-error params that the procedure needs
  await client.notify('getUser');
  await client.notify('count');
  await client.notify('listUsers', undefined, { timeoutMs: 1 });
  const [forgotten] = await client.batch([{ method: 'rename-user', params: { id: '1', name: 'x' } }]);
  const nothing: null | undefined = forgotten.result;
  // @ts-expect-error nothing is null in a batch, not undefined alone
  const never: undefined = forgotten.error === undefined ? forgotten.result : undefined;
  console(nothing, never, team);
  const input: FwRpcProcedures['add']['input'] = [sum, count];
  console(name, counted, got, code, input, new JsonRpcClientError({ code: 1, message: '' }).code);
}
declare function console(...values: unknown[]): void;
`;

/** With the libraries of browsers or of Node: what they have is what the client takes. */
export const libraryUse: string = `import { FwRpcClient, FwRpcHttpError, FwRpcTimeoutError } from './client.js';
export const own: FwRpcClient = new FwRpcClient('/rpc', { fetch });
const client = new FwRpcClient('/rpc', {
  fetch: (url, init) => fetch(url, { ...init, credentials: 'include' }),
  signal: AbortSignal.timeout(1_000),
});
export async function use(signal?: AbortSignal, timeoutMs?: number): Promise<unknown> {
  try {
    return await client.getUser({ id: '1' }, { signal, timeoutMs, headers: undefined });
  } catch (error) {
    if (error instanceof FwRpcHttpError) return [error.status satisfies number, error.body];
    if (error instanceof FwRpcTimeoutError) return error.timeoutMs satisfies number;
    throw error;
  }
}
// @ts-expect-error a fetch of another kind
export const wrong: FwRpcClient = new FwRpcClient('/rpc', { fetch: (url: number) => fetch(String(url)) });
`;

export const restUse: string = `import { FwRpcClient, FwRpcHttpError } from './client.js';
export const error: unknown = new FwRpcHttpError(400, '', undefined).body;
export const users: Promise<unknown> = new FwRpcClient().listUsers({ ids: ['1'] });
`;

const strictest = {
  noEmit: true,
  // The libraries of TypeScript are right; the declarations of a client are not among them.
  skipDefaultLibCheck: true,
  strict: true,
  target: 'es2022',
  module: 'nodenext',
  types: [],
  lib: ['es2022'],
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  declaration: true,
  erasableSyntaxOnly: true,
};

/** By environment: what its programs are compiled with. */
export const libraries: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  browser: { lib: ['es2022', 'dom'] },
  node: {
    types: ['node'],
    typeRoots: [fileURLToPath(new URL('../../node_modules/@types', import.meta.url))],
    skipLibCheck: true,
  },
};

export type CompilerName = 'typescript' | 'typescript-6' | 'typescript-5.9';
export const compilers: readonly CompilerName[] = ['typescript', 'typescript-6', 'typescript-5.9'];

/** The files of a client by their names, and a program that imports them. */
export type CheckedProgram = readonly [client: Readonly<Record<string, string>>, program: string];

/** What the compiler says of the program beside the client's files; nothing where all is well. */
export function check(
  directory: string,
  compiler: CompilerName,
  client: Readonly<Record<string, string>>,
  program: string,
  libraries: Readonly<Record<string, unknown>> = {},
): string {
  write(directory, [client, program]);
  return compile(directory, compiler, ['use.ts'], libraries);
}

/** The same of several, in one run of the compiler, which reads its libraries once. */
export function checkAll(
  compiler: CompilerName,
  programs: readonly CheckedProgram[],
  libraries: Readonly<Record<string, unknown>> = {},
): string {
  const directory = mkdtempSync(join(tmpdir(), 'fw-checked-'));
  try {
    const folders = programs.map((_program, index) => String(index));
    for (const [index, program] of programs.entries()) write(join(directory, String(index)), program);
    return compile(
      directory,
      compiler,
      folders.map((folder) => `${folder}/use.ts`),
      libraries,
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function write(folder: string, [client, program]: CheckedProgram): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of Object.entries(client)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'use.ts'), program);
}

function compile(
  directory: string,
  compiler: CompilerName,
  files: readonly string[],
  libraries: Readonly<Record<string, unknown>>,
): string {
  const compilerOptions = {
    ...strictest,
    ...libraries,
    paths: { 'fw/client': [runtimeFile], ...(libraries.paths ?? {}) },
  };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  if (compiler !== 'typescript') return checkHere(load(compiler), directory);
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  try {
    return execFileSync(process.execPath, [tsc], { cwd: directory, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const load: (name: string) => typeof ts = createRequire(import.meta.url);
/** By compiler, path and format: the libraries, which parsing takes longest of all. */
const parsed = new WeakMap<typeof ts, Map<string, ts.SourceFile | undefined>>();

/** In this process: TypeScript 7 is a program of its own, and fast; the others would parse the libraries every time. */
function checkHere(compiler: typeof ts, directory: string): string {
  const { config } = compiler.readConfigFile(join(directory, 'tsconfig.json'), compiler.sys.readFile);
  const { options, fileNames, errors } = compiler.parseJsonConfigFileContent(config, compiler.sys, directory);
  const host = compiler.createCompilerHost(options);
  const known = parsed.get(compiler) ?? new Map<string, ts.SourceFile | undefined>();
  parsed.set(compiler, known);
  const program = compiler.createProgram(fileNames, options, {
    ...host,
    getCurrentDirectory: () => directory,
    getSourceFile(path, format, ...rest) {
      if (path.startsWith(directory)) return host.getSourceFile(path, format, ...rest);
      const key = `${path} ${JSON.stringify(format, ['languageVersion', 'impliedNodeFormat'])}`;
      if (!known.has(key)) known.set(key, host.getSourceFile(path, format, ...rest));
      return known.get(key);
    },
  });
  return compiler.formatDiagnostics([...errors, ...compiler.getPreEmitDiagnostics(program)], {
    ...host,
    getCurrentDirectory: () => directory,
  });
}
