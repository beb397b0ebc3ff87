// Builds the documentation site for a path below a host, and serves its files as a host of static pages does.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { checkout, run, temporaryDirectory } from './packed.js';

export const base = '/docs/fw/';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.md': 'text/markdown',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
};

export interface BuiltSite {
  /** Of the landing page. */
  readonly url: string;
  /** Paths of its files, with slashes. */
  readonly files: ReadonlySet<string>;
  read(path: string): string;
  close(): Promise<void>;
}

export async function buildSite(): Promise<BuiltSite> {
  const directory = temporaryDirectory('fw-site');
  const vitepress = join(checkout, 'node_modules/vitepress/bin/vitepress.js');
  const { exitCode, stdout, stderr } = await run(
    process.execPath,
    [vitepress, 'build', 'framework/docs', '--outDir', directory],
    { cwd: checkout, env: { ...process.env, DOCS_BASE: base, DOCS_REPOSITORY: 'https://git.example/fw' } },
  );
  if (exitCode !== 0) throw new Error(stdout + stderr);
  const server = serve(directory);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    files: new Set(
      names
        .filter((name) => statSync(join(directory, name)).isFile())
        .map((name) => name.replaceAll(sep, '/')),
    ),
    read: (path) => readFileSync(join(directory, path), 'utf8'),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Nothing outside of the base: what asks for it forgot the base. */
function serve(directory: string): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site.example');
    const path = decodeURIComponent(pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html');
    const file = normalize(join(directory, path));
    if (!pathname.startsWith(base) || !file.startsWith(directory + sep) || !existsSync(file)) {
      response.writeHead(404).end();
    } else {
      response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' });
      response.end(readFileSync(file));
    }
  });
}
