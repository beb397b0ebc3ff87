// Rules that TypeScript types cannot express are kept in the client, so that a newer client can be compared with it.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RpcMode, RpcRegistry } from '../rpc/index.js';
import { canonicalText } from '../wire/canonical.js';
import { diffTypes } from '../wire/compare/diff-types.js';
import type { WireTypes } from '../wire/wire-type.js';
import { printDeclaredClient } from './print-declared-client.js';
import { readClient } from './read-client.js';

function registry(input: z.ZodType<object>, output: z.ZodType = z.string()): RpcRegistry {
  return RpcRegistry.withMode(RpcMode.JsonRpc).mutation('save', { input, output }, () => 'x');
}

/** The types by name, with their rules. */
function texts({ procedures, named }: WireTypes): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, type] of Object.entries(named)) all[name] = canonicalText(type);
  for (const [name, { input, output }] of Object.entries(procedures)) {
    all[`input of ${name}`] = canonicalText(input);
    all[`output of ${name}`] = canonicalText(output);
  }
  return all;
}

const everywhere = z.object({
  name: z.string().min(1).max(200),
  email: z.email().optional(),
  count: z.int().min(0),
  tags: z.array(z.string().regex(/^[a-z*/]+$/)).max(5),
  pair: z.tuple([z.string().max(3), z.number().multipleOf(5)], z.string().min(9)),
  either: z.union([z.string().max(3), z.number().gt(1), z.null()]),
  ids: z.union([z.uuid(), z.string().startsWith('tmp-'), z.string()]),
  byName: z.record(z.string(), z.object({ size: z.number().lte(7) })),
  pets: z.union([z.object({ cat: z.string().max(1) }), z.object({ dog: z.string().max(2) })]),
  'odd: key"\u2028': z.string().max(4),
  strict: z.strictObject({ a: z.string() }),
  Group: z.object({ title: z.string().max(9) }).meta({ id: 'Group' }),
});

describe('the rules of a client', () => {
  const rpc = registry(everywhere, z.string().min(3));

  it('are the same when they are read back from the client and from its declarations', () => {
    const expected = texts(rpc.types());
    expect(texts(readClient(rpc.generateClient()))).toEqual(expected);
    const declared = printDeclaredClient(rpc.types(), { mode: 'jsonrpc', version: '1' });
    expect(texts(readClient(declared))).toEqual(expected);
    expect(diffTypes(readClient(rpc.generateClient()), rpc.types())).toEqual([]);
  });

  it('are a comment that cannot be closed from inside, with a line for each place', () => {
    const text = rpc.generateClient();
    const comment = text.slice(text.lastIndexOf('/*\n * What the server checks'));
    expect(comment).toMatch(/^\/\*\n( \*.*\n)+ \*\/\n$/);
    expect(comment.match(/\*\//g)).toHaveLength(1);
    expect(comment).toContain(' * ["SaveInput.name",{"maxLength":200,"minLength":1}]\n');
    expect(registry(z.object({ a: z.string() })).generateClient()).not.toContain('What the server checks');
  });

  it('tell what changed', () => {
    const before = readClient(registry(z.object({ name: z.string() })).generateClient());
    const after = readClient(registry(z.object({ name: z.string().max(3) })).generateClient());
    expect(diffTypes(before, after)).toEqual([
      { path: 'save.input.name', what: 'maxLength is 3', isBreaking: true, isExposed: false },
    ]);
    expect(diffTypes(after, before)).toMatchObject([
      { what: 'maxLength was removed, was 3', isBreaking: false },
    ]);
  });
});
