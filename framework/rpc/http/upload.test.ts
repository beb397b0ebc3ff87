import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { printClient } from '../../client/print-client.js';
import { printDeclaredClient } from '../../client/print-declared-client.js';
import { readClient } from '../../client/read-client.js';
import {
  type CheckedProgram,
  checkAll,
  compilers,
  libraries,
  options,
  procedure,
  rest,
  types,
} from '../../conformance/checked-client.js';
import { clientCode, form } from '../../conformance/client-form.js';
import { serving } from '../../conformance/live-events.js';
import { App } from '../../index.js';
import type { WireTypes } from '../../wire/wire-type.js';
import { RpcMode, RpcRegistry } from '../index.js';

const Album = z.object({
  title: z.string(),
  cover: z.file().max(1_000),
  'more/~1': z.array(z.instanceof(File)).optional(),
});

async function described(file: Blob): Promise<unknown> {
  return file instanceof File ? [file.name, file.type, await file.text()] : 'no file';
}

function registry(mode: RpcMode = RpcMode.JsonRpc): RpcRegistry {
  return RpcRegistry.withMode(mode)
    .mutation('addAlbum', { input: Album }, async ({ title, cover, 'more/~1': more = [] }) => ({
      title,
      files: await Promise.all([cover, ...more].map(described)),
    }))
    .mutationWithTypes(
      'sizes',
      ({ files, name }: { files: File[]; name?: string | File }) =>
        [name, ...files].map((one) => (one instanceof File ? one.size : one)),
      '{ files: File[]; name?: string | Blob }',
      'unknown',
    )
    .mutationWithTypes('plain', () => 1, '{ a: string }', 'number');
}

const app = () =>
  new App().maxBodySize(100_000).mountRpc('/rpc', registry()).mountRest('/api', registry(RpcMode.Rest));

interface Client {
  addAlbum(input: object): Promise<unknown>;
  sizes(input: object): Promise<unknown>;
  plain(input: object): Promise<unknown>;
  batch(calls: object[]): Promise<unknown>;
}
const modules: Partial<Record<RpcMode, { FwRpcClient: new (baseUrl: string, options?: object) => Client }>> =
  {};

beforeAll(async () => {
  for (const mode of [RpcMode.JsonRpc, RpcMode.Rest]) {
    const code = await clientCode(registry(mode).generateClient({ client: form }));
    modules[mode] = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  }
});

describe.each([
  [RpcMode.JsonRpc, '/rpc'],
  [RpcMode.Rest, '/api'],
] as const)('the client in mode %s', (mode, path) => {
  const connected = (test: (client: Client) => Promise<void>): Promise<void> =>
    serving(app(), async (url) => {
      const { FwRpcClient } = modules[mode] ?? {};
      if (FwRpcClient !== undefined) await test(new FwRpcClient(url + path));
    });

  it('sends files at any place, as the files of the web', async () => {
    const cover = new File(['\r\n--x\r\n'], 'ünal "1".png', { type: 'image/png' });
    await connected(async (client) => {
      const more = [new File([''], 'empty'), new File(['b'], 'b.txt', { type: 'text/plain' })];
      expect(await client.addAlbum({ title: 'A', cover, 'more/~1': more })).toEqual({
        title: 'A',
        files: [
          ['ünal "1".png', 'image/png', '\r\n--x\r\n'],
          ['empty', 'application/octet-stream', ''],
          ['b.txt', 'text/plain', 'b'],
        ],
      });
      expect(await client.sizes({ files: [new Blob(['abc'])], name: 'x' })).toEqual(['x', 3]);
      expect(await client.sizes({ files: [], name: new Blob(['ab']) })).toEqual([2]);
      const date = { files: [new Blob(['abc'])], name: new Date(0) };
      expect(await client.sizes(date)).toEqual(['1970-01-01T00:00:00.000Z', 3]);
      expect(await client.sizes({ files: [], name: 'no file' })).toEqual(['no file']);
      expect(await client.plain({ a: '1' })).toBe(1);
    });
  });

  it('gets the issues of an input that does not match, and 413 for a body that is too large', async () => {
    await connected(async (client) => {
      const large = new File(['x'.repeat(2_000)], 'a');
      const text = async (call: Promise<unknown>) =>
        JSON.stringify(
          await call.catch((error: { body?: unknown; message: string }) => [error.message, error.body]),
        );
      expect(await text(client.addAlbum({ title: 'A', cover: large }))).toContain('Invalid input: cover: ');
      expect(await text(client.addAlbum({ title: 'A', cover: 'text' }))).toContain('Invalid input: cover: ');
      expect(await text(client.sizes({ files: ['text'] }))).toContain('files[0]: expected file, got string');
      expect(await text(client.plain({ a: new Blob(['x']) }))).toContain("'plain' takes no files");
      const huge = new File(['x'.repeat(200_000)], 'a');
      expect(await text(client.addAlbum({ title: 'A', cover: huge }))).toContain('413');
    });
  });
});

