// Bytes that a browser loads for a client with the calls of a small app: the generated one in both forms, in both modes,
// beside the clients of tRPC and oRPC with one link, bundled by esbuild, minified and compressed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { RpcMode, RpcRegistry } from 'fw/rpc';
import type { Series } from './series.js';

const here = fileURLToPath(new URL('.', import.meta.url));

const call = "console.log(await client.users.get({ id: '1' }), await client.users.list());";
const peers: Readonly<Record<string, string>> = {
  tRPC: `import { createTRPCClient, httpLink } from '@trpc/client';
const trpc = createTRPCClient({ links: [httpLink({ url: '/rpc' })] });
console.log(await trpc.users.get.query({ id: '1' }), await trpc.users.list.query());`,
  oRPC: `import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
const client = createORPCClient(new RPCLink({ url: new URL('/rpc', location.href) }));
${call}`,
};

/** Four groups of four procedures. */
function registry(mode: RpcMode): RpcRegistry {
  const rpc = RpcRegistry.withMode(mode).defineType('User', '{ id: string; name: string }');
  for (const group of ['users', 'orders', 'teams', 'files']) {
    rpc
      .queryWithTypes(`${group}.get`, () => null, '{ id: string }', 'User')
      .queryWithTypes(`${group}.list`, () => [], 'void', 'Array<User>')
      .mutationWithTypes(`${group}.add`, () => null, '{ name: string }', 'User')
      .mutationWithTypes(`${group}.remove`, () => null, '{ id: string }', 'void');
  }
  return rpc;
}

export function clientSizes(): Series[] {
  const directory = mkdtempSync(join(here, 'node_modules', '.client-size-'));
  try {
    const bundles: Record<string, Uint8Array> = {};
    for (const mode of [RpcMode.JsonRpc, RpcMode.Rest]) {
      for (const client of ['import', 'standalone'] as const) {
        const file = join(directory, `${mode}-${client}.ts`);
        writeFileSync(file, registry(mode).generateClient({ client }));
        const program = `import { FwRpcClient } from ${JSON.stringify(file)};\nconst client = new FwRpcClient();\n${call}`;
        bundles[client === 'import' && mode === RpcMode.JsonRpc ? 'fw' : `fw, ${mode}, ${client}`] =
          bundled(program);
      }
    }
    for (const [name, program] of Object.entries(peers)) bundles[name] = bundled(program);
    return [
      series('minified', bundles, (bytes) => bytes.length),
      series('gzipped', bundles, (bytes) => gzipSync(bytes, { level: 9 }).length),
      series('with Brotli', bundles, (bytes) => brotliCompressSync(bytes).length),
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function bundled(contents: string): Uint8Array {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: here },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    logLevel: 'error',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

function series(
  how: string,
  bundles: Readonly<Record<string, Uint8Array>>,
  sizeOf: (bytes: Uint8Array) => number,
): Series {
  return {
    name: `client in a browser, ${how}`,
    unit: 'KB',
    better: 'less',
    base: 'fw',
    rounds: Object.fromEntries(
      Object.entries(bundles).map(([name, bytes]) => [name, [sizeOf(bytes) / 1000]]),
    ),
  };
}
