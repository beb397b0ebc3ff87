// Checks what `npm pack` would publish: exactly the files of .ci/package-files.txt, within the size that is promised,
// with no test, secret or folder of this machine in them, and no link in a page that leads out of the package.
// After a change that is meant: npm run check:package -- --update
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import spawn from 'cross-spawn';
import { listPackedTemplates } from '../cli/new/templates.js';
import { type PackedFile, packageFaults } from './package-faults.js';
import { openPackedFiles } from './packed-modes.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const list = `${root}/.ci/package-files.txt`;
/** Of which 0.8 are documentation, which `fw docs` and the workbench show, 0.43 are the list of common passwords, which is loaded with its first use, and 0.7 the templates. */
// 5.2 before procedures were tools of models, which is code, types and pages.
// 5.6 before fuzz, which has fast-check in a file that is loaded by its first call.
// 5.9 before errors of files named the file and the remedy.
// 6 before the tokens of accounts, with their tables for both toolkits and the types of those.
const MAX_UNPACKED_MB = 6.2;
/** Which each `npx fw` downloads. */
const MAX_PACKED_MB = 2.3;

type Listed = Pick<PackedFile, 'path' | 'mode'>;
interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly Listed[];
}

// As before a package is packed.
openPackedFiles(root);
const { bin } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { bin: Record<string, string> };

const { status, stdout: output } = spawn.sync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
});
if (status !== 0) throw new Error(`npm pack ended with ${status}`);
const [packed] = Object.values(JSON.parse(output)) as [Packed];
const paths = packed.files.map(({ path }) => path);
/** The hash in a chunk's name changes with every line. The files of templates are in one compressed file each. */
const names = [
  ...new Set(
    [...paths, ...templateFiles()].map((path) =>
      path.replace(/(\/chunks\/.+)-[A-Za-z0-9]{8}\.js$/, '$1-*.js'),
    ),
  ),
].sort();

if (process.argv.includes('--update')) writeFileSync(list, `${names.join('\n')}\n`);
const expected = readFileSync(list, 'utf8').trimEnd().split('\n');
const problems = [
  ...expected.filter((name) => !names.includes(name)).map((name) => `${name} is missing`),
  ...names.filter((name) => !expected.includes(name)).map((name) => `${name} should not be published`),
  ...missingSources(),
  ...deadLinks(),
  ...packageFaults(packed.files.map(readable), Object.values(bin), [root.replace(/[\\/]$/, ''), homedir()]),
];
const [unpacked, toLoad] = [packed.unpackedSize / 1e6, packed.size / 1e6];
if (unpacked > MAX_UNPACKED_MB)
  problems.push(`${unpacked.toFixed(1)} MB unpacked, over ${MAX_UNPACKED_MB} MB`);
if (toLoad > MAX_PACKED_MB) problems.push(`${toLoad.toFixed(2)} MB packed, over ${MAX_PACKED_MB} MB`);

for (const problem of problems) console.error(problem);
console.log(`${paths.length} files, ${toLoad.toFixed(2)} MB packed, ${unpacked.toFixed(2)} MB unpacked`);
if (problems.length > 0) {
  console.error('If the list of files is to change: npm run build && npm run check:package -- --update');
  process.exit(1);
}

function readable(file: Listed): PackedFile {
  return { ...file, read: () => readFileSync(`${root}/${file.path}`) };
}

function templateFiles(): string[] {
  return listPackedTemplates(`${root}/dist/templates`).flatMap(({ name, read }) =>
    read().map(({ path }) => `templates/${name}/${path}`),
  );
}

/** What declaration maps lead to, for "go to definition". */
function missingSources(): string[] {
  return paths
    .filter((path) => path.endsWith('.d.ts.map'))
    .flatMap((path) => {
      const { sources } = JSON.parse(readFileSync(`${root}/${path}`, 'utf8')) as { sources: string[] };
      return sources
        .map((source) => posix.join(posix.dirname(path), source))
        .filter((source) => !paths.includes(source))
        .map((source) => `${source} is missing, to which ${path} leads`);
    });
}

function deadLinks(): string[] {
  return paths
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => {
      const text = readFileSync(`${root}/${path}`, 'utf8').replace(/```.*?```|`[^`\n]*`/gs, '');
      return [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
        .map(([, link = '']) => posix.join(posix.dirname(path), link))
        .filter((link) => !paths.includes(link))
        .map((link) => `${path} links to ${link}, which is not in the package`);
    });
}
