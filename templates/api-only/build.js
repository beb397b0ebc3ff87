// `npm run build`: bundles the app with its packages, so that dist/ runs without node_modules.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

const migrate = 'src/database/migrate.ts';

await rm('dist', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: { main: 'src/main.ts', ...(existsSync(migrate) && { migrate }) },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  // Stacks show the lines of the sources; their text is not needed for that.
  sourcemap: true,
  sourcesContent: false,
  // Database drivers that are loaded only if they are used. libsql is a binary, which cannot be bundled: with
  // `DATABASE_URL=file:…` it must be installed beside dist/.
  external: ['libsql', 'mysql2', 'pg-native'],
  // Packages in CommonJS call `require` for the modules of Node.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  // Names of classes are in logs, such as that of an error.
  keepNames: true,
  metafile: true,
  logLevel: 'error',
});
for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
  if (file.endsWith('.js')) console.log(`${file}  ${Math.ceil(bytes / 1000)} kB`);
}
