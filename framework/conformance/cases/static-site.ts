// Cases: the directory that the cases of static files are about, and an App that serves it.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll } from 'vitest';
import { App } from '../../app/app.js';
import type { Case } from '../case.js';

const outer = mkdtempSync(join(tmpdir(), 'fw-static-'));
afterAll(() => rmSync(outer, { recursive: true, force: true }));
export const dir: string = join(outer, 'public');

/** A time of the past, in whole seconds, and as header fields show it. */
export const SECONDS = 1_700_000_000;
export const DATE = 'Tue, 14 Nov 2023 22:13:20 GMT';
export const LARGE = 300_000;

function put(name: string, content: string | Uint8Array, seconds: number = SECONDS): void {
  writeFileSync(join(outer, name), content);
  utimesSync(join(outer, name), seconds, seconds);
}

for (const name of ['css', 'empty', '.git', 'pages', 'js']) mkdirSync(join(dir, name), { recursive: true });
put('secret.txt', 'outside');
put('public/index.html', '<p>index</p>');
put('public/a.txt', '0123456789');
put('public/empty.txt', '');
put('public/css/site.css', 'p{}');
put('public/noext', 'bytes');
put('public/.env', 'SECRET=1');
put('public/.git/config', '[core]');
put('public/50%.txt', 'percent');
put('public/a+b é.txt', 'named');
put('public/large.bin', 'x'.repeat(LARGE));
put('public/js/app.js', 'code');
put('public/js/app.js.gz', gzipSync('code'));
put('public/js/app.js.br', 'pretended brotli');
put('public/js/stale.js', 'new code');
put('public/js/stale.js.br', 'old code', SECONDS - 1);
put('public/js/only.js.gz', gzipSync('alone'));
symlinkSync(join(outer, 'secret.txt'), join(dir, 'escape.txt'));
symlinkSync(outer, join(dir, 'up'));
symlinkSync('a.txt', join(dir, 'inside.txt'));
symlinkSync('loop.txt', join(dir, 'loop.txt'));
symlinkSync('nowhere', join(dir, 'dangling.txt'));

export const ETAG: string = `"10-${SECONDS}"`;

export const site = (): App =>
  new App().serveStatic('/assets', dir, {
    cacheControl: (path) => (path.endsWith('.css') ? 'public, max-age=60' : undefined),
  });

export const missing = (name: string, path: string, socketsOnly?: string): Case => ({
  name,
  app: site,
  request: { path },
  status: 404,
  headers: { etag: undefined, 'content-type': 'application/json' },
  ...(socketsOnly !== undefined && { socketsOnly }),
});

export const whole = '0123456789';
