import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseType } from '../types/parse-type.js';
import type { ProcedureTypes, WireTypes } from '../types/wire-type.js';
import { type PrintClientOptions, printClient } from './print-client.js';
import { readClient } from './read-client.js';

const procedure = (kind: 'query' | 'mutation', input: string, output: string): ProcedureTypes => ({
  kind,
  input: parseType(input),
  output: parseType(output),
});

const types: WireTypes = {
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
  },
};

const options: PrintClientOptions = {
  mode: 'jsonrpc',
  baseUrl: '/rpc',
  contract: 'c0ffee',
  version: '0.9.0',
};
const rest: PrintClientOptions = { ...options, mode: 'rest', baseUrl: '/api' };
const directory = mkdtempSync(join(tmpdir(), 'fw-client-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** What the client is used as, checked by the compiler. */
const use = `
import { FwRpcClient, JsonRpcClientError, type User, type Role, type FwRpcProcedures } from './client.js';
const client = new FwRpcClient('/rpc', { headers: { A: 'b' }, timeoutMs: 5 });
export async function use(): Promise<void> {
  const user: User = await client.getUser({ id: '1' });
  const name: string | null = user.name;
  await client.listUsers();
  await client.listUsers({ role: 'admin' satisfies Role });
  await client['rename-user']({ id: '1', name: 'x' }, { timeoutMs: 1 });
  const sum: number = await client.add([1, 2]);
  const count: number = await client.count();
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
  const input: FwRpcProcedures['add']['input'] = [sum, count];
  console(name, counted, got, code, input, new JsonRpcClientError({ code: 1, message: '' }).code);
}
declare function console(...values: unknown[]): void;
`;

const strictest = {
  noEmit: true,
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

function check(compiler: string, client: string, program: string): string {
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(directory, 'client.ts'), client);
  writeFileSync(join(directory, 'use.ts'), program);
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: strictest, files: ['use.ts'] }),
  );
  const tsc = fileURLToPath(new URL(`../../../node_modules/${compiler}/bin/tsc`, import.meta.url));
  try {
    return execFileSync(process.execPath, [tsc], { cwd: directory, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

describe('a generated client', () => {
  it.each(['typescript', 'typescript-6'])(
    'compiles under the strictest options of %s',
    (compiler) => {
      expect(check(compiler, printClient(types, options), use)).toBe('');
      const restUse = `import { FwRpcClient, FwRpcHttpError } from './client.js';
      export const error: unknown = new FwRpcHttpError(400, '', undefined).body;
      export const users: Promise<unknown> = new FwRpcClient().listUsers({ ids: ['1'] });`;
      expect(check(compiler, printClient(types, rest), restUse)).toBe('');
    },
    60_000,
  );

  it('is the same text for the same types, in whatever order they came', () => {
    const turned: WireTypes = {
      named: Object.fromEntries(Object.entries(types.named).reverse()),
      procedures: Object.fromEntries(Object.entries(types.procedures).reverse()),
    };
    expect(printClient(turned, options)).toBe(printClient(types, options));
  });

  it('says that it is generated, and imports nothing', () => {
    const text = printClient(types, options);
    expect(text).toMatch(/^\/\/ Generated by fw 0\.9\.0\. Do not edit/);
    expect(text).not.toMatch(/^import|require\(/m);
    expect(text).toContain('return await this.#call("loose", undefined, options);');
    expect(text).toContain('constructor(baseUrl: string = "/rpc"');
  });

  it.each([options, rest])('can be read back: %#', (mode) => {
    const { named, procedures } = readClient(printClient(types, mode));
    expect(Object.keys(named).sort()).toEqual(['Role', 'User']);
    expect(procedures.getUser).toMatchObject({ kind: 'query', output: { kind: 'ref', name: 'User' } });
    expect(printClient({ named, procedures }, mode).replaceAll(/^ *\/\*\*.*\n/gm, '')).toBe(
      printClient(types, mode).replaceAll(/^ *\/\*\*.*\n/gm, ''),
    );
  });

  it('is not read from what is none', () => {
    expect(() => readClient('export const x = 1;')).toThrow('no client that fw generated');
  });
});

interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

describe('at run time', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the client's types are checked above.
  let clients: Record<'jsonrpc' | 'rest', any>;
  const sent: Sent[] = [];
  let answer: (sent: Sent) => { status?: number; statusText?: string; body: unknown };
  const fetch = async (url: string, { signal, ...init }: Omit<Sent, 'url'> & { signal: AbortSignal }) => {
    sent.push({ url, ...init });
    if (signal.aborted) throw signal.reason;
    const { status = 200, statusText = 'OK', body } = answer({ url, ...init });
    if (body === undefined) {
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { ok: status < 300, status, statusText, text: async () => text };
  };
  const last = () => JSON.parse(sent.at(-1)?.body ?? 'null');

  beforeAll(async () => {
    const load = async (mode: PrintClientOptions) => {
      const { code } = await transform(printClient(types, mode), { loader: 'ts', target: 'node20' });
      const file = join(directory, `${mode.mode}.mjs`);
      writeFileSync(file, code);
      return import(pathToFileURL(file).href);
    };
    clients = { jsonrpc: await load(options), rest: await load(rest) };
  });

  it('calls over JSON-RPC, counting from 1', async () => {
    const client = new clients.jsonrpc.FwRpcClient('http://x/rpc', { fetch, headers: { A: 'b' } });
    answer = ({ body = '' }) => ({ body: { jsonrpc: '2.0', result: 'done', id: JSON.parse(body).id } });
    expect(await client.getUser({ id: '1' })).toBe('done');
    expect(sent.at(-1)).toEqual({
      url: 'http://x/rpc',
      method: 'POST',
      headers: { 'Content-Type': 'application/json', A: 'b' },
      body: '{"jsonrpc":"2.0","method":"getUser","params":{"id":"1"},"id":1}',
    });
    await client.count();
    expect(last()).toEqual({ jsonrpc: '2.0', method: 'count', id: 2 });
  });

  it('throws what the server says', async () => {
    const client = new clients.jsonrpc.FwRpcClient('/rpc', { fetch });
    answer = () => ({ body: { jsonrpc: '2.0', error: { code: -32602, message: 'no', data: 7 }, id: 1 } });
    const error = await client.count().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(clients.jsonrpc.JsonRpcClientError);
    expect(error).toMatchObject({
      name: 'JsonRpcClientError',
      message: 'no',
      code: -32602,
      data: 7,
      error: { code: -32602, message: 'no', data: 7 },
    });
    answer = () => ({ status: 503, statusText: 'Service Unavailable', body: 'down' });
    await expect(client.count()).rejects.toThrow('HTTP 503: Service Unavailable');
  });

  it('notifies without an id, and takes no answer', async () => {
    const client = new clients.jsonrpc.FwRpcClient('/rpc', { fetch });
    answer = () => ({ status: 204, body: '' });
    expect(await client.notify('count')).toBeUndefined();
    expect(last()).toEqual({ jsonrpc: '2.0', method: 'count' });
  });

  it('sends a batch at once, and gives the results in the order of the calls', async () => {
    const client = new clients.jsonrpc.FwRpcClient('/rpc', { fetch });
    answer = ({ body = '' }) => {
      const [first, second] = JSON.parse(body);
      return {
        body: [
          { id: second.id, error: { code: 1, message: 'no' } },
          { id: first.id, result: 5 },
        ],
      };
    };
    const calls = [{ method: 'count' }, { method: 'getUser', params: { id: '1' } }, { method: 'add' }];
    expect(await client.batch(calls)).toEqual([
      { result: 5 },
      { error: { code: 1, message: 'no' } },
      { error: { code: -32603, message: 'the server gave no answer to this call' } },
    ]);
    const before = sent.length;
    expect(await client.batch([])).toEqual([]);
    expect(sent.length).toBe(before);
    answer = () => ({ body: { jsonrpc: '2.0', error: { code: -32600, message: 'too many' }, id: null } });
    await expect(client.batch(calls)).rejects.toThrow('too many');
  });

  it('ends with its signals and its time', async () => {
    const controller = new AbortController();
    const client = new clients.jsonrpc.FwRpcClient('/rpc', { fetch, signal: controller.signal });
    answer = () => ({ body: undefined });
    await expect(client.count({ timeoutMs: 10 })).rejects.toThrow('no answer within 10 ms');
    const own = new AbortController();
    const call = client.count({ signal: own.signal });
    own.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    controller.abort(new Error('closed'));
    await expect(client.count()).rejects.toThrow('closed');
  });

  it('names its contract when it is asked to', async () => {
    answer = () => ({ body: { result: 1 } });
    await new clients.jsonrpc.FwRpcClient('/rpc', { fetch, contract: true }).count();
    expect(sent.at(-1)?.headers['X-Fw-Contract']).toBe('c0ffee');
  });

  it('calls over REST', async () => {
    const client = new clients.rest.FwRpcClient('http://x/api', { fetch });
    answer = () => ({ body: [1] });
    expect(await client.listUsers({ role: 'admin', ids: ['1', 'a b'], none: undefined })).toEqual([1]);
    expect(sent.at(-1)).toEqual({
      url: 'http://x/api/listUsers?role=admin&ids=1&ids=a%20b',
      method: 'GET',
      headers: {},
    });
    answer = () => ({ body: '' });
    await client['rename-user']({ id: '1', name: 'x' });
    expect(sent.at(-1)).toMatchObject({
      url: 'http://x/api/rename-user',
      method: 'POST',
      body: '{"id":"1","name":"x"}',
    });
    answer = () => ({ status: 400, statusText: 'Bad Request', body: { error: 'BadRequest', message: 'no' } });
    const error = await client.count().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: 'HTTP 400: Bad Request', status: 400, body: { message: 'no' } });
  });
});
