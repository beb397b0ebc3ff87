import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError } from '../../config-error.js';
import { type OpenRpcDocument, RpcMode, RpcRegistry } from '../index.js';
import { contractText, hasContract } from './contract-text.js';

const empty = { procedures: {}, named: {} };
const notes = {
  getUser: { description: 'One user.\n\nExample:\n\n```ts\nawait client.getUser({ id: "1" });\n```' },
  rename: { description: 'Renames.', deprecated: 'use setName' },
  other: { description: 'Of a different registry.' },
};
const contract: unknown = JSON.parse(contractText({ ...empty, notes }));
const Id = z.object({ id: z.string() });

function registry(mode: RpcMode = RpcMode.JsonRpc, known: unknown = contract): RpcRegistry {
  return RpcRegistry.withMode(mode)
    .loadContract(known)
    .query('getUser', { input: Id, output: Id }, (input) => input)
    .mutation('rename', { description: 'Of the options.', input: Id, output: Id }, (input) => input);
}

describe('the comments in a contract', () => {
  it('are one line each, and a reason for a contract', () => {
    expect(contractText({ ...empty, notes: { b: { deprecated: true }, a: { description: 'A.' } } })).toBe(`{
  "version": 2,
  "procedures": {},
  "named": {},
  "notes": {
    "a": {"description":"A."},
    "b": {"deprecated":true}
  }
}
`);
    expect(hasContract({ ...empty, notes: {} })).toBe(false);
    expect(hasContract({ ...empty, notes })).toBe(true);
  });

  it('reach the client, after the options', () => {
    const text = registry().generateClient();
    expect(text).toContain(
      '  /**\n   * One user.\n   *\n   * Example:\n   *\n   * ```ts\n   * await client.getUser',
    );
    expect(text).toContain('  /**\n   * Of the options.\n   * @deprecated use setName\n   */\n  rename(');
    expect(text).not.toContain('Of a different registry');
  });

  it('reach OpenAPI and OpenRPC', async () => {
    const { paths } = registry(RpcMode.Rest).generateOpenapi('Users', '1.0.0', '/api').toJSON();
    expect(paths['/getUser']?.get?.description).toBe(notes.getUser.description);
    expect(paths['/rename']?.post).toMatchObject({
      description: 'Of the options.\n\nDeprecated: use setName',
      deprecated: true,
    });
    const rpc = registry().discoverable({ title: 'Users', version: '1.0.0' });
    const { methods } = (await rpc.call('rpc.discover')) as OpenRpcDocument;
    expect(methods).toMatchObject([
      { name: 'getUser', description: notes.getUser.description },
      { name: 'rename', deprecated: true },
    ]);
  });

  it('do not change what clients and servers compare', () => {
    const compared = (text: string): string => text.slice(text.indexOf('export const contract'));
    const [before] = compared(registry(RpcMode.JsonRpc, undefined).generateClient()).split('\n};\n');
    expect(before).toContain('hash:');
    expect(compared(registry().generateClient())).toContain(before);
  });

  it.each([
    [{ notes: [] }, 'notes is not an object'],
    [{ notes: { getUser: 1 } }, 'notes["getUser"] is not an object'],
    [{ notes: { getUser: { description: 1 } } }, 'notes["getUser"].description is not a string'],
    [{ notes: { getUser: { deprecated: 1 } } }, 'notes["getUser"].deprecated is neither true nor a string'],
  ])('are refused if they are malformed: %j', (part, message) => {
    const make = () => registry(RpcMode.JsonRpc, { version: 2, ...empty, ...part }).types();
    expect(make).toThrow(ConfigError);
    expect(make).toThrow(message);
  });
});
