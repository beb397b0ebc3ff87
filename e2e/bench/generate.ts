// What typed clients cost: `npm run generate [-- --rounds 5]`. The whole command `fw generate` with 50, 300 and 1,000
// procedures whose types are inferred, beside @trpc/openapi where it is installed; and the type check of a frontend
// that calls each of 300 procedures once, beside plain types and clients of tRPC and oRPC of the same procedures.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkout, compilerOptions as serverOptions } from './generator-project.js';
import { interleave, median, printTable } from './measure.js';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);
const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
const fw = join(checkout, 'dist/cli/main.js');
/** Clients use `fetch`. */
const compilerOptions = { ...serverOptions, lib: ['es2023', 'dom'] };

/** A project with the packages of the checkout and of this folder, or those that @trpc/openapi needs. */
function project(name: string, files: Record<string, string>, isOfTrpcOpenapi = false): string {
  const directory = join(out, name);
  mkdirSync(join(directory, 'src'), { recursive: true });
  mkdirSync(join(directory, 'node_modules/@types'), { recursive: true });
  const modules = {
    typescript: join(checkout, 'node_modules/typescript'),
    esbuild: join(checkout, 'node_modules/esbuild'),
    fw: checkout,
    '@orpc': join(here, 'node_modules/@orpc'),
    '@trpc': join(here, isOfTrpcOpenapi ? 'trpc-openapi/node_modules/@trpc' : 'node_modules/@trpc'),
    zod: join(here, 'node_modules/zod'),
    '@types/node': join(here, 'node_modules/@types/node'),
    'undici-types': join(here, 'node_modules/undici-types'),
  };
  for (const [to, from] of Object.entries(modules)) symlinkSync(from, join(directory, 'node_modules', to));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, 'src', file), text);
  return directory;
}

const input = '{ id: string; limit?: number; kind: "x" | "y" }';
const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const item = (i: number) =>
  `{ id: string; name: string; price: number; tags: string[]; kind: 'a' | 'b' | 'c${i}' }`;

function server(count: number): Record<string, string> {
  const procedures = range(count).map(
    (i) => `export interface Item${i} ${item(i)}
const items${i}: Item${i}[] = [];
rpc.${i % 2 === 0 ? 'query' : 'mutation'}('item${i}', async (input: ${input}) => {
  const found = items${i}.filter(({ id, tags }) => id === input.id && tags.length > (input.limit ?? 0));
  return { found, first: found[0]?.name ?? null, count: found.length };
});`,
  );
  return {
    'rpc.ts': `import { RpcRegistry } from 'fw/rpc';\nexport const rpc = new RpcRegistry();\n${procedures.join('\n')}\n`,
    'generate-client.ts': `import { rpc } from './rpc.ts';
import { existsSync, readFileSync } from 'node:fs';
const contract = new URL('./rpc-contract.json', 'file://' + process.cwd() + '/src/');
if (existsSync(contract)) rpc.loadContract(JSON.parse(readFileSync(contract, 'utf8')));
await rpc.generateClientFile(process.argv[2] ?? '');`,
  };
}

