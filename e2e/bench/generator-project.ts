// A project on disk from which `fw generate` infers, for the benches of generators.
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** This checkout, whose packages the projects use. */
export const checkout: string = fileURLToPath(new URL('../..', import.meta.url));

export const compilerOptions = {
  target: 'es2023',
  lib: ['es2023'],
  module: 'nodenext',
  strict: true,
  types: ['node'],
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

/**
 * @param inside the folder that gets a new one for the project.
 * @param fw the checkout whose package the project depends on.
 * @param packages that it imports besides; `typescript` and `esbuild` are always there.
 * @param files their texts by path; `src/rpc.ts` exports `rpc`.
 */
export function makeProject(
  inside: string,
  fw: string,
  packages: readonly string[],
  files: Readonly<Record<string, string>>,
): string {
  const directory = mkdtempSync(join(inside, 'app-'));
  for (const folder of ['src', 'node_modules/@types'])
    mkdirSync(join(directory, folder), { recursive: true });
  for (const name of ['typescript', 'esbuild', '@types/node', 'undici-types', ...packages])
    symlinkSync(join(checkout, 'node_modules', name), join(directory, 'node_modules', name));
  symlinkSync(fw, join(directory, 'node_modules/fw'));
  const all = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    'src/generate-client.ts': `import { rpc } from './rpc.ts';\nawait rpc.generateClientFile(process.argv[2] ?? '');\n`,
    ...files,
  };
  for (const [file, text] of Object.entries(all)) writeFileSync(join(directory, file), text);
  return directory;
}
