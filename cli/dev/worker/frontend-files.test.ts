// Which files the frontend's dev server is asked for, with real files and whatever spelling.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FrontendFiles } from './frontend-answers.js';

let base: string;
let root: string;
let files: FrontendFiles;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'fw-files-')));
  root = join(base, 'apps/shop');
  for (const path of [
    'apps/shop/app.db',
    'apps/shop/fw.toml',
    'apps/shop/.env',
    'apps/shop/src/auth/accounts.ts',
    'apps/shop/src/shared/text.ts',
    'apps/shop/dist/main.js',
    'apps/shop/node_modules/react/index.js',
    'apps/shop/node_modules/.vite/deps/react.js',
    'apps/shop/node_modules/.fw/workbench-token',
    'apps/shop/web/src/main.tsx',
    'apps/shop/web/.env.local',
    'apps/shop/web/local.sqlite',
    'apps/shop/web/public/cities.sqlite',
    'packages/ui/button.tsx',
    'packages/other/secret.ts',
    'outside.txt',
  ]) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), '');
  }
  mkdirSync(join(base, 'node_modules/@shop'), { recursive: true });
  symlinkSync('../../packages/ui', join(base, 'node_modules/@shop/ui'));
  // As workspaces of npm have it.
  symlinkSync('../apps/shop', join(base, 'node_modules/shop'));
  symlinkSync('../app.db', join(root, 'web/linked'));
  symlinkSync('../../src', join(root, 'web/src/server'));
  files = new FrontendFiles({ root, folder: join(root, 'web'), allowed: [join(root, 'src/shared')] });
});
afterAll(() => rmSync(base, { recursive: true }));

const isRefused = (target: string): boolean =>
  files.refusal(target.replaceAll('$R', root).replaceAll('$B', base), true) !== undefined;

describe.skipIf(process.platform === 'win32')('FrontendFiles', () => {
  it.each([
    '/',
    '/src/main.tsx?t=1',
    '/src/main',
    '/some/view',
    '/search/what%3F',
    '/100%25/sure',
    '/app/settings',
    '/home',
    '/etc',
    '/@vite/client',
    '/@react-refresh',
    '/@id/virtual:pwa',
    '/@id/__x00__react/jsx-runtime',
    '/@fs$R/node_modules/react/index.js?v=1',
    '/@fs$R/node_modules/.vite/deps/react.js?v=1',
    '/@fs$R/web/src/main.tsx',
    '/@fs$B/packages/ui/button.tsx',
    '/@fs$R/src/shared/text.ts',
    '/cities.sqlite',
    '/public/cities.sqlite?url',
    '/__inspect/',
    '/%zz',
  ])('lets %s pass', (target) => expect(isRefused(target)).toBe(false));

  it.each([
    '/@fs$R/app.db',
    '/@fs$R/app.db-wal',
    '/@fs/$R/app.db',
    '/@fs//$R/app.db',
    '//@fs$R/app.db',
    '/%40fs$R/app.db',
    '/@fs$R/app%2Edb',
    '/@fs$R/%61pp.db',
    '/@fs$R/app%252Edb',
    '/@fs$R/app.db?raw',
    '/@fs$R/app.db?import&raw??',
    '/@fs$R/app.db?url',
    '/@fs$R/app.db%3Fraw',
    '/@fs$R/app.db%23',
    '/@fs$R/app.db%00.js',
    '/@fs$R/app.db/',
    '/@fs$R/web/../app.db',
    '/@fs$R/web/%2e%2e/app.db',
    '/@fs$R/web/..%2fapp.db',
    '/@fs$R/web/..%5capp.db',
    '/@fs$R/node_modules/../app.db',
    '/@fs$R/x#/../app.db',
    '/@fs$R/src/auth/accounts.ts?raw',
    '/@fs$R/src/auth/accounts',
    '/@fs$R/src/shared/../auth/accounts.ts',
    '/@fs$R/dist/main.js',
    '/@fs$R/fw.toml',
    '/@fs$R/.env',
    '/@fs$R',
    '/@fs$R/src',
    '/@fs$R/node_modules/.fw/workbench-token',
    '/@fs$B/node_modules/shop/app.db',
    '/@fs$B/node_modules/shop/src/auth/accounts.ts',
    '/@fs$B/packages/other/secret.ts',
    '/@fs$B/outside.txt',
    '/@fs/etc/passwd',
    '/base/@fs$R/app.db',
    '/@id$R/app.db?raw',
    '/@id/@fs$R/app.db',
    '/@id/__x00__$R/app.db',
    '$R/app.db?raw',
    '$R/src/auth/accounts.ts',
    '$R/src/auth/accounts?import',
    '/etc/passwd?raw',
    '/../app.db',
    '/%2e%2e/app.db',
    '/src/../../app.db',
    '/src/..%2f..%2fapp.db',
    '/..%5capp.db',
    '/../src/auth/accounts',
    '/linked',
    '/linked?raw',
    '/src/server/auth/accounts.ts',
    '/src/server/auth/accounts',
    '/.env.local',
    '/local.sqlite',
    '\\app.db',
    '/__open-in-editor?file=/etc/passwd',
    '/__OPEN-in-editor?file=x',
    '/base/__open-in-editor?file=x',
    '/%5f_open-in-editor?file=x',
    '/__inspect-open-in-editor/x',
    '/__openInEditor?file=x',
  ])('refuses %s', (target) => expect(isRefused(target)).toBe(true));
});
