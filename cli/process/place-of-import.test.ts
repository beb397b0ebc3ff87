// Where imports that lead nowhere are in the sources, with a real worker.
import { afterEach, describe, expect, it } from 'vitest';
import { startTrialApp, type TrialApp } from '../dev/trial-app.js';
import { placeOfImport } from './place-of-import.js';

let app: TrialApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const odd = {
  'node_modules/odd/package.json': '{"type":"module","exports":{".":"./index.js","./gone":"./gone.js"}}',
  'node_modules/odd/index.js': 'export const there = 1;',
};

describe('a failed import', () => {
  it.each([
    ["import 'not-installed';", "Cannot find package 'not-installed'", 8],
    ["import 'not-installed/sub';", "Cannot find package 'not-installed'", 8],
    ["export * from '@not/installed';", "Cannot find package '@not/installed'", 15],
    ["import * as a from 'odd/hidden'; import { there } from 'odd'; console.log(a, there);", './hidden', 20],
    ["import 'odd'; import 'odd/gone';", 'Cannot find module', 22],
    ["import 'node:fss';", 'No such built-in module: node:fss', 8],
    ["import 'https://app.test/x.js';", "Received protocol 'https:'", 8],
  ])('shows the place of %s', async (line, message, column) => {
    app = await startTrialApp({
      'src/main.ts': "import './sub.ts';\n",
      'src/sub.ts': `interface Gone {\n  a: 1;\n}\n${line}\nexport const made: Gone = { a: 1 };\n`,
      ...odd,
    });
    const { text } = await app.get('/');
    expect(text).toContain(message);
    expect(text.replaceAll('\\', '/')).toContain(`\n  at src/sub.ts:4:${column}\n`);
    expect(text).not.toContain('node:internal');
  });
});

describe('placeOfImport', () => {
  const withCode = (message: string, code = 'ERR_MODULE_NOT_FOUND'): Error =>
    Object.assign(new Error(message), { code });

  it('knows no place of other errors, and of files that cannot be read', () => {
    expect(placeOfImport(withCode("Cannot find package 'x' imported from /not/there.mjs"))).toEqual([]);
    expect(placeOfImport(withCode("Cannot find package 'x' imported from there.mjs"))).toEqual([]);
    expect(placeOfImport(withCode("Cannot find package 'x'", 'ENOENT'))).toEqual([]);
    expect(placeOfImport(null)).toEqual([]);
  });
});