it('a batch cannot have files', async () => {
  await serving(app(), async (url) => {
    const { FwRpcClient } = modules.jsonrpc ?? {};
    if (FwRpcClient === undefined) return;
    const batch = new FwRpcClient(`${url}/rpc`).batch([
      { method: 'sizes', params: { files: [new Blob(['x'])] } },
    ]);
    await expect(batch).rejects.toMatchObject({
      status: 415,
      body: { message: expect.stringContaining("'a batch' takes no files") },
    });
  });
});

describe('a form', () => {
  const send = async (
    path: string,
    parts: Record<string, string | File>,
    headers: Record<string, string> = { 'X-Fw-Upload': '1' },
    to: App = app(),
  ): Promise<[number, string]> => {
    const body = new FormData();
    for (const [name, value] of Object.entries(parts)) body.append(name, value);
    const response = await to.fetch(new Request(`http://x${path}`, { method: 'POST', body, headers }));
    return [response.status, await response.text()];
  };
  const file = new File(['x'], 'a');
  const good = { json: '{"files":[null]}', files: '["/files/0"]', '0': file };

  it('is read as documented, so that curl can send it', async () => {
    expect(await send('/api/sizes', good)).toEqual([200, '[null,1]']);
    const json = '{"jsonrpc":"2.0","method":"sizes","params":{"files":[null]},"id":1}';
    expect(await send('/rpc', { json, files: '["/params/files/0"]', '0': file })).toEqual([
      200,
      '{"jsonrpc":"2.0","result":[null,1],"id":1}',
    ]);
    expect(
      await send('/rpc', { json: json.replace('sizes', 'other'), files: '["/params/files/0"]', '0': file }),
    ).toEqual([200, expect.stringContaining('-32601')]);
  });

  it.each(['/rpc', '/api/sizes'])('is refused if its JSON is nested too deeply: %s', async (path) => {
    const json = `{"files":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    expect(await send(path, { ...good, json })).toEqual([400, expect.stringContaining('nested too deeply')]);
  });

  it.each(['/rpc', '/api/sizes'])(
    'is refused without the header field that no other site can send: %s',
    async (path) => {
      expect(await send(path, good, {})).toEqual([
        403,
        expect.stringContaining("needs the header field 'X-Fw-Upload: 1'"),
      ]);
    },
  );

  it('is refused by a procedure and by a registry that take no files, before its body is read', async () => {
    expect(await send('/api/plain', good, {})).toEqual([
      415,
      expect.stringContaining("'plain' takes no files"),
    ]);
    const none = new App().mountRpc(
      '/rpc',
      new RpcRegistry().mutationWithTypes('plain', () => 1, 'void', 'number'),
    );
    expect((await send('/rpc', good, {}, none))[0]).toBe(415);
  });

  it.each([
    ["needs a field 'json'", { files: '[]' }],
    ["needs a field 'files'", { json: '{}' }],
    ["has a field 'json' that is not JSON", { json: '{', files: '[]' }],
    ["has a field 'files' that is not a JSON array of strings", { ...good, files: '[1]' }],
    ["has a field 'files' that is not a JSON array of strings", { ...good, files: '{' }],
    ["has no file '0'", { ...good, '0': 'text' }],
    ["has no file '1'", { ...good, files: '["/files/0","/files/1"]' }],
    ["has parts that its field 'files' does not place", { ...good, other: file }],
    ['where its JSON has no null', { ...good, files: '["/files/1"]' }],
    ['where its JSON has no null', { ...good, files: '["files/0"]' }],
    ['where its JSON has no null', { ...good, files: '[""]' }],
    ['where its JSON has no null', { ...good, files: '["/files"]' }],
    ['where its JSON has no null', { ...good, files: '["/__proto__/__proto__"]' }],
    ['where its JSON has no null', { ...good, files: '["/files/0","/files/0"]', '1': file }],
  ])('that is another one is refused: %s', async (message, parts) => {
    expect(await send('/api/sizes', parts as Record<string, string>)).toEqual([
      400,
      expect.stringContaining(message),
    ]);
  });

  it.each(['json', 'x'.repeat(200)])('with two parts of one name is refused: %s', async (name) => {
    const body = new FormData();
    for (const [key, value] of Object.entries(good)) body.append(key, value);
    for (const value of ['{}', '{}']) body.append(name, value);
    const headers = { 'X-Fw-Upload': '1' };
    const response = await app().fetch(new Request('http://x/api/sizes', { method: 'POST', body, headers }));
    const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ message: `the form of an upload has two parts '${shown}'` }),
    ]);
  });

  it.each(['null', '7', '"text"', 'true'])('whose JSON is %s is refused like such a body', async (json) => {
    const refused = [400, expect.stringContaining('the body is neither an object nor an array')];
    expect(await send('/api/sizes', { json, files: '[]' })).toEqual(refused);
    const headers = { 'Content-Type': 'application/json' };
    const response = await app().fetch(
      new Request('http://x/api/sizes', { method: 'POST', body: json, headers }),
    );
    expect([response.status, await response.text()]).toEqual(refused);
  });
});

describe('the type of a file', () => {
  const fileField = (schema: unknown): unknown =>
    new RpcRegistry().mutation('a', { input: schema as typeof Album }, () => 1).types().named.AInput;

  it.each([
    ['zod file()', z.object({ f: z.file() })],
    ['zod instanceof(Blob)', z.object({ f: z.instanceof(Blob) })],
    ['valibot file()', toStandardJsonSchema(v.object({ f: v.file() }))],
    ['valibot blob()', toStandardJsonSchema(v.object({ f: v.blob() }))],
    ['valibot instance(File)', toStandardJsonSchema(v.object({ f: v.instance(File) }))],
    ['arktype File', type({ f: 'File' })],
  ])('is found in a schema: %s', (_name, schema) => {
    expect(fileField(schema)).toMatchObject({
      fields: [{ name: 'f', type: { kind: 'file' }, isOptional: false }],
    });
  });

  it('is refused outside of the inputs of mutations', async () => {
    const only = 'has a file, but only a mutation can receive files; make it a mutation';
    const rpc = new RpcRegistry();
    const refusal = `the input of query 'a' ${only}`;
    expect(() => RpcRegistry.withMode(RpcMode.Rest).query('a', { input: Album }, () => 1)).toThrow(refusal);
    // The type of an object of zod is made when it is needed.
    const late = new RpcRegistry().query('a', { input: Album }, () => 1);
    expect(() => late.types()).toThrow(refusal);
    await expect(late.call('a', {})).rejects.toThrow(refusal);
    expect(() => rpc.subscriptionWithTypes('a', async function* () {}, '{ f: File }', 'void')).toThrow(only);
    expect(() => rpc.mutationWithTypes('a', () => 1, 'void', '{ f: File }')).toThrow('results are JSON');
    expect(() =>
      new RpcRegistry().mutation('a', { input: z.object({}), output: z.file() as never }, () => 1).types(),
    ).toThrow('return where it can be fetched from');
  });

  it('is binary in a form in OpenAPI', () => {
    const spec = registry(RpcMode.Rest).generateOpenapi('A', '1', '').toJSON();
    const { content } = spec.paths['/sizes']?.post?.requestBody ?? { content: {} };
    expect(Object.keys(content)).toEqual(['multipart/form-data']);
    expect(JSON.stringify(content)).toContain('"format":"binary"');
    expect(Object.keys(spec.paths['/plain']?.post?.requestBody?.content ?? {})).toEqual(['application/json']);
    expect(JSON.stringify(registry().generateOpenapi('A', '1', '').toJSON())).toContain(
      'multipart/form-data',
    );
  });
});

describe('the text of a client', () => {
  const wire: WireTypes = {
    named: types.named,
    procedures: {
      ...types.procedures,
      upload: procedure('mutation', '{ file: File; title?: string }', 'void'),
    },
  };
  const use = `import { FwRpcClient } from './client.js';
declare const file: File;
export const done: Promise<void> = new FwRpcClient('/x', { fetch }).upload({ file });
export const too: Promise<void> = new FwRpcClient('/x').upload({ file: new Blob(['x']) });
// @ts-expect-error a text is not a file
export const wrong: Promise<void> = new FwRpcClient('/x').upload({ file: 'x' });
`;

  it.each(compilers)(
    'compiles under the strictest options of %s, and takes the files of its libraries',
    (compiler) => {
      const modes = [options, rest];
      const clients = modes.map((mode) => ({ 'client.ts': printClient(wire, mode) }));
      const declared = modes.map((mode) => ({ 'client.d.ts': printDeclaredClient(wire, mode) }));
      const used = (all: readonly CheckedProgram[0][], program: string) =>
        all.map((client) => [client, program] as const);
      expect(checkAll(compiler, used(clients, "export { FwRpcClient } from './client.js';"))).toBe('');
      expect(checkAll(compiler, used(clients, use), libraries.node)).toBe('');
      expect(checkAll(compiler, used([...clients, ...declared], use), libraries.browser)).toBe('');
    },
    120_000,
  );

  it('is read back, and has nothing of files without one', () => {
    const { procedures } = readClient(printClient(wire, options));
    expect(procedures.upload?.input).toMatchObject({
      fields: [{ name: 'file', type: { kind: 'file' } }, {}],
    });
    for (const mode of [options, rest])
      expect(printClient(types, mode)).not.toMatch(/Blob|FormData|FwRpcForm/);
  });
});
