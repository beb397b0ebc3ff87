import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type OpenRpcDocument, RpcMode, RpcRegistry } from '../index.js';

const Id = { input: z.object({ id: z.string() }) };
const hostile = 'Ends */ alert(1) /* here.\nAnd \u0000here.';

function registry(mode: RpcMode = RpcMode.JsonRpc): RpcRegistry {
  return RpcRegistry.withMode(mode)
    .query('getUser', { ...Id, description: hostile, tags: ['users', 'people', 'users'] }, () => 1)
    .mutation('rename', { ...Id, description: 'Renames.', deprecated: 'use setName' }, () => 1)
    .mutation('remove', { ...Id, deprecated: true }, () => 1)
    .mutation('setName', { ...Id, deprecated: false }, () => 1);
}

describe('what a procedure says about itself', () => {
  it('is the comment of its method in the client, which it cannot leave', () => {
    const text = registry().generateClient();
    expect(text).toContain(
      '  /**\n   * Ends *\\/ alert(1) /* here.\n   * And \\u0000here.\n   */\n  getUser(',
    );
    expect(text).toContain('  /**\n   * Renames.\n   * @deprecated use setName\n   */\n  rename(');
    expect(text).toContain('  /** @deprecated */\n  remove(');
    expect(text).toMatch(/;\n {2}setName\(/);
  });

  it('is in the declarations too', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'fw-notes-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    await registry().generateClientFile(join(directory, 'client.ts'), { declarations: true });
    expect(readFileSync(join(directory, 'client.d.ts'), 'utf8')).toContain(
      '  /**\n   * Renames.\n   * @deprecated use setName\n   */\n  rename(',
    );
  });

  it('is in the OpenAPI document of a REST registry', () => {
    const { paths } = registry(RpcMode.Rest).generateOpenapi('Users', '1.0.0', '/api').toJSON();
    expect(paths['/getUser']?.get).toMatchObject({ description: hostile, tags: ['users', 'people'] });
    expect(paths['/getUser']?.get).not.toHaveProperty('deprecated');
    expect(paths['/rename']?.post).toMatchObject({
      description: 'Renames.\n\nDeprecated: use setName',
      deprecated: true,
    });
    expect(paths['/remove']?.post).toMatchObject({ deprecated: true });
    expect(paths['/remove']?.post).not.toHaveProperty('description');
    expect(paths['/setName']?.post).not.toHaveProperty('deprecated');
  });

  it('is in the OpenRPC document', async () => {
    const rpc = registry().discoverable({ title: 'Users', version: '1.0.0' });
    const { methods } = (await rpc.call('rpc.discover')) as OpenRpcDocument;
    expect(methods).toMatchObject([
      {
        name: 'getUser',
        description: hostile,
        tags: [{ name: 'query' }, { name: 'users' }, { name: 'people' }],
      },
      { name: 'remove', deprecated: true, tags: [{ name: 'mutation' }] },
      { name: 'rename', description: 'Renames.\n\nDeprecated: use setName', deprecated: true },
      { name: 'setName' },
    ]);
    expect(methods[3]).not.toHaveProperty('deprecated');
  });

  it('is not a part of the types: the contract stays the same', () => {
    const bare = new RpcRegistry()
      .query('getUser', Id, () => 1)
      .mutation('rename', Id, () => 1)
      .mutation('remove', Id, () => 1)
      .mutation('setName', Id, () => 1);
    const hash = (text: string) => /hash: "(\w+)"/.exec(text)?.[1];
    expect(hash(registry().generateClient())).toBe(hash(bare.generateClient()));
  });

  it('needs no schema', async () => {
    const rpc = new RpcRegistry().query('ping', { description: 'Answers.' }, () => 'pong');
    expect(await rpc.call('ping')).toBe('pong');
    expect(rpc.types().procedures.ping).toMatchObject({
      description: 'Answers.',
      input: { kind: 'unknown' },
    });
  });

  it.each([
    [{ description: '' }, `query('a'): description is ''; give a text such as 'One user.'`],
    [{ description: 7 }, `query('a'): description is 7; give a text`],
    [{ deprecated: null }, `query('a'): deprecated is null; give true, or a text such as`],
    [{ deprecated: ' ' }, `query('a'): deprecated is ' '; give a text such as 'use getUser'`],
    [{ deprecated: {} }, `query('a'): deprecated is an object; give true`],
    [{ tags: 'users' }, `query('a'): tags is 'users'; give a list such as ['users']`],
    [{ tags: ['users', ''] }, `query('a'): tags is ''; give a text such as 'users'`],
    [{ tags: [undefined] }, `query('a'): tags is undefined; give a text`],
    [
      { desription: 'x' },
      `query('a') has no option 'desription'; did you mean 'description'? there are input, output, use`,
    ],
  ])('is refused: %j', (options, why) => {
    const query = () => new RpcRegistry().query('a', options as object, () => 1);
    expect(query).toThrow(why);
    expect(query).toThrow(expect.objectContaining({ code: expect.stringMatching(/^FW_OPTION_/) }));
  });
});
