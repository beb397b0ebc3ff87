// A command that runs again for the same code uses what the last one inferred, and only then.
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as loading from '../../../framework/client-gen/load-compiler.js';
import { compilers, project, removeProjects } from '../../../framework/conformance/inferred-project.js';
import { type AbsolutePath, pathIn } from '../../../framework/files/absolute-path.js';
import { ContractSource, type Inferred } from '../contract.js';
import { StoredInference } from './stored-inference.js';

vi.mock('../../../framework/client-gen/load-compiler.js', { spy: true });

const code = `
/** Counts. */
rpc.query('count', (input: { text: string }) => input.text.length);
rpc.query('hasOwnProperty', () => new Date(0));
`;

let directory: AbsolutePath;
const contractOf = () => pathIn(directory, 'src/rpc-contract.json');
const stored = () => pathIn(directory, 'node_modules/.fw/inferred.json');

/** What one command does. */
async function command(
  outputs: readonly AbsolutePath[] = [pathIn(directory, 'client.ts')],
  beginsEarly = true,
): Promise<Inferred> {
  const contract = new ContractSource(
    directory,
    contractOf(),
    false,
    new StoredInference(directory, contractOf(), outputs),
  );
  try {
    if (beginsEarly) await contract.begin();
    const inferred = await contract.infer([]);
    contract.store();
    return inferred;
  } finally {
    contract.close();
  }
}

/** How often a compiler was loaded. */
async function loads(run: () => Promise<unknown>): Promise<number> {
  vi.mocked(loading.loadCompiler).mockClear();
  await run();
  return vi.mocked(loading.loadCompiler).mock.calls.length;
}

function write(file: string, text: string): void {
  writeFileSync(join(directory, file), text);
}

/** Changes that are as old as the program are not stored, as they may have come while it was read. */
const settled = () => delay(60);

afterAll(removeProjects);

describe.each(compilers)('what was inferred with TypeScript %s', (_, typescript) => {
  beforeEach(async () => {
    directory = project(typescript, code);
    mkdirSync(join(directory, 'node_modules/.fw'));
    await settled();
  });

  it('is used again without a compiler', async () => {
    const first = await command();
    let second: Inferred | undefined;
    expect(await loads(async () => (second = await command()))).toBe(0);
    expect(second).toEqual(first);
    expect(second?.text).toContain('"count"');
    expect(Object.keys(second?.types.places ?? {}).sort()).toEqual(['count', 'hasOwnProperty']);
  });

  it('is not used after a change', async () => {
    await command();
    write(
      'src/main.ts',
      readFileSync(join(directory, 'src/main.ts'), 'utf8').replace('new Date(0)', "'text'"),
    );
    const { text } = await command();
    expect(text).toContain('"hasOwnProperty": ["query", "void", "string"]');
  });
});

describe('what was inferred', () => {
  beforeEach(async () => {
    directory = project('typescript', code);
    mkdirSync(join(directory, 'node_modules/.fw'));
    await settled();
    await command();
  });

  const main = () => readFileSync(join(directory, 'src/main.ts'), 'utf8');

  it('is used by a command that does not begin before it infers', async () => {
    expect(await loads(() => command(undefined, false))).toBe(0);
  });

  it('is not used after forget()', async () => {
    new StoredInference(directory, contractOf(), []).forget();
    expect(await loads(command)).toBe(1);
  });

  it.each(['{', 'null', '[]', '{"key":1}', ''])('is not used if its file has %j', async (text) => {
    writeFileSync(stored(), text);
    expect(await loads(command)).toBe(1);
    expect(await loads(command)).toBe(0);
  });

  it('is not used for another client', async () => {
    expect(await loads(() => command([pathIn(directory, 'other.ts')]))).toBe(1);
  });

  it('is not kept with a warning, which may depend on other code', async () => {
    write('src/main.ts', `${main()}rpc.query('any', (): any => 1);\n`);
    await settled();
    expect((await command()).types.warnings).toHaveLength(1);
    expect(existsSync(stored())).toBe(false);
    expect(await loads(command)).toBe(1);
  });

  it('is not kept if the code was changed while it was read', async () => {
    write('src/main.ts', `${main()}\n`);
    const soon = new Date(Date.now() + 60_000);
    utimesSync(pathIn(directory, 'src/main.ts'), soon, soon);
    await command();
    expect(existsSync(stored())).toBe(false);
  });

  it('is used after the contract was written, if the app only gives it to its registry', async () => {
    const use =
      "import contract from './rpc-contract.json' with { type: 'json' };\nrpc.loadContract(contract);\n";
    const registry = pathIn(directory, 'src/registry.ts');
    writeFileSync(
      registry,
      readFileSync(registry, 'utf8').replace(
        'get prefix()',
        'loadContract(contract: unknown): this { return this; }\n  get prefix()',
      ),
    );
    write('src/rpc-contract.json', '{}');
    write('src/main.ts', main() + use);
    await settled();
    await command();
    write('src/rpc-contract.json', '{ "version": 2 }');
    expect(await loads(command)).toBe(0);
    write('src/main.ts', `${main()}export const version = contract;\n`);
    await settled();
    await command();
    write('src/rpc-contract.json', '{ "version": "2" }');
    expect(await loads(command)).toBe(1);
  });

  it('is used after the client was written, if nothing imports it', async () => {
    const client = pathIn(directory, 'src/api.ts');
    writeFileSync(client, 'export const a = 1;\n');
    await settled();
    await command([client]);
    writeFileSync(client, 'export const a = 2;\n');
    expect(await loads(() => command([client]))).toBe(0);
    write('src/main.ts', `${main()}import { a } from './api.js';\nexport const b = a;\n`);
    await settled();
    await command([client]);
    writeFileSync(client, 'export const a = 3;\n');
    expect(await loads(() => command([client]))).toBe(1);
  });
});
