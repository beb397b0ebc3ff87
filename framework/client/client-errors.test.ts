// Declared errors in the generated client: their types, the guard, and what it says of errors at run time.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript-6';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type CheckedProgram,
  checkAll,
  compilers,
  options,
  types as plain,
  rest,
} from '../conformance/checked-client.js';
import { clientCode } from '../conformance/client-form.js';
import { FwError, type FwErrorVariant } from '../http/errors.js';
import { RpcErrorCode, RpcRegistry } from '../rpc/index.js';
import { errorCode, isVariant, wireError } from '../rpc/protocol/rpc-error.js';
import { diffTypes } from '../wire/compare/same-type.js';
import { printClient } from './print-client.js';
import { printDeclaredClient } from './print-declared-client.js';
import { readClient } from './read-client.js';

const directory = mkdtempSync(join(tmpdir(), 'fw-client-errors-'));
afterAll(() => rmSync(directory, { recursive: true }));

const Buyer = z.object({ id: z.string(), boss: z.string().optional() }).meta({ id: 'Buyer' });
const types = new RpcRegistry()
  .query('ping', { output: z.string() }, () => '')
  .mutation(
    'buy',
    {
      input: z.object({ id: z.string() }),
      output: z.string(),
      errors: {
        outOfStock: z.object({ left: z.int() }),
        closed: {},
        taken: { data: z.object({ by: Buyer }) },
      },
    },
    () => '',
  )
  .mutation('sell-*/', { errors: { closed: z.object({ until: z.date() }) } }, () => 1)
  .types();
const modes = [options, rest];

const use = `
import { FwRpcClient, isErrorOf, type BuyError, type Buyer, type FwRpcErrors } from './client.js';
const client = new FwRpcClient();
export async function use(): Promise<number | string | undefined> {
  try {
    return await client.buy({ id: '1' });
  } catch (error) {
    if (!isErrorOf(error, 'buy')) throw error;
    const any: BuyError = error.error;
    const code: number = any.code;
    switch (error.error.name) {
      case 'outOfStock': {
        const { left } = error.error.data;
        return left satisfies number;
      }
      case 'taken': {
        const by: Buyer = error.error.data.by;
        return by.boss;
      }
      case 'closed': {
        const nothing: undefined = error.error.data;
        return nothing ?? code;
      }
    }
  }
}
export function narrow(error: unknown): FwRpcErrors['sell-*/'] | undefined {
  // @ts-expect-error a procedure without errors
  if (isErrorOf(error, 'ping')) return undefined;
  if (isErrorOf(error, 'buy')) {
    // @ts-expect-error no such name
    if (error.error.name === 'sold') return undefined;
    // @ts-expect-error only some of them have data
    const { left } = error.error.data;
    return left;
  }
  if (!isErrorOf(error, 'sell-*/')) return undefined;
  const until: string = error.error.data.until;
  return until === '' ? undefined : error.error;
}
`;
const named = `
import { isRpcError, type Buyer, type FwRpcErrorName } from './client.js';
export function told(error: unknown): string | number | undefined {
  if (isRpcError(error, 'outOfStock')) return error.error.data.left satisfies number;
  if (isRpcError(error, 'taken')) return (error.error.data.by satisfies Buyer).boss;
  if (isRpcError(error, 'closed')) {
    // Two procedures declare it, with different data.
    const data: { until: string } | undefined = error.error.data;
    return data?.until;
  }
  if (isRpcError(error, 'NotFound')) return error.message;
  // @ts-expect-error nobody declares it
  if (isRpcError(error, 'sold')) return undefined;
  const name: FwRpcErrorName = 'Unauthorized' satisfies FwRpcErrorName;
  return name;
}
`;
const namedData = `${named}
import { JsonRpcClientError } from './client.js';
export function others(error: JsonRpcClientError): string {
  return isRpcError(error, 'NotFound') ? 'gone' : error.message;
}
export function left(error: unknown): number | undefined {
  if (!isRpcError(error, 'outOfStock')) return undefined;
  const left: number = error.data.left;
  return left;
}
`;
const namedOf = (mode: string) => (mode === 'rest' ? named : namedData);
const batchUse = `${use}
export async function batch(): Promise<number | string | undefined> {
  const [bought, pinged] = await client.batch([{ method: 'buy', params: { id: '1' } }, { method: 'ping', params: 1 }]);
  if (pinged.error) return pinged.error.name satisfies string | undefined;
  if (!bought.error) return bought.result;
  if (bought.error.name === 'outOfStock') return bought.error.data.left satisfies number;
  if (bought.error.name === undefined) return bought.error.code satisfies number;
  return bought.error.name satisfies 'closed' | 'taken';
}
`;
const programOf = (mode: string) => (mode === 'rest' ? use : batchUse);

