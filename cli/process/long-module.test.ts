// The module with many lines, as Node sees it.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeProject } from '../dev/trial-app.js';
import { longModule } from './long-module.js';

let root: string;
afterEach(() => rmSync(root, { recursive: true }));

it('has a source map and many lines, which Node measures', () => {
  root = makeProject({ 'main.mjs': main });
  const file = join(root, 'node_modules/.fw/long.mjs');
  writeFileSync(file, longModule);
  const printed = execFileSync(process.execPath, ['--enable-source-maps', join(root, 'main.mjs'), file]);
  expect(Number(printed)).toBeGreaterThan(1000);
});

const main = `import { findSourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';
const url = pathToFileURL(process.argv[2]).href;
await import(url);
const { lineLengths } = findSourceMap(url) ?? findSourceMap(process.argv[2]);
console.log(lineLengths.length);`;
