import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { TestClient } from '../testing/index.js';
import type { StaticOptions } from './options.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fw-page-'));
  for (const name of ['index.html', 'a.js', 'a.js.br']) writeFileSync(join(dir, name), `the file ${name}`);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const cacheControlOf = async (path: string, options: StaticOptions) =>
  (await new TestClient(new App().serveSpa(dir, 'index.html', options)).get(path)).header('cache-control');

it.each<[StaticOptions['cacheControl'], string | undefined, string]>([
  [undefined, undefined, 'no-cache'],
  ['max-age=60', 'max-age=60', 'no-cache'],
  [(path) => `max-age=${path.length}`, 'max-age=4', 'max-age=10'],
  [(path) => (path === 'a.js' ? 'immutable' : undefined), 'immutable', 'no-cache'],
])(
  'the page is revalidated, unless cacheControl returns another value: %s',
  async (cacheControl, ofFile, ofPage) => {
    const options = cacheControl === undefined ? {} : { cacheControl };
    expect(await cacheControlOf('/a.js', options)).toBe(ofFile);
    expect(await cacheControlOf('/some/view', options)).toBe(ofPage);
  },
);

it('a page that was deleted is answered with 404', async () => {
  const client = new TestClient(new App().serveSpa(dir, 'index.html'));
  (await client.get('/some/view')).assertStatus(200).assertText('the file index.html');
  unlinkSync(join(dir, 'index.html'));
  const answer = (await client.get('/some/view')).assertStatus(404);
  expect(answer.header('vary')).toBeUndefined();
  const refused = await client.get('/some/view', { headers: { Accept: 'application/json' } });
  refused.assertStatus(404).assertHeader('vary', 'Accept');
});

it('a range refers to the original file, even if a compressed one is accepted', async () => {
  const client = new TestClient(new App().serveStatic('/', dir));
  const headers = { 'Accept-Encoding': 'br' };
  (await client.get('/a.js', { headers })).assertHeader('content-encoding', 'br');
  const part = await client.get('/a.js', { headers: { ...headers, Range: 'bytes=4-7' } });
  part.assertStatus(206).assertText('file');
  expect(part.header('content-encoding')).toBeUndefined();
});