describe('a client with declared errors', () => {
  it.each(compilers)(
    'narrows them under the strictest options of %s, and so do its declarations',
    (compiler) => {
      const programs = modes.flatMap((mode) =>
        [
          { 'client.ts': printClient(types, mode) },
          { 'client.d.ts': printDeclaredClient(types, mode) },
        ].flatMap((client): CheckedProgram[] => [
          [client, programOf(mode.mode)],
          [client, namedOf(mode.mode)],
        ]),
      );
      expect(checkAll(compiler, programs)).toBe('');
    },
    90_000,
  );

  /** One layout for both, without the line about the generator and the comment of the rules, which tsc drops. */
  const laidOut = (text: string): string => {
    const bare = text
      .replace(/^\/\/ Generated.*\n/, '')
      .replace(/\/\*\n \* What the server checks[\s\S]*$/, '');
    const file = ts.createSourceFile('client.d.ts', bare, ts.ScriptTarget.Latest);
    return ts.createPrinter().printFile(file).replaceAll(/\s+/g, ' ').replaceAll(', }', ' }');
  };

  it.each(modes)('has the declarations that tsc emits: $mode', (mode) => {
    const { outputText, diagnostics } = ts.transpileDeclaration(printClient(types, mode), {
      fileName: 'client.ts',
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, strict: true },
    });
    expect(diagnostics).toEqual([]);
    expect(laidOut(printDeclaredClient(types, mode))).toBe(laidOut(outputText));
  });

  it.each(modes)('can be read back, with the rules of their data: $mode', (mode) => {
    const read = readClient(printClient(types, mode));
    expect(Object.keys(read.named)).toEqual(['BuyInput', 'Buyer']);
    expect(Object.keys(read.procedures.buy?.errors ?? {}).sort()).toEqual(['closed', 'outOfStock', 'taken']);
    expect(diffTypes(types, read)).toEqual([]);
    expect(diffTypes(read, types)).toEqual([]);
    expect(readClient(printDeclaredClient(types, mode))).toEqual(read);
  });

  it('is the same text in whatever order they were declared', () => {
    const turned = {
      named: types.named,
      procedures: Object.fromEntries(
        Object.entries(types.procedures)
          .reverse()
          .map(([name, { errors, ...one }]) => {
            const reversed = errors && Object.fromEntries(Object.entries(errors).reverse());
            return [name, reversed === undefined ? one : { ...one, errors: reversed }];
          }),
      ),
    };
    for (const mode of modes) expect(printClient(turned, mode)).toBe(printClient(types, mode));
  });
});

it.each(modes)('a client without declared errors has nothing for them: $mode', (mode) => {
  const text = printClient(plain, mode) + printDeclaredClient(plain, mode);
  for (const word of ['isErrorOf', 'FwRpcErrors', 'declaredFailure', 'ErrorOf('])
    expect(text).not.toContain(word);
});

