import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printDeclaredClient } from '../../framework/client/print-declared-client.js';
import { options, rest, types } from '../../framework/conformance/checked-client.js';
import { definitions } from '../../framework/conformance/editor.js';
import { type AbsolutePath, absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { definitionMap } from './client-maker.js';

const backend = `import { rpc } from './registry.js';

rpc.query('getUser', () => 1).mutation('rename-user', () => 2);
`;
const team = "team.query('list', () => []);\nrpc.mutation('team.roles.set', () => 1);\n";
const others = "\n\n  rpc.queryWithTypes('add', () => 3, '[number, number]', 'number');\n";

const use = `import { FwRpcClient } from './client.js';
const client = new FwRpcClient();
void client.getUser({ id: '1' });
void client['rename-user']({ id: '1', name: '' });
void client.add([1, 2]);
void client.count();
void client.listUsers();
void client.team.list();
void client.team.roles.set({ id: '1', role: 'user' });
`;

let root: AbsolutePath;
beforeAll(() => {
  root = absolutePath(mkdtempSync(join(tmpdir(), 'fw-map-')));
  const compilerOptions = { module: 'nodenext', strict: true, types: [] };
  write('web/tsconfig.json', JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  write('web/package.json', '{ "type": "module" }');
  write('web/use.ts', use);
  write('back end/src/rpc.ts', backend);
  write('back end/src/others.ts', others);
  write('back end/src/team.ts', team);
});
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** The places that the compiler finds; one of them belongs to a procedure that this client does not have. */
const places = () =>
  new Map(
    [
      ['getUser', 'rpc.ts', 3, 11] as const,
      ['rename-user', 'rpc.ts', 3, 40] as const,
      ['add', 'others.ts', 3, 22] as const,
      ['team.list', 'team.ts', 1, 12] as const,
      ['team.roles.set', 'team.ts', 2, 14] as const,
      ['absent', 'others.ts', 1, 1] as const,
    ].map(([name, file, line, column]) => [name, { file: pathIn(root, 'back end/src', file), line, column }]),
  );

function mapOf(declarations: string): string | undefined {
  return definitionMap(declarations, places(), pathIn(root, 'web/client.d.ts.map'));
}

describe.each([
  ['typescript', options],
  ['typescript-6', options],
  ['typescript-6', rest],
] as const)('the map of declarations, in an editor with %s (%#)', (compiler, mode) => {
  beforeAll(() => {
    const declarations = printDeclaredClient(types, mode);
    write('web/client.d.ts', `${declarations}//# sourceMappingURL=client.d.ts.map\n`);
    write('web/client.d.ts.map', mapOf(declarations) ?? '');
  });

  it('leads from methods to their procedures, and does not map other names', async () => {
    const names = [
      'client.getUser',
      "client['rename-user",
      'client.add',
      'client.team.list',
      'client.team.roles.set',
      'client.count',
      'client.listUsers',
      'new FwRpcClient',
    ];
    const found = await definitions(compiler, root, 'web/use.ts', names);
    expect(found.slice(0, 5)).toEqual([
      ["back end/src/rpc.ts:3:11 'getUser'"],
      ["back end/src/rpc.ts:3:40 'rename-user'"],
      ["back end/src/others.ts:3:22 'add'"],
      ["back end/src/team.ts:1:12 'list'"],
      // The end is that of the member's name, because a group may be named in another file.
      ["back end/src/team.ts:2:14 'team"],
    ]);
    const others = found.slice(5).map((ones) => ones.map((one) => one.replace(/:\d+:\d+/, '')));
    expect(others).toEqual(
      ['count', 'listUsers', 'FwRpcClient'].map((text) =>
        expect.arrayContaining([`web/client.d.ts ${text}`]),
      ),
    );
    expect(others.flat().filter((one) => one.startsWith('back'))).toEqual([]);
  });
});

describe('definitionMap', () => {
  it('names each source once, relative to the map', () => {
    expect(JSON.parse(mapOf(printDeclaredClient(types, options)) ?? '')).toMatchObject({
      version: 3,
      file: 'client.d.ts',
      sources: ['../back end/src/others.ts', '../back end/src/rpc.ts', '../back end/src/team.ts'],
    });
  });

  it('is undefined if no place is known', () => {
    expect(
      definitionMap(printDeclaredClient(types, rest), new Map(), '/web/client.d.ts.map'),
    ).toBeUndefined();
  });
});
