// `npm run build`: bundles the app with its packages, so that dist/ and public/ run without node_modules.
import { cp, rm } from 'node:fs/promises';
import { build } from 'esbuild';

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: { main: 'src/main.ts', migrate: 'src/database/migrate.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  // Loaded only when they are needed. libsql is the embedded database, a binary: with `DATABASE_URL=file:…` the bundle
  // needs `npm install libsql` beside it, with PostgreSQL it needs nothing.
  external: ['libsql', 'mysql2', 'pg-native'],
  // Packages in CommonJS call `require` for the modules of Node.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  logLevel: 'error',
});
// The script and the style sheet of the page at /docs.
await cp('node_modules/fw/dist/framework/docs-page', 'dist/docs-page', { recursive: true });
