import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { RpcMode, RpcRegistry } from '../index.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fw-registry-'));
});
afterEach(() => {
  delete process.env.FW_BASE_URL;
  delete process.env.FW_DECLARATIONS;
  rmSync(directory, { recursive: true });
});

const shop = (rpc = new RpcRegistry()) =>
  rpc
    .query('getPrice', { input: z.object({ sku: z.string() }), output: z.number() }, () => 1)
    .queryWithTypes('count', () => 1, 'void', 'number');

describe('generateClient', () => {
  it('has a method for every procedure, and the base of its mode', () => {
    const text = shop().generateClient();
    expect(text).toContain('  getPrice(input: GetPriceInput');
    expect(text).toContain('  count(options?: FwRpcCallOptions): Promise<number>');
    expect(text).toContain('("/rpc", [');
    expect(shop(RpcRegistry.withMode(RpcMode.Rest)).generateClient()).toContain('("/api", [');
    expect(shop().generateClient({ baseUrl: 'http://x/rpc' })).toContain('("http://x/rpc", [');
  });

  it('is written to the given path, and only if it changed', async () => {
    const file = join(directory, 'web/client.ts');
    await shop().generateClientFile(file);
    const { mtimeNs } = statSync(file, { bigint: true });
    expect(readFileSync(file, 'utf8')).toBe(shop().generateClient());
    await shop().generateClientFile(file);
    expect(statSync(file, { bigint: true }).mtimeNs).toBe(mtimeNs);
  });

  it('uses the base URL that fw generate passes, unless the program gives one', async () => {
    process.env.FW_BASE_URL = '/from-toml';
    const file = join(directory, 'client.ts');
    await shop().generateClientFile(file);
    expect(readFileSync(file, 'utf8')).toContain('("/from-toml", [');
    await shop().generateClientFile(file, { baseUrl: '/mine' });
    expect(readFileSync(file, 'utf8')).toContain('("/mine", [');
  });
});

it.each([undefined, '', 5])('generateClientFile refuses the path %j', async (path) => {
  await expect(shop().generateClientFile(path as string)).rejects.toThrow(
    /the path is (?:missing|''|5); give the path of a file; fw generate gives it as process\.argv\[2\]$/,
  );
});

it('generateClientFile writes the form that fw generate passes, unless the program gives one', async () => {
  onTestFinished(() => {
    delete process.env.FW_CLIENT;
  });
  process.env.FW_CLIENT = 'import';
  const file = join(directory, 'form.ts');
  const isImported = () => readFileSync(file, 'utf8').includes("from 'fw/client';");
  await shop().generateClientFile(file, { declarations: true });
  expect(isImported()).toBe(true);
  expect(readFileSync(join(directory, 'form.d.ts'), 'utf8')).toContain("} from 'fw/client';");
  await shop().generateClientFile(file, { client: 'standalone' });
  expect(isImported()).toBe(false);
  const wrong = { client: 'bundled' } as never;
  expect(() => shop().generateClient(wrong)).toThrow("give 'standalone' or 'import'");
});

describe('generateClientFile with declarations', () => {
  it('writes them beside the client', async () => {
    const file = join(directory, 'client.mts');
    await shop().generateClientFile(file, { declarations: true });
    const declared = readFileSync(join(directory, 'client.d.mts'), 'utf8');
    expect(declared).toContain(
      '  getPrice(input: GetPriceInput, options?: FwRpcCallOptions): Promise<number>;',
    );
    expect(readFileSync(file, 'utf8')).toBe(shop().generateClient());
  });

  it('writes those of the one client whose path fw generate passes', async () => {
    process.env.FW_DECLARATIONS = join(directory, 'client.ts');
    await shop().generateClientFile(join(directory, 'other.ts'));
    expect(readdirSync(directory)).toEqual(['other.ts']);
    await shop().generateClientFile(join(directory, 'client.ts'));
    expect(readdirSync(directory)).toEqual(['client.d.ts', 'client.ts', 'other.ts']);
  });

  it.each(['client.js', 'client', 'client.d.ts'])('writes none for a client named %s', async (name) => {
    const written = shop().generateClientFile(join(directory, name), { declarations: true });
    await expect(written).rejects.toThrow(
      `${name}' have no name; give the client one that ends in .ts or .mts`,
    );
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('generateOpenapi', () => {
  it('describes the procedures in the mode of the registry', () => {
    const rest = shop(RpcRegistry.withMode(RpcMode.Rest)).generateOpenapi('Shop', '1.0.0', '/api/v2');
    expect(rest.toJSON()).toMatchObject({
      servers: [{ url: 'http://127.0.0.1:3000/api/v2' }],
      paths: {
        '/count': { get: { operationId: 'count' } },
        '/getPrice': { get: { operationId: 'getPrice' } },
      },
    });
    const origin = { origin: 'https://shop.example' };
    expect(shop().generateOpenapi('Shop', '1.0.0', '', origin).toJSON()).toMatchObject({
      servers: [{ url: 'https://shop.example' }],
      paths: { '/rpc': { post: {} } },
    });
  });
});
