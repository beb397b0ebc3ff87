// What an upload may cost before it is known who sends it.
import { describe, expect, it } from 'vitest';
import { apiKey, StaticKeys } from '../../auth/api-key/index.js';
import { App, provide, requireAuth } from '../../index.js';
import { RpcMode, RpcRegistry } from '../index.js';

const file = (name: number, disposition = `form-data; name="${name}"; filename="f"`) =>
  `--b\r\nContent-Disposition: ${disposition}\r\n\r\nx\r\n`;
const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** The form of a call with so many files. */
function form(count: number, json: unknown, pointer: string): string {
  const all = Array.from({ length: count }, (_, index) => index);
  const pointers = JSON.stringify(all.map((index) => `${pointer}/${index}`));
  return `${field('json', JSON.stringify(json))}${field('files', pointers)}${all.map((index) => file(index)).join('')}--b--\r\n`;
}

async function post(app: App, path: string, body: string, more: object = {}): Promise<[number, string]> {
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'x-fw-upload': '1', ...more };
  const response = await app.fetch(new Request(`http://x${path}`, { method: 'POST', body, headers }));
  return [response.status, await response.text()];
}

const nothing = (count: number) => Array.from({ length: count }, () => null);
const message = (count: number) => ({
  jsonrpc: '2.0',
  method: 'up',
  params: { files: nothing(count) },
  id: 1,
});

const key = provide({ key: apiKey({ store: new StaticKeys().withScopes('k', 'machine', []) }) });

function registry(mode: RpcMode): RpcRegistry {
  return RpcRegistry.withMode(mode).mutationWithTypes(
    'up',
    ({ files }: { files: File[] }) => files.length,
    '{ files: Array<File> }',
    'number',
  );
}

describe('an upload', () => {
  const open = new App()
    .mountRpc('/rpc', registry(RpcMode.JsonRpc))
    .mountRest('/api', registry(RpcMode.Rest))
    .post('/form', async (ctx) => [...(await ctx.req.formData()).keys()].length)
    .post(
      '/large',
      async (ctx) => [...(await ctx.req.formData({ maxFiles: 5_000, maxParts: 5_000 })).keys()].length,
    );

  it('has at most 100 files, in JSON-RPC, over REST and as a form', async () => {
    for (const count of [100, 101, 60_000]) {
      const status = count === 100 ? 200 : 413;
      expect((await post(open, '/rpc', form(count, message(count), '/params/files')))[0]).toBe(status);
      expect((await post(open, '/api/up', form(count, { files: nothing(count) }, '/files')))[0]).toBe(status);
      expect((await post(open, '/form', form(count, {}, '')))[0]).toBe(status);
    }
    expect(await post(open, '/large', form(4_000, {}, ''))).toEqual([200, '4002']);
  });

  it('has at most 1,000 fields, also in a form without files', async () => {
    const fields = (count: number) => new URLSearchParams('a=b&'.repeat(count));
    const send = async (count: number) => {
      const init = { method: 'POST', body: fields(count) };
      return (await open.fetch(new Request('http://x/form', init))).status;
    };
    expect(await send(1_000)).toBe(200);
    expect(await send(1_001)).toBe(413);
    const parts = (count: number) => `${field('a', 'b').repeat(count)}--b--\r\n`;
    expect((await post(open, '/form', parts(1_000)))[0]).toBe(200);
    expect((await post(open, '/form', parts(1_001)))[0]).toBe(413);
  });

  it('has each part once', async () => {
    const twice = form(1, message(1), '/params/files').replace('--b--', `${file(0)}--b--`);
    const [status, text] = await post(open, '/rpc', twice);
    expect([status, text]).toEqual([400, expect.stringContaining("two parts '0'")]);
  });

  it('of somebody who may not call it is refused before its files are looked at', async () => {
    const closed = new App()
      .mountRpc('/rpc', registry(RpcMode.JsonRpc).requireAuth())
      .mountRest('/api', registry(RpcMode.Rest).requireAuth());
    // Without the field that places the files, whoever may call it gets another error.
    const unplaced = `${field('json', JSON.stringify(message(1)))}${file(0)}--b--\r\n`;
    expect((await post(open, '/rpc', unplaced))[1]).toContain("needs a field 'files'");
    expect((await post(closed, '/rpc', unplaced))[1]).toContain('authentication is required');
    const asked = new App().mountRpc('/rpc', registry(RpcMode.JsonRpc).use(requireAuth()).use(key));
    expect((await post(asked, '/rpc', unplaced, { 'x-api-key': 'k' }))[1]).toContain(
      'authentication is required',
    );
    let pulls = 0;
    const body = new ReadableStream(
      {
        pull(controller) {
          pulls += 1;
          controller.enqueue(new Uint8Array(1024));
          if (pulls > 100) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'content-type': 'multipart/form-data; boundary=b', 'x-fw-upload': '1' };
    const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
    const response = await closed.fetch(new Request('http://x/api/up', init));
    expect([response.status, pulls]).toEqual([401, 0]);
  });

  it('of somebody whom the registry authenticates before its guard is read', async () => {
    const own = (mode: RpcMode) => registry(mode).use(key).requireAuth();
    const app = new App().mountRpc('/rpc', own(RpcMode.JsonRpc)).mountRest('/api', own(RpcMode.Rest));
    const headers = { 'x-api-key': 'k' };
    const answer = await post(app, '/rpc', form(2, message(2), '/params/files'), headers);
    expect(answer).toEqual([200, '{"jsonrpc":"2.0","result":2,"id":1}']);
    expect(await post(app, '/api/up', form(2, { files: nothing(2) }, '/files'), headers)).toEqual([200, '2']);
    expect((await post(app, '/api/up', form(2, { files: nothing(2) }, '/files')))[0]).toBe(401);
  });
});
