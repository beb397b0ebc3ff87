// The module through which packages are imported, as Node sees it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeProject } from '../dev/trial-app.js';
import { loaderModule } from './loader-module.js';

let root: string;
afterEach(() => rmSync(root, { recursive: true }));

it('imports from its own folder, and has a source map with many lines', () => {
  root = makeProject({ 'main.mjs': main });
  mkdirSync(join(root, 'node_modules/part'));
  writeFileSync(join(root, 'node_modules/part/package.json'), '{"type":"module","exports":"./index.js"}');
  writeFileSync(join(root, 'node_modules/part/index.js'), "export const part = 'found';");
  const file = join(root, 'node_modules/.fw/load.mjs');
  writeFileSync(file, loaderModule);
  const printed = execFileSync(process.execPath, ['--enable-source-maps', join(root, 'main.mjs'), file]);
  const { part, lines } = JSON.parse(printed.toString()) as { part: string; lines: number };
  expect(part).toBe('found');
  expect(lines).toBeGreaterThan(1000);
});

const main = `import { findSourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';
const url = pathToFileURL(process.argv[2]).href;
const { load } = await import(url);
const { part } = await load('part');
const { lineLengths } = findSourceMap(url) ?? findSourceMap(process.argv[2]);
console.log(JSON.stringify({ part, lines: lineLengths.length }));`;
