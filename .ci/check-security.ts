// Holds the page about security: npm run check:security. Every test that it names must exist, in the file that it says.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PAGE = 'framework/docs/security.md';
/** Fewer rows would mean that the tables are not read any more. */
const FEWEST = Number(process.argv[3] ?? 60);

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const lines = readFileSync(join(root, PAGE), 'utf8').split('\n');
const rows = lines.flatMap((line, index) => (/^\| \d/.test(line) ? [{ line, number: index + 1 }] : []));
const faults = rows.flatMap(({ line, number }) =>
  faultsOf(line).map((fault) => `${PAGE}:${number}: ${fault}`),
);
if (rows.length < FEWEST)
  faults.push(`${PAGE} has ${rows.length} rows with a requirement, and had ${FEWEST} or more`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${rows.length} rows about security: every test that they name exists`);

function faultsOf(row: string): string[] {
  const cells = row.split('|').slice(1, -1);
  const heldBy = cells[4]?.trim() ?? '';
  if (cells.length !== 5 || heldBy === '')
    return ['a row has five cells: requirement, level, what, who, held by'];
  const named = [...heldBy.matchAll(/`([^`]+\.ts)`(?:: “([^”]+)”)?/g)];
  return named.flatMap(([, file = '', test]) => faultOf(file, test));
}

function faultOf(file: string, test: string | undefined): string[] {
  if (test === undefined) return [`give the name of the test behind ${file}, as in: \`${file}\`: “its name”`];
  if (!existsSync(join(root, file))) return [`there is no ${file}`];
  if (readFileSync(join(root, file), 'utf8').includes(test)) return [];
  return [`${file} has no test “${test}”; name the one that holds the row now`];
}
