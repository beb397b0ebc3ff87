import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InferredTypes } from '../../framework/client-gen/inferred-types.js';
import { absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { contractText } from '../../framework/rpc/contract/contract-text.js';
import { RpcRegistry } from '../../framework/rpc/index.js';
import { unusedContract, withoutRunTime } from './generation.js';

const place = { file: absolutePath('/app/src/rpc.ts'), line: 3, column: 11 };
const procedures: InferredTypes['procedures'] = {
  add: { kind: 'query', input: { kind: 'array', items: { kind: 'number' } }, output: { kind: 'number' } },
  loose: { kind: 'mutation', input: { kind: 'unknown' }, output: { kind: 'unknown' } },
};
const types: InferredTypes = {
  procedures,
  named: {},
  places: { add: [place] },
  notes: {},
  routes: {},
  sockets: {},
  warnings: [],
};

const registry = (): RpcRegistry =>
  new RpcRegistry().query('add', (input: unknown) => input).mutation('loose', (input: unknown) => input);

describe('a warning about an unused contract', () => {
  it('is returned if its types did not reach the client', async () => {
    const found = await unusedContract(types, registry().generateClient(), '/app/src/rpc-contract.json');
    expect(found?.place).toBe(place);
    expect(found?.message).toBe(
      "query 'add' reached the client without its inferred types: its registry does not read " +
        "rpc-contract.json; import contract from './rpc-contract.json' with { type: 'json' }, and call loadContract(contract)",
    );
  });

  it('is not returned if they did, or if it belongs to another registry', async () => {
    const used = registry().loadContract(JSON.parse(contractText(types)));
    expect(await unusedContract(types, used.generateClient(), 'c.json')).toBeUndefined();
    expect(await unusedContract(types, new RpcRegistry().generateClient(), 'c.json')).toBeUndefined();
    expect(await unusedContract(types, 'export const x = 1;', 'c.json')).toBeUndefined();
  });

  it('does not parse a client in which every procedure has its types', async () => {
    const used = new RpcRegistry().query('add', () => 1).loadContract(JSON.parse(contractText(types)));
    const unreadable = `${used.generateClient()}\nexport type Unreadable = ?;\n`;
    expect(await unusedContract(types, unreadable, 'c.json')).toBeUndefined();
    const without = `${registry().generateClient()}\nexport type Unreadable = ?;\n`;
    await expect(unusedContract(types, without, 'c.json')).rejects.toThrow();
  });

  it('is returned if only the comment of a procedure did not reach the client', async () => {
    const rpc = () => new RpcRegistry().queryWithTypes('add', () => 1, 'void', 'number');
    const commented: InferredTypes = {
      ...types,
      procedures: {},
      notes: { add: { description: 'Ends */ here.\n\nAnd more.' }, remote: { description: 'Of another.' } },
    };
    const found = await unusedContract(commented, rpc().generateClient(), '/app/src/rpc-contract.json');
    expect(found?.place).toBe(place);
    expect(found?.message).toMatch(/^query 'add' reached the client without its comment: its registry does/);
    const used = rpc().loadContract(JSON.parse(contractText(commented)));
    expect(await unusedContract(commented, used.generateClient(), 'c.json')).toBeUndefined();
  });
});

describe('a warning about a client whose run time is missing', () => {
  let folder: string;
  const file = () => pathIn(absolutePath(folder), 'web/src/client.ts');
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fw-run-time-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const found = (client: 'import' | 'standalone') =>
    withoutRunTime({ file: file(), after: registry().generateClient({ client }) });

  it('has the line of the import, and names the remedies', () => {
    const [warning] = found('import');
    expect(warning?.message).toContain('fw/client cannot be found from there');
    expect(warning?.message).toContain('--client standalone');
    const lines = registry().generateClient({ client: 'import' }).split('\n');
    expect(lines[(warning?.place.line ?? 0) - 1]).toBe("} from 'fw/client';");
    expect(warning?.place).toMatchObject({ file: file(), column: 1 });
  });

  it('is not returned for a client that imports nothing, or for no client', () => {
    expect(found('standalone')).toEqual([]);
    expect(withoutRunTime({ file: file(), after: undefined })).toEqual([]);
  });

  it('is not returned where fw is installed, in a folder above too', () => {
    const installed = join(folder, 'node_modules/fw');
    mkdirSync(installed, { recursive: true });
    const manifest = { name: 'fw', exports: { './client': { import: './client.js' } } };
    writeFileSync(join(installed, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(installed, 'client.js'), '');
    expect(found('import')).toEqual([]);
    rmSync(join(folder, 'node_modules'), { recursive: true });
    expect(found('import')).toHaveLength(1);
  });
});
