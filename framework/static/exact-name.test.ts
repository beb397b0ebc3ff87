// A disk that ignores case, as on macOS and Windows: every function of node:fs that takes a path finds other spellings.
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';

const disk = vi.hoisted(() => ({ root: '' }));

vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  /** The true name, which is lower case here. */
  const fold = (path: unknown) =>
    typeof path === 'string' && disk.root !== '' && path.startsWith(disk.root)
      ? disk.root + path.slice(disk.root.length).toLowerCase()
      : path;
  const folding = <Call extends (...args: never[]) => unknown>(call: Call): Call =>
    ((path: unknown, ...rest: never[]) => call(fold(path) as never, ...rest)) as unknown as Call;
  return {
    ...real,
    statSync: folding(real.statSync),
    lstatSync: folding(real.lstatSync),
    openSync: folding(real.openSync),
    readdirSync: folding(real.readdirSync),
    realpathSync: Object.assign(folding(real.realpathSync), { native: folding(real.realpathSync.native) }),
  };
});
// Imported here, because a module that was loaded before the mock would use the real functions.
vi.resetModules();
const { App } = await import('../index.js');
const { TestClient } = await import('../testing/index.js');

const root = fs.realpathSync.native(fs.mkdtempSync(join(tmpdir(), 'fw-case-')));
const outer = join(root, 'public');
for (const folder of ['admin', 'releases/five']) fs.mkdirSync(join(outer, folder), { recursive: true });
fs.writeFileSync(join(outer, 'admin/secret.txt'), 'secret');
fs.writeFileSync(join(outer, 'releases/five/page.txt'), 'page');
fs.symlinkSync('releases/five', join(outer, 'current'));
fs.symlinkSync('../admin/secret.txt', join(outer, 'releases/shown.txt'));
disk.root = outer;
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

describe('a file on a disk that ignores case', () => {
  const app = new App().get('/admin/*rest', () => 'guarded').serveStatic('/', outer);

  it.each([
    ['/admin/secret.txt', 200, 'guarded'],
    ['/releases/five/page.txt', 200, 'page'],
    ['/current/page.txt', 200, 'page'],
    ['/releases/shown.txt', 200, 'secret'],
  ])('has the name %s', async (path, status, text) => {
    const response = await new TestClient(app).get(path);
    expect([response.status, response.text()]).toEqual([status, text]);
  });

  it.each([
    '/ADMIN/secret.txt',
    '/Admin/SECRET.TXT',
    '/releases/five/PAGE.txt',
    '/CURRENT/page.txt',
    '/current/PAGE.TXT',
    '/releases/SHOWN.txt',
  ])('has no other name, such as %s', async (path) => {
    (await new TestClient(app).get(path)).assertStatus(404);
  });
});
