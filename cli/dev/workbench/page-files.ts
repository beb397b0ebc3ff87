// The files of the page about the app, from the package: the page itself, its script and style, the live script.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Refusal } from './refusals.js';

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The files by their paths; everything else is not there. */
const files: Readonly<Record<string, string>> = {
  '/_fw/': 'page/index.html',
  '/_fw/assets/page.js': 'page/page.js.gz',
  '/_fw/assets/page.css': 'page/page.css.gz',
  '/_fw/live.js': 'live/live.js.gz',
};

/** Answers with a file; false if the path is that of none. @throws Refusal if the package does not have it */
export function answerFile(path: string, request: IncomingMessage, response: ServerResponse): boolean {
  const name = Object.hasOwn(files, path) ? files[path] : undefined;
  if (name === undefined) return false;
  const bytes = readPackaged(name);
  const isGzipped = name.endsWith('.gz');
  const extension = name.replace(/\.gz$/, '').split('.').at(-1) ?? '';
  response.setHeader('content-type', contentTypes[extension] ?? 'application/octet-stream');
  response.setHeader('vary', 'Accept-Encoding');
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (isGzipped && takesGzip) response.setHeader('content-encoding', 'gzip');
  response.writeHead(200);
  response.end(isGzipped && !takesGzip ? gunzipSync(bytes) : bytes);
  return true;
}

/** In the package, this code is in a chunk beside `dev/`; from the sources, the built files are in dist/. */
function readPackaged(name: string): Buffer {
  const places = [
    `../dev/workbench/${name}`,
    `./dev/workbench/${name}`,
    `../../../dist/cli/dev/workbench/${name}`,
  ];
  for (const place of places) {
    try {
      return readFileSync(fileURLToPath(new URL(place, import.meta.url)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Refusal(404, 'NotFound', `the installation of fw is incomplete: ${name} is missing`);
}
