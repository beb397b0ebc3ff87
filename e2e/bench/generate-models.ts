// `fw generate` for procedures that return the types of zod schemas, drizzle tables and kysely models: `npm run
// generate-models [-- --rounds 5 --beside ../../../other-checkout]`. The whole command without a contract or anything kept
// from an earlier one, and again for the same code; in runs of their own, because looking at it takes time, the largest
// memory of all its processes together. With `--beside`, another checkout of fw, which is built, takes turns. Needs Linux.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkout, makeProject } from './generator-project.js';
import { interleave, median, printTable } from './measure.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, beside: { type: 'string' } },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
const range = (count: number) => Array.from({ length: count }, (_, i) => i);

const model = (i: number) => `
export const Order${i} = z.object({
  id: z.string(), customer: z.object({ name: z.string(), email: z.string().optional() }), at: z.string(),
  lines: z.array(z.object({ sku: z.string(), quantity: z.number(), note${i}: z.string().nullable() })),
  state: z.enum(['open', 'closed', 's${i}']),
});
export const items${i} = sqliteTable('items${i}', {
  id: integer('id').primaryKey(), name: text('name').notNull(), price: integer('price').notNull(), note${i}: text('note'),
  state: text('state', { enum: ['a', 'b'] }).notNull(),
});
export interface Person${i}Table {
  id: Generated<number>; name: string; email${i}: string | null; age: number; joined: ColumnType<string, string, never>;
}`;
const rows = (i: number) =>
  [`z.infer<typeof m.Order${i}>`, `typeof m.items${i}.$inferSelect`, `Selectable<m.Person${i}Table>`][i % 3];
const procedure = (i: number) => `
rpc.${i % 2 === 0 ? 'query' : 'mutation'}('item${i}', async (input: { id: string; limit?: number; filter: { text: string } }) => {
  const found: (${rows(i)})[] = [];
  return { found, first: found[0] ?? null, count: found.length + Object.keys(input).length };
});`;

function project(fw: string, count: number): string {
  return makeProject(out, fw, ['zod', 'drizzle-orm', 'kysely'], {
    'src/models.ts': `import { z } from 'zod';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ColumnType, Generated } from 'kysely';
${range(count).map(model).join('\n')}`,
    'src/rpc.ts': `import { existsSync, readFileSync } from 'node:fs';
import { RpcRegistry } from 'fw/rpc';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import * as m from './models.ts';
export const rpc = new RpcRegistry();
const contract = new URL('./rpc-contract.json', 'file://' + process.cwd() + '/src/');
if (existsSync(contract)) rpc.loadContract(JSON.parse(readFileSync(contract, 'utf8')));
void m;
${range(count).map(procedure).join('\n')}\n`,
  });
}

interface Run {
  readonly ms: number;
  readonly megabytes: number;
}

async function generate(fw: string, directory: string): Promise<readonly [first: Run, again: Run]> {
  const first = await run(fw, directory, false, true);
  // The first one has written the contract and the client, which are sources, too.
  await run(fw, directory, false);
  const again = await run(fw, directory, false);
  const memoryAgain = await run(fw, directory, true);
  const memory = await run(fw, directory, true, true);
  return [
    { ms: first.ms, megabytes: memory.megabytes },
    { ms: again.ms, megabytes: memoryAgain.megabytes },
  ];
}

async function run(fw: string, directory: string, withMemory: boolean, isFirst = false): Promise<Run> {
  for (const kept of isFirst ? ['src/rpc-contract.json', 'node_modules/.fw/inferred.json'] : [])
    rmSync(join(directory, kept), { force: true });
  const began = performance.now();
  const args = [join(fw, 'dist/cli/main.js'), 'generate', '-o', 'client.ts'];
  const command = spawn(process.execPath, args, { cwd: directory, stdio: 'ignore' });
  let most = 0;
  const sampling = setInterval(() => {
    if (withMemory) most = Math.max(most, memoryOf(command.pid ?? 0));
  }, 20);
  const [code] = await once(command, 'exit');
  clearInterval(sampling);
  if (code !== 0) throw new Error(`fw generate ended with ${code} in ${directory}`);
  return { ms: performance.now() - began, megabytes: most / 1_000 };
}

/** Kilobytes of a process and all below it, where shared pages count once (`Pss`). */
function memoryOf(root: number): number {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = readIfThere(`/proc/${entry}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const sum = (pid: number): number =>
    Number(/^Pss: +(\d+)/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) +
    (children.get(pid) ?? []).reduce((all, child) => all + sum(child), 0);
  return sum(root);
}

/** A process may end while it is looked at. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const checkouts = [checkout, ...(values.beside === undefined ? [] : [resolve(values.beside)])];
const apps = new Map<string, readonly [fw: string, directory: string]>();
for (const count of [50, 300, 1_000])
  for (const fw of checkouts) apps.set(`${basename(resolve(fw))}, ${count}`, [fw, project(fw, count)]);
const runs = await interleave([...apps.keys()], Number(values.rounds), async (name) =>
  generate(...(apps.get(name) as readonly [string, string])),
);
console.log('`fw generate` with types of zod, drizzle and kysely, whole command');
printTable(
  ['procedures', 'ms', 'MB', 'again: ms', 'MB'],
  [...runs].map(([name, of]) => [
    name,
    ...[0, 1].flatMap((index) => [
      median(of.map((both) => both[index as 0 | 1].ms)).toFixed(0),
      median(of.map((both) => both[index as 0 | 1].megabytes)).toFixed(0),
    ]),
  ]),
);