function timed(program: string, args: readonly string[], cwd: string): number {
  const began = performance.now();
  execFileSync(process.execPath, [program, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  return performance.now() - began;
}

/** The same procedures with tRPC: zod inputs, inferred outputs. */
function router(count: number): string {
  const procedures = range(count).map(
    (i) =>
      `  item${i}: t.procedure.input(z.object({ id: z.string(), limit: z.number().optional(), kind: z.enum(['x', 'y']) }))
    .${i % 2 === 0 ? 'query' : 'mutation'}(({ input }) => {
      const items: ${item(i)}[] = [];
      const found = items.filter(({ id, tags }) => id === input.id && tags.length > (input.limit ?? 0));
      return { found, first: found[0]?.name ?? null, count: found.length };
    }),`,
  );
  return `import { initTRPC } from '@trpc/server';\nimport { z } from 'zod';\nconst t = initTRPC.create();\nexport const router = t.router({\n${procedures.join('\n')}\n});\n`;
}

/** The same procedures with oRPC: zod inputs, inferred outputs. */
function orpcRouter(count: number): string {
  const procedures = range(count).map(
    (i) =>
      `  item${i}: os.input(z.object({ id: z.string(), limit: z.number().optional(), kind: z.enum(['x', 'y']) }))
    .handler(({ input }) => {
      const items: ${item(i)}[] = [];
      const found = items.filter(({ id, tags }) => id === input.id && tags.length > (input.limit ?? 0));
      return { found, first: found[0]?.name ?? null, count: found.length };
    }),`,
  );
  return `import { os } from '@orpc/server';\nimport { z } from 'zod';\nexport const router = {\n${procedures.join('\n')}\n};\n`;
}

/** From a save that changes the types of one procedure to the new client, while the command watches. */
async function watched(cwd: string): Promise<number> {
  const args = [fw, 'generate', '-o', 'client.ts', '--watch', '--json'];
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const file = join(cwd, 'src/rpc.ts');
  const text = readFileSync(file, 'utf8');
  try {
    await lines.next();
    const found: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      await new Promise((later) => setTimeout(later, 500));
      const began = performance.now();
      writeFileSync(file, text.replace('count: found', `extra${index}: 1, count: found`));
      const { value } = await lines.next();
      if (!value?.includes('"isChanged":true')) throw new Error(`nothing was generated: ${value}`);
      found.push(performance.now() - began);
    }
    return median(found);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    writeFileSync(file, text);
  }
}

const sizes = [50, 300, 1_000];
const servers = new Map(sizes.map((count) => [count, project(`server-${count}`, server(count))]));
const trpcOpenapi = join(here, 'trpc-openapi/node_modules/@trpc/openapi/dist/cli.js');
const hasTrpcOpenapi = existsSync(trpcOpenapi);
if (!hasTrpcOpenapi) console.log('@trpc/openapi is left out: run npm ci in e2e/bench/trpc-openapi');
const routers = new Map(
  sizes.map((count) => [count, project(`router-${count}`, { 'router.ts': router(count) }, true)]),
);
const commands: Record<string, () => number | Promise<number>> = {
  'node -e 0': () => timed('-e', ['0'], here),
};
for (const count of sizes) {
  commands[`fw generate, ${count}`] = () =>
    timed(fw, ['generate', '-o', 'client.ts'], servers.get(count) as string);
  commands[`fw generate --watch, ${count}, one save`] = () => watched(servers.get(count) as string);
  if (!hasTrpcOpenapi) continue;
  commands[`@trpc/openapi, ${count}`] = () =>
    timed(trpcOpenapi, ['src/router.ts', '-e', 'router'], routers.get(count) as string);
}
const times = await interleave(Object.keys(commands), rounds, async (name) => commands[name]?.() ?? 0);
console.log('\nGenerators, types inferred from the handlers (@trpc/openapi: outputs alone, and no client)');
printTable(
  ['procedures', 'whole command ms'],
  [...times].map(([name, took]) => [name, median(took).toFixed(0)]),
);

const COUNT = 300;
const generated = servers.get(COUNT) as string;
timed(fw, ['generate', '-o', 'client.ts'], generated);
timed(fw, ['generate', '-o', 'declared/client.js'], generated);
const calls = (call: (i: number) => string) =>
  range(COUNT)
    .map((i) => `export const r${i} = (async () => (await ${call(i)}({ id: '1', kind: 'x' })).count + 1)();`)
    .join('\n');
const output = (i: number) => `{ found: ${item(i)}[]; first: string | null; count: number }`;
const frontends = {
  'plain types': project('plain', {
    'client.ts': `export interface Client {\n${range(COUNT)
      .map((i) => `  item${i}(input: ${input}): Promise<${output(i)}>;`)
      .join('\n')}\n}\nexport declare const client: Client;\n`,
    'use.ts': `import { client } from './client.ts';\n${calls((i) => `client.item${i}`)}\n`,
  }),
  'fw, declarations': project('fw-declarations', {
    'use.ts': `import { FwRpcClient } from '../../server-${COUNT}/declared/client.js';\nconst client = new FwRpcClient();\n${calls((i) => `client.item${i}`)}\n`,
  }),
  fw: project('fw', {
    'use.ts': `import { FwRpcClient } from '../../server-${COUNT}/client.ts';\nconst client = new FwRpcClient();\n${calls((i) => `client.item${i}`)}\n`,
  }),
  tRPC: project('trpc', {
    'router.ts': router(COUNT),
    'use.ts': `import { createTRPCClient, httpBatchLink } from '@trpc/client';\nimport type { router } from './router.ts';\nconst client = createTRPCClient<typeof router>({ links: [httpBatchLink({ url: '/trpc' })] });\n${calls((i) => `client.item${i}.${i % 2 === 0 ? 'query' : 'mutate'}`)}\n`,
  }),
  oRPC: project('orpc', {
    'router.ts': orpcRouter(COUNT),
    'use.ts': `import { createORPCClient } from '@orpc/client';\nimport { RPCLink } from '@orpc/client/fetch';\nimport type { RouterClient } from '@orpc/server';\nimport type { router } from './router.ts';\nconst client: RouterClient<typeof router> = createORPCClient(new RPCLink({ url: 'http://localhost/rpc' }));\n${calls((i) => `client.item${i}`)}\n`,
  }),
};
for (const compiler of ['typescript', 'typescript-6']) {
  const tsc = join(here, 'node_modules', compiler, 'bin/tsc');
  const checks = await interleave(Object.keys(frontends), rounds, async (name) =>
    timed(tsc, ['-p', '.'], frontends[name as 'fw']),
  );
  const base = median(checks.get('plain types') as number[]);
  console.log(`\nType check of a frontend with ${COUNT} procedures, ${compiler}`);
  printTable(
    ['', 'ms', '÷ plain types'],
    [...checks].map(([name, times]) => [name, median(times).toFixed(0), (median(times) / base).toFixed(2)]),
  );
}
