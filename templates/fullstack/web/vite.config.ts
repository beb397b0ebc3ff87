// Vite: serves web/ while `fw dev` runs, and builds it into dist/web. Ports and proxies are the matter of `fw dev`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const outDir = join(import.meta.dirname, '../dist/web');

/** Writes each text file of the build compressed as well, once and at the best level: the server sends that one. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:js|css|svg|html)$/.test(name)) continue;
        const file = join(outDir, name);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  plugins: [react(), compressed()],
  build: { outDir, emptyOutDir: true },
  server: {
    // The pages and their packages: nothing of the server, no database, no secrets.
    fs: {
      allow: ['.', '../node_modules'],
      deny: ['.env', '.env.*', '*.{crt,key,pem}', '*.{db,db-*}', 'fw.toml', '**/.git/**', '**/.fw/**'],
    },
  },
});