describe('at run time', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the client's types are checked above.
  let clients: Record<'jsonrpc' | 'rest', any>;

  beforeAll(async () => {
    const load = async (mode: (typeof modes)[number]) => {
      const code = await clientCode(printClient(types, mode));
      const file = join(directory, `${mode.mode}.mjs`);
      writeFileSync(file, code);
      return import(pathToFileURL(file).href);
    };
    clients = { jsonrpc: await load(options), rest: await load(rest) };
  });

  /** What a call of `buy` throws where the server answers with this. */
  async function thrown(mode: 'jsonrpc' | 'rest', body: unknown): Promise<unknown> {
    const text = JSON.stringify(mode === 'rest' ? body : { jsonrpc: '2.0', error: body, id: 1 });
    const ok = mode !== 'rest';
    const fetch = async () => ({
      ok,
      status: ok ? 200 : 409,
      statusText: 'Conflict',
      text: async () => text,
    });
    return await new clients[mode].FwRpcClient('/', { fetch })
      .buy({ id: '1' })
      .catch((error: unknown) => error);
  }

  it('the guard knows the declared errors of a procedure', async () => {
    const { isErrorOf } = clients.jsonrpc;
    const wire = { code: -32000, message: 'out', name: 'outOfStock', data: { left: 2 } };
    const error = await thrown('jsonrpc', wire);
    expect(error).toMatchObject({ error: wire, procedure: 'buy', message: 'out', data: { left: 2 } });
    expect(isErrorOf(error, 'buy')).toBe(true);
    expect(isErrorOf(await thrown('jsonrpc', { code: 1, message: '', name: 'closed' }), 'buy')).toBe(true);
  });

  it('the guard knows them over REST', async () => {
    const { isErrorOf } = clients.rest;
    const body = { error: 'outOfStock', message: 'out', code: -32000, data: { left: 2 } };
    const error = await thrown('rest', body);
    expect(error).toMatchObject({
      error: { code: -32000, message: 'out', name: 'outOfStock', data: { left: 2 } },
      procedure: 'buy',
      status: 409,
      message: 'HTTP 409: Conflict',
      body,
    });
    expect(isErrorOf(error, 'buy')).toBe(true);
  });

  it.each<[string, unknown]>([
    ['no name', { code: -32000, message: '' }],
    ['a name that a newer server declares', { code: -32000, message: '', name: 'newer' }],
    ['a name that is not a text', { code: -32000, message: '', name: 7 }],
    ['a name of every object', { code: -32000, message: '', name: 'constructor' }],
  ])('the guard knows no error with %s', async (_what, error) => {
    expect(clients.jsonrpc.isErrorOf(await thrown('jsonrpc', error), 'buy')).toBe(false);
  });

  it.each<[string, unknown]>([
    ['an error of fw', { error: 'NotFound', message: '' }],
    ['a name that a newer server declares', { error: 'newer', message: '', code: 1 }],
    ['a body of onError', { error: 'closed' }],
    ['a body that is a text', 'closed'],
    ['a body that is null', null],
  ])('the guard knows no error in %s', async (_what, body) => {
    const error = await thrown('rest', body);
    expect(error).toBeInstanceOf(clients.rest.FwRpcHttpError);
    expect(error).toHaveProperty('error', undefined);
    expect(clients.rest.isErrorOf(error, 'buy')).toBe(false);
  });

  it('tells errors by their names, declared or not', async () => {
    const { isRpcError } = clients.jsonrpc;
    const names = async (wire: object) => {
      const error = await thrown('jsonrpc', wire);
      const all = ['outOfStock', 'closed', 'NotFound', 'MethodNotFound', 'InvalidParams', 'constructor'];
      return all.filter((name) => isRpcError(error, name));
    };
    const declared = { code: -32004, message: 'out', name: 'outOfStock', data: { left: 2 } };
    expect(await names(declared)).toEqual(['outOfStock']);
    expect(await names({ code: -32004, message: '', data: { error: 'NotFound' } })).toEqual(['NotFound']);
    expect(await names({ code: -32602, message: '' })).toEqual(['InvalidParams']);
    expect(await names({ code: 4001, message: '' })).toEqual([]);
    for (const other of [undefined, null, new Error('NotFound'), { error: { name: 'closed' } }]) {
      expect(isRpcError(other, 'closed')).toBe(false);
      expect(clients.rest.isRpcError(other, 'closed')).toBe(false);
    }
  });

  it('tells errors by their names over REST', async () => {
    const names = async (body: unknown) => {
      const error = await thrown('rest', body);
      return ['outOfStock', 'closed', 'NotFound', 'constructor'].filter((name) =>
        clients.rest.isRpcError(error, name),
      );
    };
    const declared = { error: 'outOfStock', message: 'out', code: -32000, data: { left: 2 } };
    expect(await names(declared)).toEqual(['outOfStock']);
    expect(await names({ error: 'NotFound', message: '' })).toEqual(['NotFound']);
    for (const body of [{ error: 'closed' }, { error: 'constructor' }, 'closed', null])
      expect(await names(body)).toEqual([]);
  });

  it('has the codes that the server sends', () => {
    for (const [name, code] of Object.entries(errorCode)) {
      expect(RpcErrorCode).toHaveProperty(name.charAt(0).toUpperCase() + name.slice(1), code);
    }
    for (const name of Object.keys(RpcErrorCode)) {
      if (!isVariant(name)) continue;
      const { code } = wireError(new FwError(name as FwErrorVariant, 'x'));
      expect([name, code]).toEqual([name, RpcErrorCode[name as FwErrorVariant]]);
    }
    expect(Object.keys(RpcErrorCode).filter(isVariant)).toHaveLength(20);
  });

  it('the guard knows no error of another procedure, and nothing else that is thrown', async () => {
    const closed = await thrown('jsonrpc', { code: -32000, message: '', name: 'closed' });
    expect(clients.jsonrpc.isErrorOf(closed, 'sell-*/')).toBe(false);
    for (const other of [undefined, null, 'closed', new Error('closed'), { error: { name: 'closed' } }]) {
      expect(clients.jsonrpc.isErrorOf(other, 'buy')).toBe(false);
      expect(clients.rest.isErrorOf(other, 'buy')).toBe(false);
    }
  });
});
