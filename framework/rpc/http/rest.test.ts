// Procedures as REST: bodies that pages of other sites can send without asking, and the keys of a query.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../../index.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { RpcMode, RpcRegistry } from '../index.js';

/** Takes anything, and shows it as it is. */
const anything: StandardSchemaV1<unknown, object> = {
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (value) => ({ value: value as object }),
  },
};
const rpc = RpcRegistry.withMode(RpcMode.Rest)
  .mutation('save', { input: z.object({ id: z.number().default(0) }) }, ({ id }) => id)
  .query('keys', { input: anything }, (input) => [Object.getPrototypeOf(input), Object.keys(input)]);
const app = new App().mountRest('/api', rpc);

describe('the body of a mutation', () => {
  const post = (body: string | Blob, headers: Record<string, string> = {}) =>
    app.fetch(new Request('http://localhost/api/save', { method: 'POST', body, headers }));

  it('needs its media type: a page may send a Blob without one to any site', async () => {
    const untyped = new Blob(['{"id":7}']);
    const refused = await post(untyped);
    expect([refused.status, await refused.json()]).toEqual([
      415,
      expect.objectContaining({ message: expect.stringContaining("send 'Content-Type: application/json'") }),
    ]);
    expect(await (await post(untyped, { 'Content-Type': 'application/json' })).json()).toBe(7);
  });

  it('may be absent', async () => {
    expect(await (await post(new Blob([]))).json()).toBe(0);
    expect((await post('', { 'Content-Type': 'text/plain' })).status).toBe(415);
  });
});

it('a query has the keys that were sent, whatever they are', async () => {
  const ask = async (query: string) =>
    (await app.fetch(new Request(`http://localhost/api/keys?${query}`))).json();
  expect(await ask('__proto__=a&__proto__=b&toString=c')).toEqual([null, ['__proto__', 'toString']]);
});
