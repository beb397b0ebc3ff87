// Checks what `npm pack` would publish: everything a user needs, nothing else, within the size that is promised.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAX_UNPACKED_MB = 3;

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
});
const [packed] = Object.values(JSON.parse(output)) as [Packed];
const paths = packed.files.map((file) => file.path);
const problems: string[] = [];

const allowed =
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/.+\.(?:js|js\.gz|d\.ts|d\.ts\.map|md)|framework\/.+\.ts|templates\/.+)$/;
const forbidden =
  /(?:^framework\/.*\.test(?:-d)?\.ts$|^framework\/conformance\/|node_modules|^templates\/[^/]+\/dist\/|\.env$)/;
for (const path of paths) {
  if (!allowed.test(path) || forbidden.test(path)) problems.push(`${path} should not be published`);
}

const needed = ['dist/cli/main.js', 'dist/LICENSES.md', 'LICENSE', 'README.md'];
for (const template of readdirSync(`${root}/templates`)) {
  needed.push(`templates/${template}/package.json`, `templates/${template}/_gitignore`);
}
for (const path of needed) if (!paths.includes(path)) problems.push(`${path} is missing`);

const megabytes = packed.unpackedSize / 1e6;
if (megabytes > MAX_UNPACKED_MB)
  problems.push(`${megabytes.toFixed(1)} MB unpacked, over ${MAX_UNPACKED_MB} MB`);

for (const problem of problems) console.error(problem);
console.log(`${paths.length} files, ${megabytes.toFixed(2)} MB unpacked`);
if (problems.length > 0) process.exit(1);
